//! The commands, one file each.

mod client;
mod consent;
mod doctor;
mod import;
mod input;
mod load;
mod migrate;
mod rates;
mod revocation;
mod session;
mod surfaces;
mod token;
mod transaction;
mod user;

use crate::arguments::{
    ClientCommand, Command, ConsentCommand, DataCommand, ImportCommand, RatesCommand, SessionCommand,
    TokenCommand, UserCommand,
};
use crate::database::Database;
use crate::error::CommandError;
use crate::settings::Settings;

/// Runs a command. Stops the embedded server if the command started it.
pub(crate) async fn run(command: Command, settings: Settings) -> Result<(), CommandError> {
    match command {
        Command::Migrate { rehearsal } => migrate::run(settings.database, rehearsal).await,
        Command::Doctor => doctor::run(settings).await,
        Command::Data(command) => {
            let mut database = Database::for_data(settings.database).await?;
            let result = run_on_data(&mut database, command, &settings.token_prefix).await;
            database.close(result).await
        }
    }
}

async fn run_on_data(
    database: &mut Database,
    command: DataCommand,
    token_prefix: &str,
) -> Result<(), CommandError> {
    let client = &mut database.client;
    match command {
        DataCommand::User(UserCommand::Create { email, currency, time_zone, id, rehearsal }) => {
            let person = ingest::people::NewPerson {
                user_id: id,
                email: &email,
                preferred_currency: currency,
                time_zone: &time_zone,
            };
            user::create(client, &person, rehearsal).await
        }
        DataCommand::User(UserCommand::List) => user::list(client).await,
        DataCommand::Token(TokenCommand::Create(wanted)) => {
            token::create(client, &wanted, token_prefix).await
        }
        DataCommand::Token(TokenCommand::List { user }) => token::list(client, user.as_deref()).await,
        DataCommand::Token(TokenCommand::Revoke { token_id, rehearsal }) => {
            token::revoke(client, token_id, rehearsal).await
        }
        DataCommand::Client(ClientCommand::Create(wanted)) => client::create(client, &wanted).await,
        DataCommand::Client(ClientCommand::List) => client::list(client).await,
        DataCommand::Client(ClientCommand::Revoke { client_id, rehearsal }) => {
            client::revoke(client, &client_id, rehearsal).await
        }
        DataCommand::Consent(ConsentCommand::List { user }) => consent::list(client, user.as_deref()).await,
        DataCommand::Consent(ConsentCommand::Revoke { client_id, user, rehearsal }) => {
            consent::revoke(client, &user, &client_id, rehearsal).await
        }
        DataCommand::Session(SessionCommand::List { user }) => session::list(client, user.as_deref()).await,
        DataCommand::Session(SessionCommand::Revoke { session_id, user, rehearsal }) => {
            session::revoke(client, &user, &session_id, rehearsal).await
        }
        DataCommand::Rates(RatesCommand::Load { file, rehearsal }) => {
            rates::load(client, &file, rehearsal).await
        }
        DataCommand::Load { file, rehearsal } => load::load_bundle(client, &file, rehearsal).await,
        DataCommand::Import(ImportCommand::Beancount(wanted)) => import::beancount(client, &wanted).await,
    }
}
