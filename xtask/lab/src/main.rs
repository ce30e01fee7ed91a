//! `cargo lab COMMAND`: measurements, attacks, and comparisons with other programs. Selects the command, runs it and
//! returns its exit code.
#![expect(clippy::print_stderr, reason = "errors are printed for the person at the terminal")]

mod bench;
mod checklist;
mod clients;
mod command;
mod connection;
mod contract;
mod debian;
mod deploy_check;
mod evaluate;
mod faults;
mod fuzz;
mod load;
mod minor_version;
mod oracle;
mod pgbouncer;
mod python;
mod random;
mod repository;
mod repository_copy;
mod semver;
mod server;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo lab COMMAND

  checklist [compile]
           follows docs/adding-an-operation.md in a copy, and runs the tests of the catalogue there; compile: only
           compiles and checks the copy
  contract compares docs/openapi.json with the description of the last release
  minor-version
           compiles the example hosts with the additions that a minor version may have
  semver [REVISION]
           compares the public API of the library crates with a commit, by default the previous one
  bench [SCENARIO]... [--quick] [--rounds N] [--seconds N] [--large] [--write]
           measures the release server against references; SCENARIO is the start of a scenario's name
  clients [SUITE]
           checks a demo server with third-party programs; SUITE is the start of a suite's name;
           `clients on-demand` runs the suites that are not part of ci
  deploy-check [package]
           checks units, image and alert rules with the programs that read them;
           package: builds the Debian package, and installs, starts and purges it (as root)
  fuzz mcp | statements --seconds N
           sends damaged messages to the tool server, or reads damaged bank files, for N seconds
  faults [EXPERIMENT]
           makes database, disk, memory and processes of a server fail in each known way, and checks what clients see;
           EXPERIMENT is the start of an experiment's name (as root); `soak of 30 minutes` runs by its whole name only
  load [SCENARIO]... [--write]
           measures the release server against hostile clients and failing databases; SCENARIO is the start of a
           scenario's name; --write: writes the figures into xtask/lab/load/results.md
  oracle   compares served totals, and the bookings of bank files, with those of independent programs
  evaluate balances
           compares the balance of every day of simulated accounts with the true one
  evaluate matching
  evaluate recurring [tuning | fit | speed]
           measures the detection of recurring payments. tuning: prints every mistake on the tuning households;
           fit: fits the weights of the confidence score; speed: measures the time of a detection";

/// The exit code for a command line that cannot be read (`EX_USAGE`).
const USAGE_CODE: u8 = 64;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let root = repository::root();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["checklist"] => checklist::run(&root),
        ["checklist", "compile"] => checklist::compile(&root),
        ["contract"] => contract::run(&root),
        ["minor-version"] => minor_version::run(&root),
        ["semver"] => semver::run(&root, "HEAD~1"),
        ["semver", revision] => semver::run(&root, revision),
        ["bench", ..] => bench::run(&root, &words[1..]),
        ["clients"] => clients::run(&root, ""),
        ["clients", suite] => clients::run(&root, suite),
        ["deploy-check"] => deploy_check::run(&root),
        ["deploy-check", "package"] => deploy_check::run_package(&root),
        ["fuzz", target, "--seconds", seconds] => fuzz::run(&root, target, seconds),
        ["load", ..] => load::run(&root, &words[1..]),
        // Started by `load`.
        ["load-attacker", ..] => load::run_attacker(&words[1..]),
        ["faults"] => faults::run(&root, ""),
        ["faults", experiment] => faults::run(&root, experiment),
        ["oracle"] => oracle::run(&root),
        // Started by `oracle`.
        ["statement-rows", ..] => oracle::statement_rows::run(&words[1..]),
        ["evaluate", "matching"] => evaluate::matching(),
        ["evaluate", "balances"] => evaluate::balances(),
        ["evaluate", "recurring"] => evaluate::recurring(&root),
        ["evaluate", "recurring", "tuning"] => evaluate::tuning(),
        ["evaluate", "recurring", "speed"] => evaluate::speed(),
        ["evaluate", "recurring", "fit"] => evaluate::fit(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(USAGE_CODE);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
