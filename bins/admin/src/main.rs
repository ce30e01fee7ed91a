//! `passbook-admin`, the operator's tool: migrations, users, tokens, clients, and loading data. It writes to the
//! database and is not reachable over the network.

mod arguments;
mod commands;
mod database;
mod error;
mod output;
mod progress;
mod settings;

use std::process::ExitCode;

use arguments::Arguments;
use error::CommandError;
use settings::Settings;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return error::report_usage(&error),
    };
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run(arguments: Arguments) -> Result<(), CommandError> {
    let sources = arguments.sources(std::env::vars_os());
    let runtime = || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.map_err(|error| CommandError::internal("the asynchronous runtime cannot be started", &error))
    };
    let settings = Settings::resolve(&sources, arguments.command.examines_server())
        .map_err(|faults| CommandError::settings(&faults))?;
    runtime()?.block_on(commands::run(arguments.command, settings))
}
