//! One step of CI: a program, its arguments, and the time it may take.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::deny;

const POLL_MILLISECONDS: u64 = 50;
/// A busy machine may take longer than a budget, and that is said; at this many budgets a step is stopped.
const BUDGETS_MAX: u64 = 4;

/// Which program a step runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program {
    Cargo,
    /// This one, as a process of its own, so that the budget holds for it too.
    Xtask,
    Deny,
    #[cfg(test)]
    Shell,
}

/// A step, its budget, and the failure that is only worth a notice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) seconds: u64,
    program: Program,
    arguments: &'static [&'static str],
    excuse: Option<Excuse>,
}

/// What the program says when it could not do its work for want of something outside.
#[derive(Clone, Copy, Debug)]
struct Excuse {
    said: &'static str,
    notice: &'static str,
}

impl Step {
    pub(super) const fn new(
        name: &'static str,
        seconds: u64,
        program: Program,
        arguments: &'static [&'static str],
    ) -> Step {
        Step { name, seconds, program, arguments, excuse: None }
    }

    /// A failure in which the program says this is reported and passed over.
    pub(super) const fn unless(self, said: &'static str, notice: &'static str) -> Step {
        Step { excuse: Some(Excuse { said, notice }), ..self }
    }

    /// How long it took. The error is a sentence that says what failed, or that the budget did not suffice.
    pub(super) fn run(&self, root: &Path) -> Result<Duration, String> {
        let started = Instant::now();
        let mut command = match self.program {
            Program::Cargo => Command::new(crate::cargo()),
            Program::Xtask => Command::new(std::env::current_exe().map_err(|error| self.failed(&error))?),
            Program::Deny => Command::new(deny::program(root)?),
            #[cfg(test)]
            Program::Shell => Command::new("sh"),
        };
        command.args(self.arguments).current_dir(root).stdin(Stdio::null());
        let said = match self.excuse {
            None => None,
            Some(_) => Some(self.listen(&mut command, root)?),
        };
        let child = command.spawn().map_err(|error| self.failed(&error))?;
        let status = self.wait(child, started)?;
        let said = said.map(std::fs::read_to_string).transpose().map_err(|error| self.failed(&error))?;
        self.judge(status, said.as_deref())?;
        Ok(started.elapsed())
    }

    /// Sends what the program says on standard error to a file, which never fills up as a pipe does.
    fn listen(&self, command: &mut Command, root: &Path) -> Result<std::path::PathBuf, String> {
        let folder = root.join("target/tools");
        let path = folder.join(format!("{}.log", self.name));
        std::fs::create_dir_all(&folder).map_err(|error| self.failed(&error))?;
        command.stderr(File::create(&path).map_err(|error| self.failed(&error))?);
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
                    "{} took longer than {BUDGETS_MAX} times its {} seconds: make it faster, or give it more in xtask/src/ci.rs.",
                    self.name, self.seconds
                ));
            }
            std::thread::sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
    }

    #[expect(clippy::print_stderr, reason = "what a step says is for the person at the terminal")]
    fn judge(&self, status: ExitStatus, said: Option<&str>) -> Result<(), String> {
        let excuse = self.excuse.filter(|excuse| said.is_some_and(|said| said.contains(excuse.said)));
        match excuse {
            Some(excuse) if !status.success() => {
                eprintln!("notice: {}", excuse.notice);
                return Ok(());
            }
            _ => eprint!("{}", said.unwrap_or_default()),
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
        step.run(&crate::root())
    }

    #[test]
    fn a_step_that_fails_says_so() {
        let step = Step::new("try", 10, Program::Shell, &["-c", "exit 3"]);
        assert_eq!(run(&step), Err("try failed: exit status: 3.".to_owned()));
    }

    #[test]
    fn a_step_far_over_its_budget_is_stopped() {
        let started = Instant::now();
        let step = Step::new("try", 0, Program::Shell, &["-c", "exec sleep 60"]);
        let expected =
            "try took longer than 4 times its 0 seconds: make it faster, or give it more in xtask/src/ci.rs.";
        assert_eq!(run(&step), Err(expected.to_owned()));
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn only_the_stated_failure_is_excused() {
        let unreachable =
            Step::new("try excused", 10, Program::Shell, &["-c", "echo no database >&2; exit 1"]);
        assert!(run(&unreachable.unless("no database", "try: not reachable")).is_ok());
        let vulnerable = Step::new("try found", 10, Program::Shell, &["-c", "echo vulnerable >&2; exit 1"]);
        let outcome = run(&vulnerable.unless("no database", "try: not reachable"));
        assert_eq!(outcome, Err("try found failed: exit status: 1.".to_owned()));
    }
}
