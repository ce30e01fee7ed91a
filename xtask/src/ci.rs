//! `cargo xtask ci`: runs every check except the tests of the workspace, in order, each with a time budget.
//!
//! Clippy checks the whole workspace with the features of `cargo test --workspace`, so that build scripts and
//! procedural macros are compiled once for both. For the same reason no step sets flags that change all fingerprints.

mod deny;
mod step;

use std::path::Path;
use std::time::{Duration, Instant};

use step::{Program, Step};

/// The steps with their budgets in seconds, for two cores with cached downloads and built tests.
const STEPS: [Step; 17] = [
    Step::new("formatting", 30, Program::Cargo, &["fmt", "--all", "--check"]),
    Step::new(
        "lints",
        240,
        Program::Cargo,
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    ),
    // Every warning of rustdoc is an error (`Cargo.toml`, lints of rustdoc).
    Step::new("documentation", 120, Program::Cargo, &["doc", "--workspace", "--no-deps", "--lib", "--quiet"]),
    // Compiles the serving path alone: the writers must be absent from the build, not only unused. The export of spans,
    // which no other step compiles, needs no writer.
    Step::new(
        "lints without writers",
        100,
        Program::Cargo,
        &[
            "clippy",
            "--package",
            "passbook-server",
            "--no-default-features",
            "--features",
            "opentelemetry",
            "--",
            "-D",
            "warnings",
        ],
    ),
    Step::new(
        "export of spans",
        40,
        Program::Cargo,
        &[
            "test",
            "--package",
            "passbook-server",
            "--no-default-features",
            "--features",
            "opentelemetry",
            "--lib",
            "telemetry",
        ],
    ),
    // Every host resolves its own features, so this step compiles the serving crates once more.
    Step::new("hosts", 240, Program::Xtask, &["hosts"]),
    Step::new("tidy", 40, Program::Xtask, &["tidy"]),
    Step::new("deployment", 60, Program::Xtask, &["deploy-check"]),
    Step::new("dependencies", 60, Program::Deny, &["check", "bans", "licenses", "sources"]),
    Step::new("advisories", 30, Program::Deny, &["check", "advisories"])
        .unless("failed to fetch advisory database", "advisories: database not reachable"),
    // Installs the independent readers of bank files, which takes a minute of this budget.
    Step::new("oracle", 300, Program::Xtask, &["oracle"]),
    // Reads the ledgers that the step before generated.
    Step::new("identity of imported rows", 60, Program::Xtask, &["evaluate", "identity"]),
    Step::new("recurring payments", 60, Program::Xtask, &["evaluate", "recurring"]),
    Step::new("clients", 600, Program::Xtask, &["clients"]),
    // Uses the programs that the step before built.
    Step::new("faults", 180, Program::Xtask, &["faults"]),
    // Sends messages for one minute. The tests, which send a few thousand, are already built.
    Step::new("malformed messages", 120, Program::Xtask, &["fuzz", "mcp", "--seconds", "60"]),
    // Reads files for one minute.
    Step::new("damaged files", 120, Program::Xtask, &["fuzz", "formats", "--seconds", "60"]),
];

/// Runs every step. Stops at the first that fails.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
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

    /// The maximum sum of the budgets. A budget is the time that a slow machine needs.
    const SECONDS_MAX: u64 = 40 * 60;

    #[test]
    fn budgets_of_all_steps_are_at_most_forty_minutes() {
        let seconds: u64 = STEPS.iter().map(|step| step.seconds).sum();
        assert!(seconds <= SECONDS_MAX, "{seconds} s");
    }
}
