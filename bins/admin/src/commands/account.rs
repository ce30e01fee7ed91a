//! `account`: lists, shows, creates, changes and deletes accounts.

mod change;

use clap::{Args, Subcommand};
use passbook_ingest::accounts::{self, Selection, StoredAccount};
use passbook_records::id;
use tokio_postgres::Client;
use uuid::Uuid;

use super::user::{self, Owner};
use crate::chosen::{self, Choosable};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing, amount, optional};
use change::{Balance, Closing, Deletion, Merge, NewAccount, Renaming, Update};

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin account list
  passbook-admin account create Savings --bank 'My Bank' --type savings --opened-on 2024-06-03
  passbook-admin account show savings
  passbook-admin account rename savings 'Rainy days'
  passbook-admin account balance 'Rainy days' 1234.50
  passbook-admin account balance 'Rainy days' 1000 --on 2026-10-31
  passbook-admin account update 'Rainy days' --covered-from 2024-06-03
  passbook-admin account create 'Old savings' --bank 'My Bank'
  passbook-admin account merge 'Old savings' --into 'Rainy days' --dry-run
  passbook-admin account close 'Rainy days' --on 2026-11-01
  passbook-admin account delete 'Rainy days' --dry-run";

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
        #[command(flatten)]
        chosen: ChosenAccount,
        #[command(flatten)]
        listing: Listing,
    },
    /// Create an account, and its bank if there is none of this name
    Create(NewAccount),
    /// Change the name of an account
    Rename(Renaming),
    /// State the balance of an account: the present one, or that of the end of a day
    Balance(Balance),
    /// Change what is known about the balances of an account
    Update(Update),
    /// Move all files of an account to another one, and delete the account
    Merge(Merge),
    /// Close an account: it counts until the day before
    Close(Closing),
    /// Delete an account with its files, transactions and balances
    Delete(Deletion),
}

/// An account on the command line.
#[derive(Debug, Args)]
pub(crate) struct ChosenAccount {
    /// Account: its name, its id, or its id in a bundle
    pub(crate) account: String,
    #[command(flatten)]
    pub(crate) owner: Owner,
}

impl ChosenAccount {
    /// The account. Without `--user` it is one of any user.
    async fn find(&self, client: &Client) -> Result<StoredAccount, CommandError> {
        let user_id = user::find_id(client, self.owner.user.as_deref()).await?;
        find(client, "ACCOUNT", &self.account, user_id).await
    }
}

/// Runs a command on accounts.
pub(super) async fn run(client: &mut Client, command: AccountCommand) -> Result<(), CommandError> {
    match command {
        AccountCommand::List { user, listing } => {
            let user_id = user::find_id(client, user.as_deref()).await?;
            listing::print(&accounts::list(client, Selection { user_id, account_id: None }).await?, listing)
        }
        AccountCommand::Show { chosen, listing } => listing::print_one(&chosen.find(client).await?, listing),
        AccountCommand::Create(wanted) => change::create(client, &wanted).await,
        AccountCommand::Rename(wanted) => change::rename(client, &wanted).await,
        AccountCommand::Balance(wanted) => change::balance(client, &wanted).await,
        AccountCommand::Update(wanted) => change::update(client, &wanted).await,
        AccountCommand::Merge(wanted) => change::merge(client, &wanted).await,
        AccountCommand::Close(wanted) => change::close(client, &wanted).await,
        AccountCommand::Delete(wanted) => change::delete(client, &wanted).await,
    }
}

/// Returns the account that a text chooses, among those of one user or of all.
///
/// # Errors
/// No account or several. `argument` names the argument.
pub(in crate::commands) async fn find(
    client: &Client,
    argument: &str,
    text: &str,
    user_id: Option<Uuid>,
) -> Result<StoredAccount, CommandError> {
    let accounts = accounts::list(client, Selection { user_id, account_id: None }).await?;
    let account = chosen::choose(&accounts, argument, "an account", text).map_err(CommandError::input)?;
    Ok(account.clone())
}

impl Choosable for StoredAccount {
    fn id(&self) -> Uuid {
        self.account_id
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone(), format!("{} {}", self.bank, self.name)]
    }

    fn has_id(&self, text: &str) -> bool {
        id::derive(self.user_id, "account", text) == self.account_id
    }
}

impl ListEntry for StoredAccount {
    const COLUMNS: &[Column<StoredAccount>] = &[
        ("id", |entry| chosen::short(entry.account_id)),
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
