//! The repository, and the cargo that works in it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root folder of the repository, which is above this package.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The arguments of cargo that run the integration tests which filters after them select, with the programs that they start.
pub(crate) const INTEGRATION_TESTS: [&str; 7] =
    ["test", "--workspace", "--test", "programs", "--test", "it", "--"];

/// Runs cargo in a folder, and returns its output.
///
/// # Errors
/// The text of the error, if cargo fails.
pub(crate) fn read_cargo(folder: &Path, arguments: &str) -> Result<String, String> {
    let mut command = Command::new(cargo());
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output();
    let output = output.map_err(|error| format!("cargo did not start: {error}"))?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Returns the path of the cargo that runs this program, so that a step uses the same toolchain.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
