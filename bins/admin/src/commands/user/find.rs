//! The user that an argument or a flag names.

use passbook_ingest::people::{self, Person};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::error::CommandError;

/// The id of the user with an e-mail address, or `None` without an address.
///
/// # Errors
/// No user with the address.
pub(in crate::commands) async fn find_id(
    client: &Client,
    email: Option<&str>,
) -> Result<Option<Uuid>, CommandError> {
    match email {
        Some(email) => Ok(Some(find(client, email).await?.user_id)),
        None => Ok(None),
    }
}

/// The user with the e-mail address of the flag `--user`.
///
/// # Errors
/// No user with the address.
pub(in crate::commands) async fn find(client: &Client, email: &str) -> Result<Person, CommandError> {
    find_by_argument(client, "--user", email).await
}

/// The user with the e-mail address of the argument `EMAIL`.
///
/// # Errors
/// No user with the address.
pub(super) async fn find_by_email(client: &Client, email: &str) -> Result<Person, CommandError> {
    find_by_argument(client, "EMAIL", email).await
}

async fn find_by_argument(client: &Client, argument: &str, email: &str) -> Result<Person, CommandError> {
    people::find_by_email(client, email).await?.ok_or_else(|| {
        let rule = "must be the e-mail address of a user; `passbook-admin user list` shows them";
        CommandError::input(Fault::new(argument, rule).received(email))
    })
}
