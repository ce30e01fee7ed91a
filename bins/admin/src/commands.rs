//! What each command does.

mod client;
mod consent;
pub(crate) mod doctor;
mod import;
mod load;
mod migrate;
mod rates;
mod revoke;
mod session;
mod source;
mod token;
mod user;

use crate::arguments::{
    ClientCommand, Command, ConsentCommand, ImportCommand, RatesCommand, SessionCommand, TokenCommand,
    UserCommand,
};
use crate::database::Database;
use crate::exit::{self, Failure};
use crate::settings::Settings;

/// Does what was asked for, and leaves no server behind that it started.
pub(crate) async fn run(command: Command, settings: Settings, token_prefix: &str) -> Result<(), Failure> {
    if let Command::Migrate { rehearsal } = command {
        return migrate::run(settings, rehearsal).await;
    }
    let mut database = Database::to_write(settings).await?;
    let done = with(&mut database, command, token_prefix).await;
    database.close(done).await
}

async fn with(database: &mut Database, command: Command, token_prefix: &str) -> Result<(), Failure> {
    let client = &mut database.client;
    match command {
        Command::Migrate { .. } | Command::Doctor => unreachable!("it needs another session"),
        Command::User(UserCommand::Create { email, currency, time_zone, id, rehearsal }) => {
            let person = ingest::people::NewPerson {
                user_id: id,
                email: &email,
                preferred_currency: currency,
                time_zone: &time_zone,
            };
            user::create(client, &person, rehearsal).await
        }
        Command::User(UserCommand::List) => user::list(client).await,
        Command::Token(TokenCommand::Create(wanted)) => token::create(client, &wanted, token_prefix).await,
        Command::Token(TokenCommand::List { user }) => token::list(client, user.as_deref()).await,
        Command::Token(TokenCommand::Revoke { token_id, rehearsal }) => {
            token::revoke(client, token_id, rehearsal).await
        }
        Command::Client(ClientCommand::Create(wanted)) => client::create(client, &wanted).await,
        Command::Client(ClientCommand::List) => client::list(client).await,
        Command::Client(ClientCommand::Revoke { client_id, rehearsal }) => {
            client::revoke(client, &client_id, rehearsal).await
        }
        Command::Consent(ConsentCommand::List { user }) => consent::list(client, user.as_deref()).await,
        Command::Consent(ConsentCommand::Revoke { client_id, user, rehearsal }) => {
            consent::revoke(client, &user, &client_id, rehearsal).await
        }
        Command::Session(SessionCommand::List { user }) => session::list(client, user.as_deref()).await,
        Command::Session(SessionCommand::Revoke { session_id, user, rehearsal }) => {
            session::revoke(client, &user, &session_id, rehearsal).await
        }
        Command::Rates(RatesCommand::Load { file, rehearsal }) => rates::load(client, &file, rehearsal).await,
        Command::Load { file, rehearsal } => load::load(client, &file, rehearsal).await,
        Command::Import(ImportCommand::Beancount(wanted)) => import::beancount(client, &wanted).await,
    }
}

/// Says that nothing was stored, where that was asked for.
fn remark_on_rehearsal(rehearsal: crate::arguments::Rehearsal) {
    if rehearsal.dry_run {
        exit::remark("dry run: nothing was stored");
    }
}

/// The surfaces that accept a credential, as lists show them.
fn surfaces(rest: bool, mcp: bool) -> &'static str {
    match (rest, mcp) {
        (true, true) => "rest,mcp",
        (true, false) => "rest",
        (false, true) => "mcp",
        (false, false) => "none",
    }
}
