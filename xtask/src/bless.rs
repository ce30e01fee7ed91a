//! `cargo xtask bless`: draws the packages in `docs/architecture.md`, rewrites every snapshot from the current behaviour, and
//! prints the changed files.

use std::path::Path;
use std::process::Command;

/// The arguments of `cargo test` for the tests that compare with a committed file.
const SNAPSHOTS: [&str; 6] = [
    // First: the programs that the other tests start contain what this test writes.
    "--workspace --test programs --test it -- schema_versions::snapshots",
    "--workspace --test programs --test it -- rest::snapshots:: rest::response_headers:: rest::contract:: documents:: attacks::",
    "--workspace --test programs --test it -- transcripts:: cases_of",
    "--package passbook-records --package passbook-beancount --package passbook-statements -- schema cases_of",
    "--package passbook-admin reference",
    "--manifest-path xtask/lab/Cargo.toml --target-dir target sign_in::page",
];

/// Writes the drawing, and runs the snapshot tests in the mode that rewrites the snapshots.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    crate::tidy::drawing::write(root)?;
    for selection in SNAPSHOTS {
        let mut tests = Command::new(crate::repository::cargo());
        tests.arg("test").args(selection.split_whitespace()).current_dir(root);
        // PASSBOOK_TEST_BLESS rewrites the files under `docs`, INSTA_UPDATE the snapshots of insta.
        run_to_end(tests.env("PASSBOOK_TEST_BLESS", "1").env("INSTA_UPDATE", "always"))?;
    }
    run_to_end(Command::new("git").args(["diff", "--stat"]).current_dir(root))
}

fn run_to_end(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed, {status}: {command:?}")) }
}
