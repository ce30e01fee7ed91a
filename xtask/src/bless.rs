//! `cargo xtask bless`: accepts every snapshot as it is now, and shows what that changed.

use std::path::Path;
use std::process::Command;

/// The tests that compare with a committed file, as arguments of `cargo test`.
const SNAPSHOTS: [&[&str]; 4] = [
    &["--package", "passbook-tests", "--test", "it", "snapshots::"],
    &["--package", "passbook-tests", "--test", "it", "contract::"],
    &["--package", "passbook-formats", "schema"],
    &["--package", "xtask", "sign_in::page"],
];

/// Runs the tests that hold snapshots with leave to rewrite them.
pub fn run(root: &Path) -> Result<(), String> {
    for arguments in SNAPSHOTS {
        let mut tests = Command::new(crate::cargo());
        tests.arg("test").args(arguments).current_dir(root);
        // Ours for the files under `docs`, insta's for its own.
        run_to_end(tests.env("PASSBOOK_BLESS", "1").env("INSTA_UPDATE", "always"))?;
    }
    run_to_end(Command::new("git").args(["diff", "--stat"]).current_dir(root))
}

fn run_to_end(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed, {status}: {command:?}")) }
}
