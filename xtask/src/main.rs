//! `cargo xtask COMMAND`: selects the command, runs it and returns its exit code.
#![expect(clippy::print_stderr, reason = "errors are printed for the person at the terminal")]

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

  ci       formatting, lints, tidy, dependencies and the external suites, each within its time budget
  tidy     checks the project's own rules about its files
  bless    accepts the present snapshots
  clients [SUITE]
           checks a demo server with third-party programs; SUITE is the start of a suite's name
  fuzz mcp --seconds N
           sends malformed messages to the tool server for N seconds
  oracle   compares served totals with those of independent programs
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
        ["tidy"] => xtask::tidy::report(&root),
        ["bless"] => xtask::bless::run(&root),
        ["clients"] => xtask::clients::run(&root, ""),
        ["clients", suite] => xtask::clients::run(&root, suite),
        ["fuzz", "mcp", "--seconds", seconds] => xtask::fuzz::run(&root, seconds),
        ["oracle"] => xtask::oracle::run(&root),
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
