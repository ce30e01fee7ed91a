//! The commands, one file each.

mod account;
mod backup;
mod client;
mod consent;
mod definitions;
mod doctor;
mod import;
mod input;
mod load;
mod migrate;
mod psql;
mod rates;
mod remedies;
mod removal;
mod restore;
mod revocation;
mod session;
mod surfaces;
mod token;
mod transaction;
mod user;

use std::process::ExitCode;

use crate::arguments::{Command, DataCommand, ImportCommand, RatesCommand};
use crate::database::Database;
use crate::error::CommandError;
use crate::settings::Settings;

pub(crate) use definitions::print_definitions;

/// Runs a command and returns its exit code. Stops the embedded server if the command started it.
pub(crate) async fn run(command: Command, settings: Settings) -> Result<ExitCode, CommandError> {
    let done = match command {
        Command::Migrate { rehearsal } => migrate::run(settings.database, rehearsal).await,
        Command::Doctor { listing } => doctor::run(settings, listing).await,
        Command::Backup(wanted) => backup::run(settings.database, &wanted).await,
        Command::Restore(wanted) => restore::run(settings.database, &wanted).await,
        Command::Psql(wanted) => return psql::run(settings, &wanted).await,
        Command::Data(command) => {
            let mut database = Database::for_data(settings.database).await?;
            let result = run_on_data(&mut database, command, &settings.token_prefix).await;
            database.close(result).await
        }
        Command::Definitions(command) => print_definitions(&command),
    };
    done.map(|()| ExitCode::SUCCESS)
}

async fn run_on_data(
    database: &mut Database,
    command: DataCommand,
    token_prefix: &str,
) -> Result<(), CommandError> {
    let client = &mut database.client;
    match command {
        DataCommand::User(command) => user::run(client, command).await,
        DataCommand::Account(command) => account::run(client, command).await,
        DataCommand::Token(command) => token::run(client, command, token_prefix).await,
        DataCommand::Client(command) => client::run(client, command).await,
        DataCommand::Consent(command) => consent::run(client, command).await,
        DataCommand::Session(command) => session::run(client, command).await,
        DataCommand::Rates(RatesCommand::Load { file, rehearsal }) => {
            rates::load(client, &file, rehearsal).await
        }
        DataCommand::Load { file, rehearsal } => load::load_bundle(client, &file, rehearsal).await,
        DataCommand::Import(ImportCommand::Beancount(wanted)) => import::beancount(client, &wanted).await,
    }
}
