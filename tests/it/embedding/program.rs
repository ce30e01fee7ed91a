//! Running a host.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use domain::scope::Surface;
use operations::Entry;

/// A host that runs until the test is over.
pub(super) struct Host {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Host {
    /// Starts a host with nothing in its environment but this.
    pub(super) fn start(package: &str, environment: &[(&str, &str)]) -> Host {
        let mut child = command(package, environment, &[]).spawn().expect("the host starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        Host { child, lines }
    }

    /// The next line that it says.
    pub(super) fn line(&mut self) -> String {
        self.lines.next().expect("the host says a line before it ends").expect("it is text")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How to start a host.
pub(super) fn command(package: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(tests::binary(package));
    command.args(arguments).env_clear().envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A target for every operation whose answer does not depend on the day it is.
pub(super) fn targets() -> Vec<String> {
    let target = |entry: Entry| {
        let declared = entry.declarations(Surface::Rest);
        let has = |name: &str| declared.iter().any(|parameter| parameter.name == name);
        let query = match (has("dateFrom"), has("month")) {
            (true, _) => "?dateFrom=2026-11-01&dateTo=2026-11-30",
            (_, true) => "?year=2026&month=11",
            (false, false) => "",
        };
        format!("{}{query}", entry.spec.path)
    };
    Entry::all().into_iter().map(target).collect()
}
