//! `cargo lab load`: measures the server against hostile clients and failing databases, and writes the figures into
//! `xtask/lab/load/results.md`.
//!
//! A scenario is one function of `SCENARIOS`. Servers have the defaults of all settings unless the scenario says
//! otherwise, and run in the release build on a private PostgreSQL below `target/load`. Everything stays on loopback
//! addresses. Attackers are processes of their own that run while no other process wants a processor, because they would
//! be other machines.

pub(crate) mod attack;
mod attacker;
mod cluster;
mod failover;
mod frames;
pub(crate) mod honest;
pub(crate) mod metrics;
mod postgres_probe;
mod recovery;
mod report;
mod setting;
mod soak;
pub(crate) mod sockets;
pub(crate) mod tokens;
mod users;
mod watch;

use std::path::Path;

use crate::bench::figures::Outcome;
use crate::command::{build_distribution, print_line, run_optimised};
use setting::Setting;

pub(crate) use attacker::run as run_attacker;

/// One measurement.
struct Scenario {
    name: &'static str,
    title: &'static str,
    run: fn(&Setting) -> Result<Outcome, String>,
}

const SCENARIOS: &[Scenario] = &[
    Scenario { name: "unread", title: "1,024 sockets that never read", run: sockets::unread },
    Scenario { name: "idle", title: "20,000 attempted idle sockets", run: sockets::idle },
    Scenario { name: "calls", title: "tool calls with 30,000 unknown arguments", run: sockets::calls },
    Scenario { name: "slowhttptest", title: "slowhttptest: headers, body, read", run: sockets::slowhttptest },
    Scenario { name: "frames", title: "floods of HTTP/2 frames", run: sockets::frames },
    Scenario { name: "tokens", title: "a million unknown tokens", run: tokens::unknown },
    Scenario { name: "heavy", title: "16 parallel heavy requests of one user", run: users::heavy },
    Scenario { name: "recurring", title: "8 parallel analyses of recurring payments", run: users::recurring },
    Scenario { name: "kill", title: "PostgreSQL killed under load", run: recovery::kill },
    Scenario { name: "promotion", title: "a standby promoted under load", run: recovery::promotion },
    Scenario { name: "failover", title: "Patroni with three nodes under load", run: failover::patroni },
    Scenario { name: "soak", title: "20 minutes of honest requests", run: soak::soak },
];

/// Runs the scenarios whose names start with one of the words, and writes the figures of all stored results with
/// `--write`.
///
/// # Errors
/// A failed build, a scenario that could not be measured, or a figure beyond its bound.
pub(crate) fn run(root: &Path, words: &[String]) -> Result<(), String> {
    let is_write = |word: &String| word == "--write";
    let prefixes: Vec<&String> = words.iter().filter(|word| !is_write(word)).collect();
    let is_selected = |scenario: &&Scenario| {
        prefixes.is_empty() || prefixes.iter().any(|prefix| scenario.name.starts_with(prefix.as_str()))
    };
    let selected: Vec<&Scenario> = SCENARIOS.iter().filter(is_selected).collect();
    if selected.is_empty() {
        let names: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
        return Err(format!("no scenario is selected; the scenarios are {}", names.join(", ")));
    }
    if cfg!(debug_assertions) {
        return run_release_build(root, words);
    }
    let setting = Setting::start(root)?;
    let mut failed = Vec::new();
    for scenario in selected {
        print_line(&format!("-- {}: {}", scenario.name, scenario.title));
        match (scenario.run)(&setting) {
            Ok(outcome) => {
                outcome.print();
                report::store(&setting, scenario.name, &outcome)?;
                if !outcome.verdicts.iter().all(crate::bench::figures::Verdict::is_met) {
                    failed.push(scenario.name);
                }
            }
            Err(problem) => {
                print_line(&format!("  FAILED: {problem}"));
                failed.push(scenario.name);
            }
        }
    }
    if words.iter().any(is_write) {
        report::write_section(&setting, SCENARIOS.iter().map(|scenario| (scenario.name, scenario.title)))?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("load: not as it must be: {}", failed.join(", "))) }
}

/// Builds the programs, and runs this command again in the optimised program.
fn run_release_build(root: &Path, words: &[String]) -> Result<(), String> {
    build_distribution(root, &["passbook-server", "passbook-admin"])?;
    run_optimised(root, "load", words)
}
