//! The commands, one file each.

mod account;
mod backup;
mod categorize;
mod client;
mod consent;
mod definitions;
mod derive;
mod doctor;
mod explain;
mod import;
mod input;
mod load;
mod load_summary;
mod migrate;
mod preview;
mod psql;
mod rates;
mod reconcile;
mod remedies;
mod removal;
mod restore;
mod revocation;
mod session;
mod statement_file;
mod surfaces;
mod token;
mod transaction;
mod undo;
mod user;

use std::process::ExitCode;

use crate::arguments::{Command, DataCommand, RatesCommand};
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
        Command::Preview(wanted) => preview::run(&wanted),
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
        DataCommand::Derive { check } => derive::run(client, check).await,
        DataCommand::Load(wanted) => load::load_bundle(client, &wanted).await,
        DataCommand::Import(wanted) => import::run(client, *wanted).await,
        DataCommand::Undo(wanted) => undo::run(client, &wanted).await,
        DataCommand::Explain(wanted) => explain::run(client, &wanted).await,
        DataCommand::Categorize(wanted) => categorize::run(client, &wanted).await,
        DataCommand::Reconcile(wanted) => reconcile::run(client, &wanted).await,
    }
}
