//! `passbook-admin`, the operator's tool: the schema, people, tokens and clients, and loading their data. It writes to the
//! database and is never reachable over the network.

mod arguments;
mod commands;
mod database;
mod exit;
mod output;
mod progress;
mod settings;

use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};
use exit::Failure;
use settings::{Served, Settings};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return exit::usage(&error),
    };
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => exit::report(&failure),
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let environment = |name: &str| std::env::var_os(name);
    let settings = Settings::read(&arguments.connection, &environment).map_err(Failure::Configuration)?;
    let token_prefix =
        settings::token_prefix(&arguments.connection, &environment).map_err(Failure::Configuration)?;
    let served = match arguments.command {
        Command::Doctor => {
            Some(Served::read(&arguments.connection, &environment).map_err(Failure::Configuration)?)
        }
        _ => None,
    };
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal("the runtime does not start", &error))?
        .block_on(async {
            match served {
                Some(served) => commands::doctor::run(settings, served).await,
                None => commands::run(arguments.command, settings, &token_prefix).await,
            }
        })
}
