//! `user`: creates, lists, shows, renames and deletes users.

mod delete;
mod entry;
mod find;

use passbook_ingest::people::{self, NewPerson};
use tokio_postgres::Client;

use super::transaction;
use crate::arguments::{Listing, NewUser, Rehearsal, UserCommand};
use crate::error::CommandError;
use crate::{listing, output};
use entry::{UserEntry, UserOverview};
use find::find_by_email;

pub(super) use find::{find, find_id};

/// Runs a command on users.
pub(super) async fn run(client: &mut Client, command: UserCommand) -> Result<(), CommandError> {
    match command {
        UserCommand::Create(wanted) => create(client, &wanted).await,
        UserCommand::List { listing } => list(client, listing).await,
        UserCommand::Show { email, listing } => show(client, &email, listing).await,
        UserCommand::Rename { present, email, rehearsal } => {
            rename(client, &present, &email, rehearsal).await
        }
        UserCommand::Delete { email, yes, rehearsal } => delete::run(client, &email, yes, rehearsal).await,
    }
}

/// Creates a user and prints the user's id.
async fn create(client: &mut Client, wanted: &NewUser) -> Result<(), CommandError> {
    let person = NewPerson {
        user_id: wanted.id,
        email: &wanted.email,
        preferred_currency: wanted.currency,
        time_zone: &wanted.time_zone,
    };
    let transaction = transaction::begin(client).await?;
    let user_id = people::create(&transaction, &person).await?;
    transaction::end(transaction, wanted.rehearsal).await?;
    output::lines([user_id.to_string()])
}

/// Prints all users.
async fn list(client: &Client, listing: Listing) -> Result<(), CommandError> {
    let entries: Vec<UserEntry> = people::list(client).await?.into_iter().map(UserEntry::from).collect();
    listing::print(&entries, listing)
}

/// Prints the settings of a user, and the number of stored rows.
async fn show(client: &Client, email: &str, listing: Listing) -> Result<(), CommandError> {
    let person = find_by_email(client, email).await?;
    let overview = people::overview(client, person.user_id).await?;
    listing::print_one(&UserOverview::new(person, overview), listing)
}

/// Changes the e-mail address of a user.
async fn rename(
    client: &mut Client,
    present: &str,
    email: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let person = find_by_email(client, present).await?;
    let transaction = transaction::begin(client).await?;
    people::rename(&transaction, person.user_id, email).await?;
    transaction::end(transaction, rehearsal).await?;
    output::lines([format!("renamed {} to {email}; the id {} is unchanged", person.email, person.user_id)])
}
