//! `cargo lab semver`: compares the public API of the library crates with an earlier commit, by `cargo-semver-checks`.
//!
//! Compiling the tool takes about 15 minutes on two cores, so it is not part of CI. The first run installs it under
//! `target/tools`.

use std::path::Path;
use std::process::{Command, Stdio};

/// The version of the tool, which must read the rustdoc of the installed toolchain.
const VERSION: &str = "0.51.0";
/// Folder of the tool.
const TOOL: &str = "target/tools/cargo-semver-checks";
/// The folders in `crates` of the crates that programs outside of this repository name in their manifests.
const PUBLIC_CRATES: &str = "auth dashboard domain ledger-kit mcp oauth operations people rest store web";

/// Compares the working tree with a commit. An addition is no finding; a removal or a changed signature is.
///
/// # Errors
/// The tool cannot be installed, or has findings.
pub(crate) fn run(root: &Path, revision: &str) -> Result<(), String> {
    let tool = root.join(TOOL);
    let program = tool.join("bin/cargo-semver-checks");
    if !runs(&program) {
        let folder = tool.to_string_lossy();
        let install = ["install", "cargo-semver-checks", "--locked", "--version", VERSION, "--root", &folder];
        crate::command::run_shown(&crate::repository::cargo().to_string_lossy(), &install, root)?;
    }
    let program = program.to_string_lossy();
    // A crate that the commit does not have is an addition, and the tool would fail for it.
    let existing = PUBLIC_CRATES.split(' ').filter(|name| has_crate(root, revision, name));
    let packages: Vec<String> = existing.map(|name| format!("passbook-{name}")).collect();
    let mut arguments = vec!["semver-checks", "--baseline-rev", revision, "--release-type", "minor"];
    arguments.extend(packages.iter().flat_map(|package| ["--package", package]));
    crate::command::run_shown(&program, &arguments, root)
        .map_err(|error| format!("the public API differs from {revision}, see above: {error}"))
}

/// Returns true if a commit has the crate.
fn has_crate(root: &Path, revision: &str, name: &str) -> bool {
    let mut git = Command::new("git");
    git.args(["cat-file", "-e", &format!("{revision}:crates/{name}/Cargo.toml")]).current_dir(root);
    git.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn runs(program: &Path) -> bool {
    let mut version = Command::new(program);
    version.args(["semver-checks", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
