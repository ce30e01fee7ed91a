//! Runs one step of CI: a program with arguments and a time budget.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::tool::Tool;

const POLL_MILLISECONDS: u64 = 50;
/// Multiple of its time budget after which a step is stopped. A step that exceeds its budget by less only gets a
/// notice: the machine may be busy.
const BUDGETS_MAX: u64 = 4;

/// The program that a step runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program {
    Cargo,
    /// The program `xtask`, as a process of its own, so that it can be stopped.
    Xtask,
    /// The program `lab`, which an earlier step has built.
    Lab,
    /// A program that is installed if it is missing.
    Tool(&'static Tool),
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
    /// The arguments, separated by spaces. For a shell, its script.
    arguments: &'static str,
    /// Text in the output that identifies a failure outside of the repository, which only prints the notice beside it.
    excuse: Option<(&'static str, &'static str)>,
    /// The environment variable that is set to 1.
    variable: Option<&'static str>,
    /// Number of the following steps that run, one after the other, at the same time as this one. Its output is printed when it
    /// has ended.
    pub(super) beside: usize,
}

impl Step {
    pub(super) const fn new(
        name: &'static str,
        seconds: u64,
        program: Program,
        arguments: &'static str,
    ) -> Step {
        Step { name, seconds, program, arguments, excuse: None, variable: None, beside: 0 }
    }

    /// Lets the step pass with a notice if the program fails and `printed` is part of its output.
    pub(super) const fn unless(self, printed: &'static str, notice: &'static str) -> Step {
        Step { excuse: Some((printed, notice)), ..self }
    }

    /// Sets an environment variable to 1.
    pub(super) const fn with(self, variable: &'static str) -> Step {
        Step { variable: Some(variable), ..self }
    }

    /// Runs the step at the same time as the next `count` steps.
    pub(super) const fn beside_next(self, count: usize) -> Step {
        Step { beside: count, ..self }
    }

    /// Runs the step. Returns its duration.
    ///
    /// # Errors
    /// The program failed, or took more than [`BUDGETS_MAX`] budgets.
    pub(super) fn run(&self, root: &Path) -> Result<Duration, String> {
        let started = Instant::now();
        let mut command = self.command(root)?;
        let log = root.join("target/tools").join(format!("{}.log", self.name));
        // A pipe that nobody reads would block the program, so a file receives the output.
        let is_logged = self.excuse.is_some() || self.beside > 0;
        let mut redirect = || {
            std::fs::create_dir_all(root.join("target/tools"))?;
            let file = File::create(&log)?;
            command.stdout(file.try_clone()?).stderr(file);
            Ok(())
        };
        if is_logged { redirect() } else { Ok(()) }.map_err(|error: std::io::Error| self.failed(&error))?;
        let status = self.wait(command.spawn().map_err(|error| self.failed(&error))?, started)?;
        let printed = if is_logged { std::fs::read_to_string(log) } else { Ok(String::new()) };
        self.check(status, &printed.map_err(|error| self.failed(&error))?)?;
        Ok(started.elapsed())
    }

    fn command(&self, root: &Path) -> Result<Command, String> {
        let mut command = match self.program {
            Program::Cargo => Command::new(crate::repository::cargo()),
            Program::Xtask => Command::new(std::env::current_exe().map_err(|error| self.failed(&error))?),
            Program::Lab => Command::new(root.join("target/debug/lab")),
            Program::Tool(tool) => Command::new(tool.find(root)?),
            #[cfg(test)]
            Program::Shell => Command::new("sh"),
        };
        match self.program {
            #[cfg(test)]
            Program::Shell => command.args(["-c", self.arguments]),
            _ => command.args(self.arguments.split_whitespace()),
        };
        command.envs(self.variable.map(|variable| (variable, "1"))).current_dir(root).stdin(Stdio::null());
        Ok(command)
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
    fn check(&self, status: ExitStatus, printed: &str) -> Result<(), String> {
        match self.excuse.filter(|(failure, _)| !status.success() && printed.contains(failure)) {
            Some((_, notice)) => eprintln!("notice: {notice}"),
            None => eprint!("{printed}"),
        }
        let passes = status.success() || self.excuse.is_some_and(|(failure, _)| printed.contains(failure));
        if passes { Ok(()) } else { Err(self.failed(&status)) }
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> String {
        format!("{} failed: {why}.", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_failure_is_excused_and_slow_steps_are_stopped() {
        let step = |name, seconds, script| Step::new(name, seconds, Program::Shell, script);
        let slow = "d took longer than 4 times its budget of 0 s: make it faster, or raise the budget in xtask/src/ci.rs.";
        let excused = |step: Step| step.unless("no database", "not reachable");
        for (step, error) in [
            (step("a", 10, "exit 3"), Some("a failed: exit status: 3.")),
            (excused(step("try b", 10, "echo no database >&2; exit 1")), None),
            (
                excused(step("try c", 10, "echo vulnerable >&2; exit 1")),
                Some("try c failed: exit status: 1."),
            ),
            (step("d", 0, "exec sleep 60"), Some(slow)),
            (step("try e", 10, "echo printed; exit 4").beside_next(1), Some("try e failed: exit status: 4.")),
        ] {
            assert_eq!(step.run(&crate::repository::root()).err().as_deref(), error);
        }
        let log = crate::repository::root().join("target/tools/try e.log");
        assert_eq!(std::fs::read_to_string(log).expect("the log exists"), "printed\n");
    }
}
