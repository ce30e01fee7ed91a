//! Runs programs, and reads and writes files with errors that name the path.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Prints a line on standard output.
#[expect(clippy::print_stdout, reason = "the report of this task is its output")]
pub(crate) fn print_line(line: &str) {
    println!("{line}");
}

/// Runs a program and returns its standard output.
///
/// # Errors
/// The exit status with the program's standard error.
pub(crate) fn run_quietly(
    program: &str,
    arguments: &[&str],
    environment: &[(&str, PathBuf)],
) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {}: {}\n{stderr}", arguments.join(" "), output.status))
}

/// Runs a program in `folder` and shows its output.
pub(crate) fn run_shown(program: &str, arguments: &[&str], folder: &Path) -> Result<(), String> {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("{program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} {}: {status}", arguments.join(" "))) }
}

/// The profile of the programs in packages and images, which are also those that the lab measures.
pub(crate) const DISTRIBUTION: &str = "distribution";

/// Builds programs of the workspace as packages and images contain them. Only the named packages are built, so that no
/// other package adds features to the server.
pub(crate) fn build_distribution(root: &Path, packages: &[&str]) -> Result<(), String> {
    print_line("building the optimised programs");
    let packages: Vec<&str> = packages.iter().flat_map(|package| ["--package", package]).collect();
    let build = ["build", "--quiet", "--profile", DISTRIBUTION, "--bins"];
    run_shown("cargo", &[&build[..], &packages].concat(), root)
}

/// Builds targets of this package with a profile.
pub(crate) fn build_lab(root: &Path, profile: &str, targets: &[&str]) -> Result<(), String> {
    let build = ["build", "--quiet", "--manifest-path", "xtask/lab/Cargo.toml", "--target-dir", "target"];
    run_shown("cargo", &[&build[..], &["--profile", profile], targets].concat(), root)
}

/// Runs a command of this program again in the optimised build: an unoptimised load generator would take processor time
/// from the measured programs.
pub(crate) fn run_optimised(root: &Path, command: &str, words: &[String]) -> Result<(), String> {
    build_lab(root, "release", &["--bin", "lab"])?;
    let program = root.join("target/release/lab");
    let status = Command::new(&program).arg(command).args(words).current_dir(root).status();
    let status = status.map_err(|error| format!("{}: {error}", program.display()))?;
    if status.success() { Ok(()) } else { Err(format!("{command}: {status}")) }
}

/// Writes a file that only its owner can read (mode 0600).
pub(crate) fn write_private(file: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut opened = options.open(file).map_err(failed)?;
    opened.write_all(text.as_bytes()).map_err(failed)
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a text file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
