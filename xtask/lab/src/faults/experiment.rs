//! One fault under load, and the comparison of what clients see with what they may see.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::database::Database;
use super::load::{Load, PAUSE, Seen};
use crate::connection::Connection;

/// Number of consecutive responses with status 200 after which the server counts as recovered.
const RECOVERED_AFTER: usize = 40;
/// Time between two looks, in milliseconds.
const POLL_MILLISECONDS: u64 = 10;

/// One fault.
pub(super) struct Experiment {
    pub(super) name: &'static str,
    pub(super) cause: fn(&Database) -> Result<(), String>,
    pub(super) fix: fn(&Database) -> Result<(), String>,
    /// Time between cause and fix, in milliseconds.
    pub(super) milliseconds: u64,
    /// The statuses that clients may see besides 200.
    pub(super) allowed: &'static [u16],
    /// A status that some client must see during the fault, which proves that the fault had an effect.
    pub(super) expected: Option<u16>,
    /// The status of `/ready` at the end of the fault; `None` if any.
    pub(super) ready: Option<u16>,
}

/// Maximum time from the fix until the server answers every request.
const RECOVERY_TIME_MAX: Duration = Duration::from_secs(10);

impl Experiment {
    /// Returns a summary for people.
    pub(super) fn run(&self, database: &Database, base: &str, token: &str) -> Result<String, String> {
        let load = Load::start(base, token, PAUSE)?;
        let caused = (self.cause)(database);
        sleep(Duration::from_millis(self.milliseconds));
        let ready = Connection::open(base).and_then(|mut connection| connection.get("/ready", token));
        let fixed = (self.fix)(database);
        let recovery = Experiment::until_recovered(&load, RECOVERY_TIME_MAX);
        let seen = load.stop()?;
        caused?;
        fixed?;
        let ready = ready?.status;
        let summary = format!("{seen}, /ready {ready}, recovered after {} ms", recovery?.as_millis());
        let problem = self.problem(&seen, ready);
        problem.map_or(Ok(summary.clone()), |problem| Err(format!("{problem}: {summary}")))
    }

    /// Waits until the last responses all have status 200. Returns the time that this took.
    fn until_recovered(load: &Load, limit: Duration) -> Result<Duration, String> {
        let started = Instant::now();
        load.reset_streak();
        while load.streak() < RECOVERED_AFTER {
            if started.elapsed() > limit {
                return Err(format!("the server has not recovered after {} s", limit.as_secs()));
            }
            sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        Ok(started.elapsed())
    }

    fn problem(&self, seen: &Seen, ready: u16) -> Option<String> {
        let forbidden = seen.statuses().find(|status| *status != 200 && !self.allowed.contains(status));
        if let Some(problem) = seen.problem() {
            return Some(problem.to_owned());
        }
        if let Some(status) = forbidden {
            return Some(format!("status {status} must not occur"));
        }
        if let Some(expected) =
            self.expected.filter(|expected| !seen.statuses().any(|status| status == *expected))
        {
            return Some(format!("no response has status {expected}"));
        }
        let expected = self.ready.filter(|expected| *expected != ready)?;
        Some(format!("/ready must have status {expected}"))
    }
}
