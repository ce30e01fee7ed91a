//! Finds programs on a search path, and runs them with a time limit. A program is killed at the limit, or if the caller
//! stops waiting.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::error::Error;
use super::log;

/// Runs a program and returns its output, whatever its exit status.
///
/// # Errors
/// [`Error::TooSlow`], or [`Error::Io`] if the program cannot be started.
pub(crate) async fn run(command: Command, seconds_max: u64) -> Result<Output, Error> {
    let program = command.get_program().to_owned();
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::null()).kill_on_drop(true);
    match tokio::time::timeout(Duration::from_secs(seconds_max), command.output()).await {
        Ok(output) => output.map_err(Error::io("run", program.as_ref())),
        Err(_elapsed) => {
            let program = program.to_string_lossy().into_owned();
            Err(Error::TooSlow { program, seconds: seconds_max })
        }
    }
}

/// Runs a program that must succeed.
///
/// # Errors
/// Those of [`run`], and [`Error::ProgramFailed`] for another exit status than 0.
pub(crate) async fn succeed(command: Command, seconds_max: u64) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = run(command, seconds_max).await?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::ProgramFailed { program, output: last_output(&output) })
}

/// Returns the last lines of standard error, else of standard output, else the exit status.
pub(crate) fn last_output(output: &Output) -> String {
    [&output.stderr, &output.stdout]
        .into_iter()
        .map(|bytes| log::last_lines(&String::from_utf8_lossy(bytes)))
        .find(|lines| !lines.is_empty())
        .unwrap_or_else(|| output.status.to_string())
}

/// Returns the first file with this name on the search path.
pub(crate) fn find_program(search_path: Option<&OsStr>, name: &str) -> Option<PathBuf> {
    absolute_folders(search_path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Iterates over the folders of the search path. Skips relative folders: their meaning depends on the current folder.
pub(crate) fn absolute_folders(search_path: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let folders = std::env::split_paths(search_path.unwrap_or_default());
    folders.filter(|folder| folder.is_absolute()).collect::<Vec<_>>().into_iter()
}
