//! `user`: creates and lists users.

use fault::Fault;
use ingest::people::{self, NewPerson, Person};
use tokio_postgres::Client;
use uuid::Uuid;

use super::transaction;
use crate::arguments::{NewUser, UserCommand};
use crate::error::CommandError;
use crate::output;

/// Runs a command on users.
pub(super) async fn run(client: &mut Client, command: UserCommand) -> Result<(), CommandError> {
    match command {
        UserCommand::Create(wanted) => create(client, &wanted).await,
        UserCommand::List => list(client).await,
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
async fn list(client: &Client) -> Result<(), CommandError> {
    let heading = ["id", "email", "currency", "time zone", "created"].map(str::to_owned);
    let mut rows = vec![heading];
    for person in people::list(client).await? {
        rows.push([
            person.user_id.to_string(),
            person.email,
            person.preferred_currency,
            person.time_zone,
            format!("{:.0}", person.created_at),
        ]);
    }
    output::lines(output::table(&rows))
}

/// The id of the user with an e-mail address, or `None` without an address.
///
/// # Errors
/// No user with the address.
pub(super) async fn find_id(client: &Client, email: Option<&str>) -> Result<Option<Uuid>, CommandError> {
    match email {
        Some(email) => Ok(Some(find(client, email).await?.user_id)),
        None => Ok(None),
    }
}

/// The user with an e-mail address.
///
/// # Errors
/// No user with the address.
pub(super) async fn find(client: &Client, email: &str) -> Result<Person, CommandError> {
    people::find_by_email(client, email).await?.ok_or_else(|| {
        let rule = "must be the e-mail address of a user; `passbook-admin user list` shows them";
        CommandError::input(Fault::new("--user", rule).received(email))
    })
}
