//! `cargo xtask semver`: compares the public API of the library crates with an earlier commit, by `cargo-semver-checks`.
//!
//! The tool is large, so it is not part of CI. Install it with `cargo install cargo-semver-checks --locked`.

use std::path::Path;
use std::process::{Command, Stdio};

/// The crates that a host names in its manifest.
const PACKAGES: [&str; 8] = [
    "passbook-domain",
    "passbook-operations",
    "passbook-auth",
    "passbook-store",
    "passbook-web",
    "passbook-rest",
    "passbook-oauth",
    "passbook-mcp",
];
const INSTALL: &str = "cargo-semver-checks is not installed: cargo install cargo-semver-checks --locked";

/// Compares the working tree with a commit. An addition is no finding; a removal or a changed signature is.
///
/// # Errors
/// The tool is not installed, or has findings.
pub fn run(root: &Path, revision: &str) -> Result<(), String> {
    let tool = |arguments: &[&str]| {
        let mut cargo = Command::new(crate::cargo());
        cargo.arg("semver-checks").args(arguments).current_dir(root);
        cargo
    };
    let installed = tool(&["--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !installed.is_ok_and(|status| status.success()) {
        return Err(INSTALL.to_owned());
    }
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    let mut check = tool(&["--baseline-rev", revision, "--release-type", "minor"]);
    let status = check.args(packages).status().map_err(|error| format!("cargo did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("the public API differs from {revision}: see above")) }
}
