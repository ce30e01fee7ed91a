//! Runs a helper program to its end within a limit. It is ended when the limit passes or we stop waiting.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::{Error, log};

/// What the program wrote, whether or not it was content.
pub(crate) async fn run(command: Command, seconds_max: u64) -> Result<Output, Error> {
    let program = command.get_program().to_owned();
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::null()).kill_on_drop(true);
    match tokio::time::timeout(Duration::from_secs(seconds_max), command.output()).await {
        Ok(output) => output.map_err(Error::io("run", program.as_ref())),
        Err(_passed) => {
            let program = program.to_string_lossy().into_owned();
            Err(Error::TooSlow { program, seconds: seconds_max })
        }
    }
}

/// The same, and an error unless the program was content.
pub(crate) async fn succeed(command: Command, seconds_max: u64) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = run(command, seconds_max).await?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::ProgramFailed { program, said: words(&output) })
}

/// The last lines of standard error, else of standard output, else the exit status.
pub(crate) fn words(output: &Output) -> String {
    [&output.stderr, &output.stdout]
        .into_iter()
        .map(|bytes| log::last_lines(&String::from_utf8_lossy(bytes)))
        .find(|words| !words.is_empty())
        .unwrap_or_else(|| output.status.to_string())
}
