//! Runs an example host.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use passbook_domain::scope::Surface;
use passbook_operations::Entry;

/// A running host, which is killed when the value is dropped.
pub(super) struct Host {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Host {
    /// Starts a host with the given environment variables only.
    pub(super) fn start(package: &str, environment: &[(&str, &str)]) -> Host {
        let mut child = command(package, environment, &[]).spawn().expect("the host starts");
        let lines = BufReader::new(child.stdout.take().expect("standard output is a pipe")).lines();
        Host { child, lines }
    }

    /// The next line of standard output.
    pub(super) fn line(&mut self) -> String {
        self.lines.next().expect("the host prints a line before it ends").expect("the line is text")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Killing fails if the host has already ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that starts a host.
pub(super) fn command(package: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(tests::binary(package));
    command.args(arguments).env_clear().envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A file with the rows of the in-memory ledger of the hosts.
pub(super) fn ledger_file(rows: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), rows).expect("the file is written");
    file
}

/// A request for every operation, with parameters that make the response independent of the current day.
pub(super) fn targets() -> Vec<String> {
    let target = |entry: Entry| {
        let declared = entry.declarations(Surface::Rest);
        let has = |name: &str| declared.iter().any(|parameter| parameter.name == name);
        let query = match (has("dateFrom"), has("month"), has("asOf")) {
            (true, ..) => "?dateFrom=2026-11-01&dateTo=2026-11-30",
            (_, true, _) => "?year=2026&month=11",
            (.., true) => "?asOf=2026-11-21",
            (false, false, false) => "",
        };
        format!("{}{query}", entry.spec.path)
    };
    Entry::all().into_iter().map(target).collect()
}
