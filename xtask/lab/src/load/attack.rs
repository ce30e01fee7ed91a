//! The processes of an attack, as their parent sees them.

use std::ffi::OsStr;
use std::io::Read as _;
use std::net::Ipv4Addr;
use std::process::{Child, Command, Stdio};

/// Returns the command that runs a program only while no other process wants a processor (`SCHED_IDLE`), as if it ran on
/// another machine. A process of low priority would still finish its time slice before a process that it has woken.
pub(crate) fn attacker(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("chrt");
    command.args(["--idle", "0"]).arg(program);
    command
}

/// The first address of attackers.
const FIRST: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Running processes of an attack. Dropping the value kills them.
pub(crate) struct Attack(Vec<Child>);

/// The sums of the figures that the processes have printed.
#[derive(Debug, Default)]
pub(crate) struct Totals(Vec<(String, f64)>);

impl Attack {
    /// Starts `processes` attackers. Each has `addresses` loopback addresses of its own, after 127.0.0.1.
    /// `kind` and `arguments` select what it does.
    pub(crate) fn start(
        processes: u32,
        addresses: u32,
        kind: &str,
        arguments: &[&str],
    ) -> Result<Attack, String> {
        let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
        let mut attack = Attack(Vec::new());
        for process in 0..processes {
            let first = Ipv4Addr::from(u32::from(FIRST) + process * addresses).to_string();
            let mut command = attacker(&program);
            command.args(["load-attacker", kind, &first, &addresses.to_string()]);
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
            attack.0.push(command.spawn().map_err(|error| format!("chrt: {error}"))?);
        }
        Ok(attack)
    }

    /// Waits until every process has ended by itself, and returns its figures.
    pub(crate) fn wait(mut self) -> Result<Totals, String> {
        let mut totals = Totals::default();
        for child in &mut self.0 {
            let mut printed = String::new();
            let output = child.stdout.as_mut().ok_or("an attacker has no output")?;
            output.read_to_string(&mut printed).map_err(|error| format!("an attacker: {error}"))?;
            totals.add(&printed);
        }
        Ok(totals)
    }

    /// Ends every process, and returns its figures.
    pub(crate) fn stop(mut self) -> Result<Totals, String> {
        for child in &mut self.0 {
            drop(child.stdin.take());
        }
        self.wait()
    }
}

impl Drop for Attack {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Totals {
    fn add(&mut self, printed: &str) {
        for (name, value) in printed.lines().filter_map(|line| line.split_once(' ')) {
            let value = value.parse().unwrap_or(0.0);
            match self.0.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += value,
                None => self.0.push((name.to_owned(), value)),
            }
        }
    }

    /// Returns the sum of a figure. 0 if no process has printed it.
    pub(crate) fn value(&self, name: &str) -> f64 {
        self.0.iter().find(|(known, _)| known == name).map_or(0.0, |(_, sum)| *sum)
    }
}
