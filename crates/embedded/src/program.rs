//! Runs a program with a time limit. The program is killed at the limit, or if the caller stops waiting.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::error::Error;
use crate::log;

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
