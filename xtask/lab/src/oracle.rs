//! `cargo lab oracle`: compares the amounts that the server returns with the results of independent programs.
//!
//! Totals are compared with Beancount's and with an exact sum in two currencies. Holdings on several days, and their
//! values at the ends of months, are compared with bean-query. So are the figures of the example ledger in the documents.
//!
//! The bookings of bank files are compared with those of independent readers (`statements`).
//!
//! All files are under `target/oracle`: a Python environment with the pinned packages of
//! `xtask/lab/oracle/requirements.txt`, three generated ledgers and the example, and a data folder that is new in each run. `passbook-admin`
//! loads the ledgers, the server serves them on a free loopback port, and `xtask/lab/oracle/compare.py` reads them over
//! HTTP. Every process is stopped at the end of the run, also after a failure.

mod folders;
mod household;
mod on_days;
pub(crate) mod statement_rows;
mod statements;

use std::path::{Path, PathBuf};

use folders::Folders;
use household::{Person, environment, people};
use on_days::OnDays;

use crate::command::{self, create_folder, print_line, run_quietly, run_shown};
use crate::server::Server;

/// Seeds of the generated ledgers.
const SEEDS: [&str; 3] = ["42", "7", "1"];

/// Runs the comparison.
///
/// # Errors
/// The step that failed, or the number of values that differ.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let folders = Folders { root: root.to_path_buf(), work: root.join("target/oracle") };
    prepare(&folders)?;
    statements::prepare(&folders)?;
    let build = ["build", "--quiet", "--bin", "passbook-server", "--bin", "passbook-admin"];
    // The workspace is built with the features of the tests, so nothing is built twice.
    let build = [&build[..], &["--features", "passbook-tests/lab", "--example", "on_days"]].concat();
    print_line("building passbook-server, passbook-admin and the example on_days");
    run_shown("cargo", &build, &folders.root)?;
    statements::compare(&folders)?;
    let people = people(&folders)?;
    let on_days = OnDays::start(&folders, &people)?;
    let server = Server::start(&folders.binary("passbook-server"), &[], &environment(&folders))?;
    print_line(&format!("comparing with {}", server.base()));
    let plan = plan(&folders, server.base(), &people, on_days.views())?;
    let compared = run_shown(
        &folders.python().display().to_string(),
        &[&folders.script("compare.py").display().to_string(), &plan.display().to_string()],
        &folders.root,
    );
    // The plan contains tokens.
    std::fs::remove_file(&plan).map_err(|error| format!("{}: {error}", plan.display()))?;
    let stopped = server.stop();
    compared.and(on_days.stop()).and(stopped)
}

/// Returns the bank and card statements of each generated ledger, as JSON.
pub(crate) fn statements(root: &Path) -> Result<Vec<String>, String> {
    let folders = Folders { root: root.to_path_buf(), work: root.join("target/oracle") };
    prepare(&folders)?;
    let script = root.join("xtask/lab/evaluate/statement.py").display().to_string();
    let python = folders.python().display().to_string();
    let statement = |seed| run_quietly(&python, &[&script, &folders.ledger(seed).display().to_string()], &[]);
    SEEDS.into_iter().map(statement).collect()
}

/// Installs the Python environment, and generates the ledgers and the rates. Existing ones are reused.
fn prepare(folders: &Folders) -> Result<(), String> {
    create_folder(&folders.work)?;
    create_folder(&folders.work.join("ledgers"))?;
    create_folder(&folders.settings())?;
    folders.environment().install(&folders.script("requirements.txt"))?;
    for seed in SEEDS {
        generate(folders, seed)?;
    }
    write_example(folders)?;
    let ledgers = ["7", "7-eur", "42", "42-rates"].map(|name| folders.ledger(name));
    let [dollars, euros, unrated, rated] = ledgers;
    let paths = [folders.script("prepare.py"), dollars, euros, unrated, rated, folders.rates()];
    let arguments: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_quietly(&folders.python().display().to_string(), &arguments, &[]).map(drop)
}

/// Writes the example ledger of the documents into a file.
fn write_example(folders: &Folders) -> Result<(), String> {
    let page = folders.page();
    let text = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    let example = text.split_once("```beancount\n").and_then(|(_, rest)| rest.split_once("```"));
    let (example, _) = example.ok_or_else(|| format!("{}: no beancount block", page.display()))?;
    let file = folders.ledger("example");
    std::fs::write(&file, example).map_err(|error| format!("{}: {error}", file.display()))
}

fn generate(folders: &Folders, seed: &str) -> Result<(), String> {
    let file = folders.ledger(seed);
    if file.exists() {
        return Ok(());
    }
    print_line(&format!("generating ledger {seed}"));
    let program = folders.programs().join("bean-example").display().to_string();
    // The file is renamed when it is complete: an interrupted run must not leave a partial ledger.
    let partial = file.with_extension("partial");
    let output = partial.display().to_string();
    let span = ["--date-begin", "2022-11-21", "--date-end", "2026-11-20", "--date-birth", "1985-06-15"];
    let arguments = [&span[..], &["--seed", seed, "--output", &output]].concat();
    run_quietly(&program, &arguments, &[])?;
    std::fs::rename(&partial, &file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Writes the input of `compare.py` into a file that only its owner can read.
fn plan(
    folders: &Folders,
    base: &str,
    people: &[Person],
    on_days: &[serde_json::Value],
) -> Result<PathBuf, String> {
    let people: Vec<serde_json::Value> = people.iter().map(|person| person.plan(folders)).collect();
    let programs = folders.programs().display().to_string();
    let page = folders.page().display().to_string();
    let plan = serde_json::json!({
        "base": base, "programs": programs, "page": page, "people": people, "on_days": on_days
    });
    let file = folders.work.join("plan.json");
    command::write_private(&file, &plan.to_string())?;
    Ok(file)
}
