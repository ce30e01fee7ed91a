//! Runs one step of CI: a program with arguments and a time budget.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::deny;

const POLL_MILLISECONDS: u64 = 50;
/// Multiple of its time budget after which a step is stopped. A step that exceeds its budget by less only gets a
/// notice: the machine may be busy.
const BUDGETS_MAX: u64 = 4;

/// The program that a step runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program {
    Cargo,
    /// The integration tests. The arguments select some.
    Tests,
    /// The program `xtask`, as a process of its own, so that it can be stopped.
    Xtask,
    /// The program `lab`, which an earlier step has built.
    Lab,
    Deny,
    #[cfg(test)]
    Shell,
}

/// A step of CI with its time budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    /// Time budget of the step, in seconds.
    pub(super) seconds: u64,
    program: Program,
    arguments: &'static [&'static str],
    excuse: Option<Excuse>,
    /// The environment variable that is set to 1.
    variable: Option<&'static str>,
    /// True if the step runs at the same time as the next one. Its output is printed when it has ended.
    pub(super) is_beside: bool,
}

/// A failure that does not fail the step and only prints a notice, because something outside the repository was not
/// available.
#[derive(Clone, Copy, Debug)]
struct Excuse {
    /// Text in the output that identifies the failure.
    printed: &'static str,
    notice: &'static str,
}

impl Step {
    pub(super) const fn new(
        name: &'static str,
        seconds: u64,
        program: Program,
        arguments: &'static [&'static str],
    ) -> Step {
        Step { name, seconds, program, arguments, excuse: None, variable: None, is_beside: false }
    }

    /// Lets the step pass with a notice if the program fails and `printed` is part of its output.
    pub(super) const fn unless(self, printed: &'static str, notice: &'static str) -> Step {
        Step { excuse: Some(Excuse { printed, notice }), ..self }
    }

    /// Sets an environment variable to 1.
    pub(super) const fn with(self, variable: &'static str) -> Step {
        Step { variable: Some(variable), ..self }
    }

    /// Runs the step at the same time as the next one.
    pub(super) const fn beside_next(self) -> Step {
        Step { is_beside: true, ..self }
    }

    /// Runs the step. Returns its duration.
    ///
    /// # Errors
    /// The program failed, or took more than [`BUDGETS_MAX`] budgets.
    pub(super) fn run(&self, root: &Path) -> Result<Duration, String> {
        let started = Instant::now();
        let mut command = match self.program {
            Program::Cargo | Program::Tests => Command::new(crate::repository::cargo()),
            Program::Xtask => Command::new(std::env::current_exe().map_err(|error| self.failed(&error))?),
            Program::Lab => Command::new(root.join("target/debug/lab")),
            Program::Deny => Command::new(deny::program(root)?),
            #[cfg(test)]
            Program::Shell => Command::new("sh"),
        };
        if matches!(self.program, Program::Tests) {
            command.args(crate::repository::INTEGRATION_TESTS);
        }
        command.args(self.arguments).current_dir(root).stdin(Stdio::null());
        if let Some(variable) = self.variable {
            command.env(variable, "1");
        }
        let log = (self.excuse.is_some() || self.is_beside)
            .then(|| self.redirect(&mut command, root))
            .transpose()?;
        let child = command.spawn().map_err(|error| self.failed(&error))?;
        let status = self.wait(child, started)?;
        let printed = log.map(std::fs::read_to_string).transpose().map_err(|error| self.failed(&error))?;
        self.check(status, printed.as_deref())?;
        Ok(started.elapsed())
    }

    /// Redirects the output to a file. A pipe that nobody reads would block the program.
    fn redirect(&self, command: &mut Command, root: &Path) -> Result<std::path::PathBuf, String> {
        let folder = root.join("target/tools");
        let path = folder.join(format!("{}.log", self.name));
        std::fs::create_dir_all(&folder).map_err(|error| self.failed(&error))?;
        let file = File::create(&path).map_err(|error| self.failed(&error))?;
        command.stdout(file.try_clone().map_err(|error| self.failed(&error))?).stderr(file);
        Ok(path)
    }

    fn wait(&self, mut child: Child, started: Instant) -> Result<ExitStatus, String> {
        loop {
            if let Some(status) = child.try_wait().map_err(|error| self.failed(&error))? {
                return Ok(status);
            }
            if started.elapsed() > Duration::from_secs(self.seconds * BUDGETS_MAX) {
                child.kill().and_then(|()| child.wait()).map_err(|error| self.failed(&error))?;
                return Err(format!(
                    "{} took longer than {BUDGETS_MAX} times its budget of {} s: make it faster, or raise the budget in xtask/src/ci.rs.",
                    self.name, self.seconds
                ));
            }
            std::thread::sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
    }

    #[expect(clippy::print_stderr, reason = "the output of a step is printed for the person at the terminal")]
    fn check(&self, status: ExitStatus, printed: Option<&str>) -> Result<(), String> {
        let excuse =
            self.excuse.filter(|excuse| printed.is_some_and(|printed| printed.contains(excuse.printed)));
        match excuse {
            Some(excuse) if !status.success() => {
                eprintln!("notice: {}", excuse.notice);
                return Ok(());
            }
            _ => eprint!("{}", printed.unwrap_or_default()),
        }
        if status.success() { Ok(()) } else { Err(self.failed(&status)) }
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> String {
        format!("{} failed: {why}.", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(step: &Step) -> Result<Duration, String> {
        step.run(&crate::repository::root())
    }

    #[test]
    fn failed_step_returns_the_exit_status() {
        let step = Step::new("try", 10, Program::Shell, &["-c", "exit 3"]);
        assert_eq!(run(&step), Err("try failed: exit status: 3.".to_owned()));
    }

    #[test]
    fn step_far_over_its_budget_is_stopped() {
        let started = Instant::now();
        let step = Step::new("try", 0, Program::Shell, &["-c", "exec sleep 60"]);
        let expected = "try took longer than 4 times its budget of 0 s: make it faster, or raise the budget in xtask/src/ci.rs.";
        assert_eq!(run(&step), Err(expected.to_owned()));
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn step_beside_another_one_keeps_its_output_and_fails() {
        let step = Step::new("try beside", 10, Program::Shell, &["-c", "echo kept; exit 4"]).beside_next();
        assert_eq!(run(&step), Err("try beside failed: exit status: 4.".to_owned()));
        let log = crate::repository::root().join("target/tools/try beside.log");
        assert_eq!(std::fs::read_to_string(log).expect("the log exists"), "kept\n");
    }

    #[test]
    fn only_the_named_failure_is_excused() {
        let unreachable =
            Step::new("try excused", 10, Program::Shell, &["-c", "echo no database >&2; exit 1"]);
        assert!(run(&unreachable.unless("no database", "try: not reachable")).is_ok());
        let vulnerable = Step::new("try found", 10, Program::Shell, &["-c", "echo vulnerable >&2; exit 1"]);
        let outcome = run(&vulnerable.unless("no database", "try: not reachable"));
        assert_eq!(outcome, Err("try found failed: exit status: 1.".to_owned()));
    }
}
