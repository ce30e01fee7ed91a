//! `cargo xtask ci`: runs every check except the tests of the workspace, in order, each with a time budget.
//!
//! Clippy checks the whole workspace with the features of `cargo test --workspace`, so that build scripts and
//! procedural macros are compiled once for both. For the same reason no step sets flags that change all fingerprints.

mod programs;
mod step;
mod tool;

use std::path::Path;
use std::time::{Duration, Instant};

use step::{Program, Step};
use tool::{CARGO_DENY, CARGO_SHEAR, LYCHEE};

const fn cargo(name: &'static str, seconds: u64, arguments: &'static str) -> Step {
    Step::new(name, seconds, Program::Cargo, arguments)
}

const fn lab(name: &'static str, seconds: u64, arguments: &'static str) -> Step {
    Step::new(name, seconds, Program::Lab, arguments)
}

/// The steps with their budgets in seconds, for two cores with cached downloads and built tests.
const STEPS: &[Step] = &[
    cargo("formatting", 30, "fmt --all --check"),
    cargo("lints", 150, "clippy --workspace --all-targets -- -D warnings"),
    // Every warning of rustdoc is an error (`Cargo.toml`, lints of rustdoc).
    cargo("documentation", 60, "doc --workspace --no-deps --lib --quiet"),
    // Compiles the serving path alone: the writers must be absent from the build, not only unused. The export of spans,
    // which no other step compiles, needs no writer.
    cargo(
        "lints without writers",
        80,
        "clippy --package passbook-server --no-default-features --features opentelemetry -- \
         -D warnings",
    ),
    Step::new("tidy", 40, Program::Xtask, "tidy"),
    Step::new(
        "links",
        20,
        Program::Tool(&LYCHEE),
        "--offline --include-fragments --no-progress *.md docs/**/*.md",
    ),
    // The programs that these tests start are built by the tests of the workspace.
    cargo("tests with other programs", 90, "test --workspace --test programs --test system"),
    // The tests of isolation and the random tests of the README's command, with all cases.
    cargo(
        "thorough random tests",
        320,
        "test --workspace --test programs --test it -- \
         isolation:: grants::revocation:: derived::every_ derived::statements_in_ derived::writers:: \
         conformance::answers_of_ tools::tool_route_parity:: tools::response_size::largest_ \
         roles::each_ roles::objects::every_ loading::household:: cases_of_loads",
    )
    .with("PASSBOOK_TEST_THOROUGH"),
    // The tests of derived data, on a schema whose transactions are in four hash partitions (`tests/src/database.rs`).
    cargo(
        "partitioned transactions",
        20,
        "test --workspace --test programs --test it -- \
         derived::deriving_ derived::every_ derived::rates:: derived::statements_in_ \
         derived::writer",
    )
    .with("PASSBOOK_TEST_PARTITIONED"),
    // Creates every package that can be published, from the downloaded index of the registry, and compiles none.
    cargo("packages", 20, "package --workspace --no-verify --allow-dirty --offline --quiet"),
    Step::new("dependencies", 20, Program::Tool(&CARGO_DENY), "check bans licenses sources"),
    Step::new("unused dependencies", 20, Program::Tool(&CARGO_SHEAR), "--locked --deny-warnings"),
    Step::new("advisories", 30, Program::Tool(&CARGO_DENY), "check advisories")
        .unless("failed to fetch advisory database", "advisories: database not reachable"),
    cargo("formatting of the lab", 10, "fmt --manifest-path xtask/lab/Cargo.toml --check"),
    cargo(
        "lints of the lab",
        60,
        "clippy --manifest-path xtask/lab/Cargo.toml --target-dir target --all-targets -- \
         -D warnings",
    ),
    cargo("tests of the lab", 60, "test --manifest-path xtask/lab/Cargo.toml --target-dir target"),
    cargo("lab", 30, "build --quiet --manifest-path xtask/lab/Cargo.toml --target-dir target"),
    lab("contract", 10, "contract"),
    // Both compile the serving crates in a copy of the repository, with one build folder.
    lab("adding an operation", 80, "checklist compile"),
    lab("following minor version", 30, "minor-version"),
    lab("deployment", 20, "deploy-check"),
    // Waits for downloads and browsers, while the steps up to the faults use the processors.
    lab("clients", 560, "clients").beside_next(7),
    // Installs the independent readers of bank files, which takes a minute of this budget.
    lab("oracle", 230, "oracle"),
    // Reads the ledgers that the step before generated.
    lab("identity of imported rows", 30, "evaluate matching"),
    lab("balances of days", 30, "evaluate balances"),
    lab("recurring payments", 40, "evaluate recurring"),
    // In an ordinary run the tests of both, which are already built, send a few thousand messages and files.
    lab("malformed messages", 40, "fuzz mcp --seconds 20"),
    lab("damaged files", 40, "fuzz statements --seconds 20"),
    // Uses the programs that the clients built, minutes before.
    lab("faults", 210, "faults"),
];

/// Installs the missing programs, and runs every step. Stops at the first that fails.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let started = Instant::now();
    programs::install()?;
    let mut rest = STEPS;
    while let Some((step, later)) = rest.split_first() {
        let (beside, later) = later.split_at(step.beside);
        rest = later;
        std::thread::scope(|scope| {
            let long = scope.spawn(|| announce(step, root));
            let ended = beside.iter().try_for_each(|step| announce(step, root));
            // Both end before a failure is returned, so that no program is left.
            long.join().map_err(|_| "a step panicked".to_owned())?.and(ended)
        })?;
    }
    eprintln!("== ci: {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a step, and prints its name, its budget and its time.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
fn announce(step: &Step, root: &Path) -> Result<(), String> {
    eprintln!("== {} (at most {} s)", step.name, step.seconds);
    let taken = step.run(root)?;
    let over = if taken > Duration::from_secs(step.seconds) { ", over its budget" } else { "" };
    eprintln!("== {}: {:.1} s of {} s{over}", step.name, taken.as_secs_f64(), step.seconds);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_of_all_steps_are_at_most_forty_minutes() {
        let seconds: u64 = STEPS.iter().map(|step| step.seconds).sum();
        assert!(seconds <= 40 * 60, "{seconds} s");
    }
}
