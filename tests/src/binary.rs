//! Builds the programs under test from the working tree on first use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// Returns the path of a program, building it if necessary. The program has the name of its package and is built
/// with the profile of the tests: debug or release.
///
/// # Panics
/// If the build fails. Cargo's messages are in the panic text.
pub fn binary(package: &str) -> PathBuf {
    // A panic during a build leaves the map unchanged, so the next test may build again.
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(package.to_owned()).or_insert_with(|| build(package)).clone()
}

fn build(package: &str) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    // Build from the workspace folder: the features are then those of the tests, and no crate is built twice.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    cargo.current_dir(&root);
    cargo.args(["build", "--quiet", "--message-format", "json-render-diagnostics", "--bin", package]);
    if let Some(manifest) = host_manifest(&root, package) {
        // An example host is a workspace of its own. All hosts share one target folder.
        cargo.arg("--locked").arg("--manifest-path").arg(manifest).args(["--target-dir", "target/hosts"]);
    }
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
        .expect("cargo reports the path of the program it built")
}

/// Returns the manifest of an example host; `None` for a package of the workspace.
fn host_manifest(root: &Path, package: &str) -> Option<PathBuf> {
    let folders = root.join("tests/hosts").read_dir().expect("the folder of the hosts is readable");
    let mut manifests = folders.flatten().map(|folder| folder.path().join("Cargo.toml"));
    manifests.find(|manifest| {
        let text = std::fs::read_to_string(manifest).unwrap_or_default();
        text.contains("\n[workspace]\n") && text.contains(&format!("\nname = \"{package}\"\n"))
    })
}
