//! `cargo xtask COMMAND`: selects the command, runs it and returns its exit code.
#![expect(clippy::print_stderr, reason = "errors are printed for the person at the terminal")]

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

  ci       formatting, lints, tidy, dependencies and the external suites, each within its time budget
  checklist
           follows docs/adding-an-operation.md in a copy, and runs the tests of the catalogue there
  hosts    formats and lints the example hosts, which are workspaces of their own
  semver [REVISION]
           compares the public API of the library crates with a commit, by default the previous one
  tidy     checks the project's own rules about its files
  bench [SCENARIO]... [--quick] [--rounds N] [--seconds N] [--large] [--write]
           measures the release server against references; SCENARIO is the start of a scenario's name
  bless    accepts the present snapshots
  clients [SUITE]
           checks a demo server with third-party programs; SUITE is the start of a suite's name;
           `clients on-demand` runs the suites that are not part of ci
  deploy-check [package]
           checks units, image and alert rules with the programs that read them;
           package: builds the Debian package, and installs, starts and purges it (as root)
  fuzz mcp | formats --seconds N
           sends damaged messages to the tool server, or reads damaged bank files, for N seconds
  faults [EXPERIMENT]
           makes database, disk, memory and processes of a server fail in each known way, and checks what clients see;
           EXPERIMENT is the start of an experiment's name (as root)
  load [SCENARIO]... [--write]
           measures the release server against hostile clients and failing databases; SCENARIO is the start of a
           scenario's name; --write: writes the figures into docs/operating.md
  oracle   compares served totals, and the bookings of bank files, with those of independent programs
  evaluate identity
  evaluate recurring [tuning | fit | speed]
           measures the detection of recurring payments. tuning: prints every mistake on the tuning households;
           fit: fits the weights of the confidence score; speed: measures the time of a detection
  sample-text --seed S --count N
           prints N comments and sentences of the repository, drawn at random";

/// The exit code for a command line that cannot be read (`EX_USAGE`).
const USAGE_CODE: u8 = 64;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let root = xtask::root();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => xtask::ci::run(&root),
        ["semver"] => xtask::semver::run(&root, "HEAD~1"),
        ["semver", revision] => xtask::semver::run(&root, revision),
        ["checklist"] => xtask::checklist::run(&root),
        ["hosts"] => xtask::hosts::run(&root),
        ["tidy"] => xtask::tidy::report(&root),
        ["bench", ..] => xtask::bench::run(&root, &words[1..]),
        ["bless"] => xtask::bless::run(&root),
        ["clients"] => xtask::clients::run(&root, ""),
        ["clients", suite] => xtask::clients::run(&root, suite),
        ["deploy-check"] => xtask::deploy_check::run(&root),
        ["deploy-check", "package"] => xtask::deploy_check::run_package(&root),
        ["fuzz", target, "--seconds", seconds] => xtask::fuzz::run(&root, target, seconds),
        ["load", ..] => xtask::load::run(&root, &words[1..]),
        // Started by `load`.
        ["load-attacker", ..] => xtask::load::run_attacker(&words[1..]),
        ["faults"] => xtask::faults::run(&root, ""),
        ["faults", experiment] => xtask::faults::run(&root, experiment),
        ["oracle"] => xtask::oracle::run(&root),
        ["evaluate", "identity"] => xtask::evaluate::identity(),
        ["evaluate", "recurring"] => xtask::evaluate::recurring(&root),
        ["evaluate", "recurring", "tuning"] => xtask::evaluate::tuning(),
        ["evaluate", "recurring", "speed"] => xtask::evaluate::speed(),
        ["evaluate", "recurring", "fit"] => xtask::evaluate::fit(),
        ["sample-text", "--seed", seed, "--count", count] => xtask::sample_text::run(&root, seed, count),
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
