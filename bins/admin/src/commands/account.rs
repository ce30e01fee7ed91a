//! `account`: lists, shows and updates accounts.

use clap::{Args, Subcommand};
use jiff::civil::Date;
use passbook_ingest::accounts::{self, AccountChanges, Selection, StoredAccount};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use super::transaction::{self, Rehearsal};
use super::user;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing, amount, optional};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin account list --user you@example.org
  passbook-admin account list --output json
  passbook-admin account show ACCOUNT_ID --user you@example.org
  passbook-admin account update ACCOUNT_ID --opened-on 2024-06-03";

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
    /// Change what is known about the balances of an account
    Update(AccountUpdate),
}

/// The new values of an account.
#[derive(Debug, Args)]
pub(crate) struct AccountUpdate {
    /// Id of the account, from `account list`
    account_id: Uuid,
    /// E-mail address of the owner, needed only if several users have an account with this id
    #[arg(long, value_name = "EMAIL")]
    user: Option<String>,
    #[command(flatten)]
    changes: ChangedDays,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// The days of an account that can be changed. At least one must be given.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct ChangedDays {
    /// Day on which the account was opened: the balance before was 0
    #[arg(long, value_name = "DAY")]
    opened_on: Option<Date>,
    /// First day from which on a loader has stored every transaction
    #[arg(long, value_name = "DAY")]
    rows_complete_from: Option<Date>,
}

/// Runs a command on accounts.
pub(super) async fn run(client: &mut Client, command: AccountCommand) -> Result<(), CommandError> {
    match command {
        AccountCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        AccountCommand::Show { account_id, user, listing } => {
            show(client, account_id, user.as_deref(), listing).await
        }
        AccountCommand::Update(wanted) => update(client, &wanted).await,
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
    listing::print_one(&entry(client, account_id, email).await?, listing)
}

/// Changes the days of one account.
async fn update(client: &mut Client, wanted: &AccountUpdate) -> Result<(), CommandError> {
    let account = entry(client, wanted.account_id, wanted.user.as_deref()).await?;
    let AccountUpdate { changes: ChangedDays { opened_on, rows_complete_from }, account_id, .. } = *wanted;
    if let (Some(opened), Some(closed)) = (opened_on, account.closed_on)
        && opened > closed
    {
        let fault =
            Fault::new("--opened-on", format!("must not be after {closed}, when the account was closed"));
        return Err(CommandError::input(fault.received(opened.to_string())));
    }
    let transaction = transaction::begin(client).await?;
    let changes = AccountChanges { opened_on, rows_complete_from };
    accounts::update(&transaction, &account.email, account_id, changes).await?;
    transaction::end(transaction, wanted.rehearsal).await?;
    output::lines([format!("updated {account_id}")])
}

/// Returns the account with an id.
async fn entry(
    client: &Client,
    account_id: Uuid,
    email: Option<&str>,
) -> Result<StoredAccount, CommandError> {
    let user_id = user::find_id(client, email).await?;
    let mut entries = entries(client, Selection { user_id, account_id: Some(account_id) }).await?;
    let rule = match entries.len() {
        0 => "must be the id of an account; `passbook-admin account list` shows them",
        1 => return Ok(entries.remove(0)),
        _ => "must be given with --user, because several users have an account with this id",
    };
    Err(CommandError::input(Fault::new("ACCOUNT_ID", rule).received(account_id.to_string())))
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
        ("balance", |entry| entry.balance_cents.map_or_else(String::new, amount)),
        ("state", |entry| entry.closed_on.map_or_else(|| "open".to_owned(), |day| format!("closed {day}"))),
        ("opened on", |entry| optional(entry.opened_on.as_ref())),
        ("complete from", |entry| optional(entry.rows_complete_from.as_ref())),
        ("transactions", |entry| entry.transactions.to_string()),
        ("first day", |entry| optional(entry.first_day.as_ref())),
        ("last day", |entry| optional(entry.last_day.as_ref())),
        ("source", |entry| optional(entry.source.as_ref())),
    ];
}
