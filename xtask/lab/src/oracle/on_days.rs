//! Runs `xtask/lab/programs/on_days.rs`, which serves the users' data as of earlier days.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::folders::Folders;
use super::household::Person;
use crate::command::{print_line, write_private};

/// The days whose holdings are compared. The exchange rates end too early for the last day.
const DAYS: [&str; 5] = ["2023-06-30", "2024-12-31", "2025-06-30", "2026-03-31", "2026-10-31"];

/// The running example program. Dropping it without [`OnDays::stop`] kills the process.
#[derive(Debug)]
pub(super) struct OnDays {
    child: Child,
    views: Vec<Value>,
}

impl OnDays {
    /// Starts the example program, and waits until it prints its views.
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
        let output = days.child.stdout.take().ok_or("the program's standard output is not a pipe")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        read.map_err(|error| format!("{}: {error}", program.display()))?;
        // The plan contains tokens.
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        days.views =
            serde_json::from_str(&line).map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(days)
    }

    /// Returns the views that the program serves, each with user, day, base address and token.
    pub(super) fn views(&self) -> &[Value] {
        &self.views
    }

    /// Closes the program's standard input, and waits for its end.
    pub(super) fn stop(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_err(|error| format!("on_days: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("on_days ended with {status}")) }
    }
}

impl Drop for OnDays {
    fn drop(&mut self) {
        // After `stop` the process has already ended.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
