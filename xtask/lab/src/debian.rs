//! Finds a program, or installs its Debian package if the process is root.

use std::path::Path;

use crate::command::{print_line, run_quietly};

/// Folders of programs that may be missing from the search path.
const FOLDERS: [&str; 2] = ["/usr/sbin", "/sbin"];

/// Returns the name of a program that can be run.
///
/// # Errors
/// The program is missing and `package` cannot be installed.
pub(crate) fn find(program: &str, package: &str) -> Result<String, String> {
    if !is_installed(program) {
        install(program, package)?;
    }
    Ok(program.to_owned())
}

/// Installs a package, unless the file `path` of the package exists.
///
/// # Errors
/// The file is missing and `package` cannot be installed.
pub(crate) fn require_file(path: &str, package: &str) -> Result<(), String> {
    if Path::new(path).is_file() { Ok(()) } else { install(path, package) }
}

/// Downloads a package and unpacks it below `tools`, without installing it. Returns the path of its file `program`.
///
/// # Errors
/// The package cannot be downloaded, or does not contain the program.
pub(crate) fn unpack(package: &str, program: &str, tools: &Path) -> Result<String, String> {
    let folder = tools.join(package);
    let unpacked = folder.join(program);
    if !unpacked.is_file() {
        print_line(&format!("unpacking Debian's package {package}"));
        let script = format!(
            "set -e; rm -rf {0}; mkdir -p {0}; cd {0}; \
             apt-get download --quiet {package} || {{ apt-get update --quiet; apt-get download --quiet {package}; }}; \
             dpkg-deb --extract {package}_*.deb .",
            folder.display()
        );
        run_quietly("sh", &["-c", &script], &[])?;
    }
    if unpacked.is_file() {
        Ok(unpacked.display().to_string())
    } else {
        Err(format!("{package} has no {program}"))
    }
}

fn install(missing: &str, package: &str) -> Result<(), String> {
    print_line(&format!("installing Debian's package {package}"));
    let install = || {
        let arguments = ["install", "--yes", "--quiet", "--no-install-recommends", package];
        run_quietly("apt-get", &arguments, &[("DEBIAN_FRONTEND", "noninteractive".into())])
    };
    // The package lists may be missing or outdated.
    let installed =
        install().or_else(|_| run_quietly("apt-get", &["update", "--quiet"], &[]).and_then(|_| install()));
    installed
        .map(drop)
        .map_err(|problem| format!("{missing} is missing: install Debian's package {package}. {problem}"))
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(FOLDERS.map(Into::into));
    folders.into_iter().any(|folder| folder.join(program).is_file())
}
