//! `cargo xtask hosts`: checks the example hosts of `tests/hosts`, each of which is a workspace of its own.
//!
//! All hosts share one target folder, so that each dependency is compiled once. The versions in their lock files are those
//! of the workspace (`tidy`), so nothing else is downloaded.

use std::path::{Path, PathBuf};

use crate::command::run_shown;

/// Folder of the example hosts.
pub(crate) const FOLDER: &str = "tests/hosts";
/// Folder of everything that is built from a host.
const TARGET: &str = "target/hosts";

/// Formats and lints every host, without its dependencies.
///
/// # Errors
/// A host has a warning, is not formatted, or its lock file needs a change.
pub fn run(root: &Path) -> Result<(), String> {
    let cargo = crate::cargo();
    let cargo = cargo.to_string_lossy();
    for manifest in manifests(root)? {
        let path = manifest.to_string_lossy();
        run_shown(&cargo, &["fmt", "--check", "--manifest-path", &path], root)?;
        let lints = ["clippy", "--locked", "--no-deps", "--all-targets", "--target-dir", TARGET];
        let arguments = [&lints[..], &["--manifest-path", &path, "--", "-D", "warnings"]].concat();
        run_shown(&cargo, &arguments, root)?;
    }
    Ok(())
}

/// Returns the manifests of all hosts that are workspaces of their own, in order of path.
pub(crate) fn manifests(root: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error: std::io::Error| format!("make {FOLDER} readable: {error}");
    let mut manifests = Vec::new();
    for folder in root.join(FOLDER).read_dir().map_err(unreadable)? {
        let manifest = folder.map_err(unreadable)?.path().join("Cargo.toml");
        if std::fs::read_to_string(&manifest).is_ok_and(|text| text.contains("\n[workspace]\n")) {
            manifests.push(manifest);
        }
    }
    manifests.sort();
    Ok(manifests)
}
