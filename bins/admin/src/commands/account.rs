//! `account`: lists and shows accounts.

mod entry;

use passbook_ingest::accounts::{self, Selection};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use super::user;
use crate::arguments::{AccountCommand, Listing};
use crate::error::CommandError;
use crate::listing;
use entry::AccountEntry;

/// Runs a command on accounts.
pub(super) async fn run(client: &Client, command: AccountCommand) -> Result<(), CommandError> {
    match command {
        AccountCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        AccountCommand::Show { account_id, user, listing } => {
            show(client, account_id, user.as_deref(), listing).await
        }
    }
}

/// Prints the accounts of one user or of all users.
async fn list(client: &Client, email: Option<&str>, listing: Listing) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    listing::print(&entries(client, Selection { user_id, account_id: None }).await?, listing)
}

/// Prints one account.
async fn show(
    client: &Client,
    account_id: Uuid,
    email: Option<&str>,
    listing: Listing,
) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let entries = entries(client, Selection { user_id, account_id: Some(account_id) }).await?;
    let fault = |rule| CommandError::input(Fault::new("ACCOUNT_ID", rule).received(account_id.to_string()));
    match &entries[..] {
        [entry] => listing::print_one(entry, listing),
        [] => Err(fault("must be the id of an account; `passbook-admin account list` shows them")),
        [_, _, ..] => {
            Err(fault("must be given with --user, because several users have an account with this id"))
        }
    }
}

async fn entries(client: &Client, selection: Selection) -> Result<Vec<AccountEntry>, CommandError> {
    Ok(accounts::list(client, selection).await?.into_iter().map(AccountEntry::from).collect())
}
