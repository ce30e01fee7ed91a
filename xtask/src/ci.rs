//! `cargo xtask ci`: everything that must hold besides the tests, in order, each step within a stated time.
//!
//! Clippy checks the whole workspace with the features that `cargo test --workspace` unifies, so that build scripts
//! and procedural macros are compiled once for both. Flags that would change every fingerprint are not set.

mod deny;
mod step;

use std::path::Path;
use std::time::{Duration, Instant};

use step::{Program, Step};

/// The steps and the seconds each may take on two cores, with downloads cached and nothing built but the tests.
const STEPS: [Step; 10] = [
    Step::new("formatting", 30, Program::Cargo, &["fmt", "--all", "--check"]),
    Step::new(
        "lints",
        240,
        Program::Cargo,
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    ),
    // The serving path alone: the feature must be absent from what is compiled, not only unused.
    Step::new(
        "lints without writers",
        100,
        Program::Cargo,
        &["clippy", "--package", "passbook-server", "--no-default-features", "--", "-D", "warnings"],
    ),
    Step::new("tidy", 20, Program::Xtask, &["tidy"]),
    Step::new("dependencies", 60, Program::Deny, &["check", "bans", "licenses", "sources"]),
    Step::new("advisories", 30, Program::Deny, &["check", "advisories"])
        .unless("failed to fetch advisory database", "advisories: database not reachable"),
    Step::new("oracle", 160, Program::Xtask, &["oracle"]),
    // Over the oracle's ledgers, which are there by now.
    Step::new("recurring payments", 60, Program::Xtask, &["evaluate", "recurring"]),
    Step::new("clients", 360, Program::Xtask, &["clients"]),
    // The tests are built by then; a minute of cases beyond those that they send.
    Step::new("broken messages", 120, Program::Xtask, &["fuzz", "mcp", "--seconds", "60"]),
];

/// Runs every step and stops at the first that fails or takes too long.
#[expect(clippy::print_stderr, reason = "each step is announced to the person at the terminal")]
pub fn run(root: &Path) -> Result<(), String> {
    let started = Instant::now();
    for step in &STEPS {
        eprintln!("== {} (at most {} s)", step.name, step.seconds);
        let taken = step.run(root)?;
        let over = if taken > Duration::from_secs(step.seconds) { ", over its budget" } else { "" };
        eprintln!("== {}: {} s of {} s{over}", step.name, tenths(taken), step.seconds);
    }
    eprintln!("== ci: {} s", tenths(started.elapsed()));
    Ok(())
}

fn tenths(duration: Duration) -> String {
    format!("{:.1}", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything together, the tests of `.ci/run` included, is meant to take half an hour. The budgets are what a slow
    /// machine may need, so they alone may add up to that.
    #[test]
    fn the_steps_together_take_at_most_half_an_hour() {
        let seconds: u64 = STEPS.iter().map(|step| step.seconds).sum();
        assert!(seconds <= 30 * 60, "{seconds} s");
    }
}
