//! `cargo xtask COMMAND`: the commands that a contributor runs daily, and CI. `cargo lab` has the suites with other
//! programs and the measurements.
#![expect(clippy::print_stderr, reason = "errors are printed for the person at the terminal")]

mod bless;
mod ci;
mod repository;
mod rust_text;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

  ci       formatting, lints, tidy, dependencies, the tests that need other programs, and the suites of `cargo lab` that
           are part of CI, each within its time budget
  tidy     checks the project's own rules about its files
  bless    accepts the present snapshots";

/// The exit code for a command line that cannot be read (`EX_USAGE`).
const USAGE_CODE: u8 = 64;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let root = repository::root();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => ci::run(&root),
        ["tidy"] => tidy::report(&root),
        ["bless"] => bless::run(&root),
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
