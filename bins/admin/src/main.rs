//! `passbook-admin`, the operator's tool: migrations, users, tokens, clients, and loading data. It writes to the
//! database and is not reachable over the network.

mod arguments;
mod chosen;
mod commands;
mod database;
mod error;
mod listing;
mod output;
#[cfg(test)]
mod reference;
mod secrets;
mod settings;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::{Action, Arguments};
use commands::definitions;
use error::CommandError;
use secrets::WithheldWords;
use settings::Settings;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let withheld = WithheldWords::in_arguments(&words);
    let arguments = match Arguments::parse(&words) {
        Ok(arguments) => arguments,
        Err(error) => return error::report_usage(&error, &withheld),
    };
    match run(arguments) {
        Ok(code) => code,
        Err(error) => error.report(&withheld),
    }
}

fn run(arguments: Arguments) -> Result<ExitCode, CommandError> {
    let sources = arguments.sources(std::env::vars_os());
    let command = match arguments.action {
        Action::Command(command) => command,
        Action::Definitions(command) => {
            return definitions::run(&command, arguments::command()).map(|()| ExitCode::SUCCESS);
        }
    };
    let runtime = || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.map_err(|error| CommandError::internal("the asynchronous runtime cannot be started", &error))
    };
    let settings = Settings::resolve(&sources, command.examines_server())
        .map_err(|faults| CommandError::settings(&faults))?;
    runtime()?.block_on(commands::run(command, settings))
}
