//! Finds a program, or installs its Debian package if the process is root.

use crate::command::{print_line, run_quietly};

/// Folders of programs that may be missing from the search path.
const FOLDERS: [&str; 2] = ["/usr/sbin", "/sbin"];

/// Returns the name of a program that can be run.
///
/// # Errors
/// The program is missing and `package` cannot be installed.
pub(crate) fn find(program: &str, package: &str) -> Result<String, String> {
    if is_installed(program) {
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

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(FOLDERS.map(Into::into));
    folders.into_iter().any(|folder| folder.join(program).is_file())
}
