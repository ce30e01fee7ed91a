//! `cargo lab bench`: measures the server against references in the same run, and writes `docs/performance.md`.
//!
//! A scenario is one function in `xtask/lab/src/bench/scenarios`. It alternates the server and its references on the same
//! private PostgreSQL, and returns figures and verdicts. All files are under `target/bench`; the databases stay there for
//! later runs. The load generator is part of this program: blocking connections that stay open, one thread each, which
//! cost about as much processor time as those of `pgbench`.

mod alternation;
mod capture;
mod child;
pub(crate) mod cpu;
pub(crate) mod data;
pub(crate) mod figures;
mod http;
mod load;
mod options;
mod pgbench;
pub(crate) mod postgres;
mod report;
mod scenarios;
mod setting;

use std::path::Path;

use options::Options;
use postgres::Postgres;
use scenarios::{SCENARIOS, Scenario};
use setting::Setting;

use crate::command::{DISTRIBUTION, build_distribution, build_lab, create_folder, print_line, run_optimised};

/// Runs the selected scenarios, prints their figures and stores their results.
///
/// # Errors
/// An unknown option, a failed build, or the scenarios that failed. An unmet bound is no error.
pub(crate) fn run(root: &Path, words: &[String]) -> Result<(), String> {
    let options = Options::parse(words)?;
    let selected: Vec<&Scenario> =
        SCENARIOS.iter().filter(|scenario| options.selects(scenario.name)).collect();
    if selected.is_empty() {
        let names: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
        return Err(format!("no scenario is selected; the scenarios are {}", names.join(", ")));
    }
    if cfg!(debug_assertions) && !options.no_build {
        return run_release_build(root, words);
    }
    let work = root.join("target/bench");
    create_folder(&work.join("settings"))?;
    create_folder(&work.join("results"))?;
    let postgres = Postgres::start(&work.join("postgres"))?;
    let setting = Setting { root: root.to_path_buf(), work, options, postgres };
    let mut failed = Vec::new();
    for scenario in selected {
        print_line(&format!("-- {}: {}", scenario.name, scenario.title));
        match (scenario.run)(&setting) {
            Ok(outcome) => {
                outcome.print();
                // Figures of a smaller data set must not get onto the page.
                if setting.options.scale == 1 {
                    report::store(&setting, scenario, &outcome)?;
                }
            }
            Err(problem) => {
                print_line(&format!("FAILED: {problem}"));
                failed.push(scenario.name);
            }
        }
    }
    if setting.options.write {
        report::write_page(&setting)?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("bench: failed: {}", failed.join(", "))) }
}

/// Builds the programs, and runs this command again in the optimised program.
fn run_release_build(root: &Path, words: &[String]) -> Result<(), String> {
    build_distribution(root, &["passbook-server", "passbook-admin"])?;
    build_lab(root, DISTRIBUTION, &["--example", "bare_handler", "--example", "bare_page"])?;
    run_optimised(root, "bench", words)
}
