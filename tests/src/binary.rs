//! The programs under test.

use std::path::PathBuf;

/// Returns the path of a program. The program has the name of its package, and is built with the profile of the tests.
///
/// `cargo test --workspace` and `cargo it` build every program before they start a test (`tests/programs.rs`). A test run
/// of this package alone uses the programs that were built before.
///
/// # Panics
/// If the program is not built.
pub fn binary(package: &str) -> PathBuf {
    crate::postgres_programs::require();
    let tests = std::env::current_exe().expect("the path of this program");
    let folder = tests.ancestors().nth(2).expect("a test lies in the folder `deps` of the programs");
    let program = folder.join(package);
    assert!(program.is_file(), "{package} is not built: run `cargo test --workspace --no-run`");
    program
}
