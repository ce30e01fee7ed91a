//! What each command does.

mod import;
mod load;
mod migrate;
mod rates;
mod source;
mod token;
mod user;

use crate::arguments::{Command, ImportCommand, RatesCommand, TokenCommand, UserCommand};
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
        Command::Migrate { .. } => unreachable!("it needs another session"),
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
