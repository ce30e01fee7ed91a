//! The programs under test, built from the working tree on first use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The path of a program, which is named like its package. It is built as the tests are: optimised or not.
///
/// # Panics
/// When it does not build; cargo's messages are printed above.
pub fn binary(package: &str) -> PathBuf {
    // A test that panicked while building leaves the map as it was: the next one tries again.
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(package.to_owned()).or_insert_with(|| build(package)).clone()
}

fn build(package: &str) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    // From the workspace, so that features are those of the tests and nothing is built twice.
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    cargo.args(["build", "--quiet", "--message-format", "json-render-diagnostics", "--bin", package]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.output().expect("cargo, which started these tests, can be started");
    assert!(
        output.status.success(),
        "{package} does not build:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let messages = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == package)
        .find_map(|message| message["executable"].as_str().map(|path| Path::new(path).to_owned()))
        .expect("cargo names the program it built")
}
