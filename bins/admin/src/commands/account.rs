//! `account`: lists and shows accounts.

use clap::Subcommand;
use passbook_ingest::accounts::{self, Selection, StoredAccount};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use super::user;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing, amount, optional};

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin account list --user you@example.org
  passbook-admin account list --output json
  passbook-admin account show ACCOUNT_ID --user you@example.org";

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// List accounts with balance and number of transactions
    List {
        /// List only the accounts of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Show one account
    Show {
        /// Id of the account, from `account list`
        account_id: Uuid,
        /// E-mail address of the owner, needed only if several users have an account with this id
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
}

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

async fn entries(client: &Client, selection: Selection) -> Result<Vec<StoredAccount>, CommandError> {
    Ok(accounts::list(client, selection).await?)
}

impl ListEntry for StoredAccount {
    const COLUMNS: &[Column<StoredAccount>] = &[
        ("id", |entry| entry.account_id.to_string()),
        ("user", |entry| entry.email.clone()),
        ("bank", |entry| entry.bank.clone()),
        ("name", |entry| entry.name.clone()),
        ("type", |entry| format!("{}/{}", entry.kind, entry.subtype)),
        ("currency", |entry| entry.currency.clone()),
        ("balance", |entry| amount(entry.balance_cents)),
        ("state", |entry| entry.closed_on.map_or_else(|| "open".to_owned(), |day| format!("closed {day}"))),
        ("transactions", |entry| entry.transactions.to_string()),
        ("first day", |entry| optional(entry.first_day.as_ref())),
        ("last day", |entry| optional(entry.last_day.as_ref())),
        ("source", |entry| optional(entry.source.as_ref())),
    ];
}
