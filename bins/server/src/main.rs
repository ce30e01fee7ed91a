//! `passbook-server`: reads the settings, runs the server, and returns the exit code.

use std::process::ExitCode;

use server::error::ServerError;
use server::settings::{CommandLine, Settings};

fn main() -> ExitCode {
    let command_line = match CommandLine::parse(std::env::args_os()) {
        Ok(command_line) => command_line,
        Err(help) => return help.print(),
    };
    match run(&command_line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run(command_line: &CommandLine) -> Result<(), ServerError> {
    let sources = command_line.sources(std::env::vars_os());
    let settings = Settings::resolve(&sources, command_line.demo()).map_err(ServerError::Configuration)?;
    server::logging::start(&settings.log, settings.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| ServerError::Internal(Box::new(source)))?;
    runtime.block_on(async { server::run(settings, server::listen::terminated()).await })
}
