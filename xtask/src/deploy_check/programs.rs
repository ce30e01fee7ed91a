//! Finds a program, or installs its Debian package if the process is root.

use std::process::{Command, Stdio};

use crate::command::{print_line, run_quietly};

/// Returns the name of a program that can be run.
///
/// # Errors
/// The program is missing and `package` cannot be installed.
pub(super) fn find(program: &str, package: &str) -> Result<String, String> {
    if runs(program) {
        return Ok(program.to_owned());
    }
    print_line(&format!("installing Debian's package {package}"));
    let install = || {
        let arguments = ["install", "--yes", "--quiet", "--no-install-recommends", package];
        run_quietly("apt-get", &arguments, &[("DEBIAN_FRONTEND", "noninteractive".into())])
    };
    // The package lists may be missing or outdated.
    let installed =
        install().or_else(|_| run_quietly("apt-get", &["update", "--quiet"], &[]).and_then(|_| install()));
    installed
        .map_err(|problem| format!("{program} is missing: install Debian's package {package}. {problem}"))?;
    Ok(program.to_owned())
}

fn runs(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
