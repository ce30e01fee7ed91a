//! `cargo xtask ci`: runs every check except the tests of the workspace, in order, each with a time budget.
//!
//! Clippy checks the whole workspace with the features of `cargo test --workspace`, so that build scripts and
//! procedural macros are compiled once for both. For the same reason no step sets flags that change all fingerprints.

mod deny;
mod programs;
mod step;

use std::path::Path;
use std::time::{Duration, Instant};

use step::{Program, Step};

/// The manifest of the lab.
const LAB: &str = "xtask/lab/Cargo.toml";

/// The steps with their budgets in seconds, for two cores with cached downloads and built tests.
const STEPS: &[Step] = &[
    Step::new("formatting", 30, Program::Cargo, &["fmt", "--all", "--check"]),
    Step::new(
        "lints",
        200,
        Program::Cargo,
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    ),
    // Every warning of rustdoc is an error (`Cargo.toml`, lints of rustdoc).
    Step::new("documentation", 90, Program::Cargo, &["doc", "--workspace", "--no-deps", "--lib", "--quiet"]),
    // Compiles the serving path alone: the writers must be absent from the build, not only unused. The export of spans,
    // which only the next step compiles too, needs no writer.
    Step::new(
        "lints without writers",
        80,
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
    // Compiled as in the step before. The workspace is built with pictures and without this export.
    Step::new(
        "export of spans, tools without pictures",
        50,
        Program::Cargo,
        &[
            "test",
            "--package",
            "passbook-server",
            "--package",
            "passbook-mcp",
            "--no-default-features",
            "--features",
            "passbook-server/opentelemetry",
            "--lib",
            "--",
            "telemetry",
            "without_pictures",
        ],
    ),
    Step::new("tidy", 40, Program::Xtask, &["tidy"]),
    // The programs that these tests start are built by the tests of the workspace.
    Step::new(
        "tests with other programs",
        120,
        Program::Cargo,
        &["test", "--workspace", "--test", "programs", "--test", "system"],
    ),
    // The random tests of the README's command, with more cases.
    Step::new(
        "thorough random tests",
        300,
        Program::Tests,
        &[
            "tenant_isolation::suite::",
            "tenant_isolation::sessions::two_people_",
            "derived::every_",
            "derived::statements_in_",
            "derived::writers::",
            "invariants::",
            "mcp::tool_route_parity::",
            "mcp::response_size::largest_",
            "roles::check::each_",
            "roles::objects::every_",
        ],
    )
    .with("PASSBOOK_TEST_THOROUGH"),
    // The tests of derived data, on a schema whose transactions are in four hash partitions (`tests/src/database.rs`).
    Step::new(
        "partitioned transactions",
        60,
        Program::Tests,
        &[
            "derived::deriving_",
            "derived::every_",
            "derived::rates::",
            "derived::statements_in_",
            "derived::upserts::",
            "derived::writer",
        ],
    )
    .with("PASSBOOK_TEST_PARTITIONED"),
    Step::new("dependencies", 40, Program::Deny, &["check", "bans", "licenses", "sources"]),
    Step::new("advisories", 30, Program::Deny, &["check", "advisories"])
        .unless("failed to fetch advisory database", "advisories: database not reachable"),
    Step::new("formatting of the lab", 10, Program::Cargo, &["fmt", "--manifest-path", LAB, "--check"]),
    Step::new(
        "lints of the lab",
        60,
        Program::Cargo,
        &[
            "clippy",
            "--manifest-path",
            LAB,
            "--target-dir",
            "target",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    ),
    Step::new(
        "tests of the lab",
        60,
        Program::Cargo,
        &["test", "--manifest-path", LAB, "--target-dir", "target"],
    ),
    Step::new(
        "lab",
        30,
        Program::Cargo,
        &["build", "--quiet", "--manifest-path", LAB, "--target-dir", "target"],
    ),
    Step::new("contract", 10, Program::Lab, &["contract"]),
    // Both compile the serving crates in a copy of the repository, with one build folder.
    Step::new("adding an operation", 80, Program::Lab, &["checklist", "compile"]),
    Step::new("following minor version", 50, Program::Lab, &["minor-version"]),
    Step::new("deployment", 40, Program::Lab, &["deploy-check"]),
    // Waits for downloads and browsers, while the next step uses the processors.
    Step::new("clients", 360, Program::Lab, &["clients"]).beside_next(),
    // Installs the independent readers of bank files, which takes a minute of this budget.
    Step::new("oracle", 200, Program::Lab, &["oracle"]),
    // Reads the ledgers that the step before generated.
    Step::new("identity of imported rows", 20, Program::Lab, &["evaluate", "identity"]),
    Step::new("recurring payments", 40, Program::Lab, &["evaluate", "recurring"]),
    // Uses the programs that the clients built.
    Step::new("faults", 130, Program::Lab, &["faults"]),
    // Sends messages for one minute. The tests, which send a few thousand, are already built.
    Step::new("malformed messages", 80, Program::Lab, &["fuzz", "mcp", "--seconds", "60"]).beside_next(),
    // Reads files for one minute.
    Step::new("damaged files", 80, Program::Lab, &["fuzz", "formats", "--seconds", "60"]),
];

/// Installs the missing programs, and runs every step. Stops at the first that fails.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let started = Instant::now();
    programs::install()?;
    for together in STEPS.split_inclusive(|step| !step.is_beside) {
        std::thread::scope(|scope| {
            let running: Vec<_> = together.iter().map(|step| scope.spawn(|| announce(step, root))).collect();
            let ended =
                running.into_iter().map(|step| step.join().map_err(|_| "a step panicked".to_owned())?);
            // All end before the first failure is returned, so that no program is left.
            ended.collect::<Vec<_>>().into_iter().collect::<Result<(), String>>()
        })?;
    }
    eprintln!("== ci: {} s", tenths(started.elapsed()));
    Ok(())
}

/// Runs a step, and prints its name, its budget and its time.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
fn announce(step: &Step, root: &Path) -> Result<(), String> {
    eprintln!("== {} (at most {} s)", step.name, step.seconds);
    let taken = step.run(root)?;
    let over = if taken > Duration::from_secs(step.seconds) { ", over its budget" } else { "" };
    eprintln!("== {}: {} s of {} s{over}", step.name, tenths(taken), step.seconds);
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
