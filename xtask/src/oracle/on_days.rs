//! The people of the comparison as they were on earlier days: `tests/examples/on_days.rs`, started and stopped.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::folders::Folders;
use super::household::Person;
use crate::command::{print_line, write_private};

/// The days on which everything that is held is compared. On the last no rate is stored that is young enough.
const DAYS: [&str; 5] = ["2023-06-30", "2024-12-31", "2025-06-30", "2026-03-31", "2026-10-31"];

/// The running program. Dropped without [`OnDays::stop`], it is killed.
#[derive(Debug)]
pub(super) struct OnDays {
    child: Child,
    views: Vec<Value>,
}

impl OnDays {
    /// Starts it and waits until it says where to ask about whom.
    pub(super) fn start(folders: &Folders, people: &[Person]) -> Result<OnDays, String> {
        let people: Vec<Value> = people.iter().map(|person| person.plan(folders)).collect();
        let rates = folders.rates().display().to_string();
        let plan = serde_json::json!({ "rates": rates, "days": DAYS, "people": people });
        let file = folders.work.join("days.json");
        write_private(&file, &plan.to_string())?;
        print_line(&format!("importing every ledger as of {}", DAYS.join(", ")));
        let program = folders.binary("examples/on_days");
        let child = Command::new(&program)
            .arg(&file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let mut days = OnDays { child, views: Vec::new() };
        let output = days.child.stdout.take().ok_or("the program's output is piped")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        read.map_err(|error| format!("{}: {error}", program.display()))?;
        // It holds tokens.
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        days.views =
            serde_json::from_str(&line).map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(days)
    }

    /// Where to ask about whom: person, day, base and token.
    pub(super) fn views(&self) -> &[Value] {
        &self.views
    }

    /// Ends the program and waits for its end.
    pub(super) fn stop(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_err(|error| format!("on_days: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("on_days ended with {status}")) }
    }
}

impl Drop for OnDays {
    fn drop(&mut self) {
        // Already gone after `stop`.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
