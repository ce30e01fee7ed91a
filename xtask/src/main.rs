//! `cargo xtask COMMAND`: picks the command, runs it, and turns what came of it into an exit code.
#![expect(clippy::print_stderr, reason = "what went wrong is said to the person at the terminal")]

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

  ci       formatting, lints, tidy, dependencies and the external suites, each within its time budget
  tidy     the project's own rules about its files
  bless    accepts the snapshots as they are now
  clients [SUITE]
           lets programs of others ask a demo server and judge its answers; SUITE is how names begin
  fuzz mcp --seconds N
           sends broken messages to the tool server for so long
  oracle   compares served totals with those of independent programs
  evaluate recurring [tuning | fit | speed]
           judges the detection of recurring payments; shows its mistakes on the tuning households; fits its weights;
           or shows how long it takes";

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
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(64);
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
