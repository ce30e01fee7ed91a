//! `account`: lists, shows, creates, changes and deletes accounts.

mod change;

use std::collections::HashMap;

use clap::{Args, Subcommand};
use jiff::civil::Date;
use passbook_ingest::accounts::{self, Selection, StoredAccount};
use passbook_records::id;
use serde::Serialize;
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
    #[command(alias = "add")]
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
            listing::print(&with_balances(client, list(client, user_id).await?).await?, listing)
        }
        AccountCommand::Show { chosen, listing } => {
            let account = vec![chosen.find(client).await?];
            let shown = with_balances(client, account).await?;
            shown.first().map_or(Ok(()), |account| listing::print_one(account, listing))
        }
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
    let accounts = list(client, user_id).await?;
    let account = chosen::choose(&accounts, argument, "an account", text).map_err(CommandError::input)?;
    Ok(account.clone())
}

/// Returns the accounts of one user or of all.
pub(in crate::commands) async fn list(
    client: &Client,
    user_id: Option<Uuid>,
) -> Result<Vec<StoredAccount>, CommandError> {
    Ok(accounts::list(client, Selection { user_id, account_id: None }).await?)
}

/// An account with its balance today.
#[derive(Debug, Serialize)]
pub(in crate::commands) struct AccountToday {
    #[serde(flatten)]
    pub(in crate::commands) account: StoredAccount,
    /// The balance in hundredths; `None` if it is unknown. Money owed is negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) balance_cents: Option<i64>,
    /// True if rows may be missing since the newest stated balance.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
    /// The day of the newest stated balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) balance_as_of: Option<Date>,
}

/// Adds the balances today, by the rule of the server.
pub(in crate::commands) async fn with_balances(
    client: &Client,
    accounts: Vec<StoredAccount>,
) -> Result<Vec<AccountToday>, CommandError> {
    let mut users: Vec<Uuid> = accounts.iter().map(|account| account.user_id).collect();
    users.dedup();
    let mut balances = HashMap::new();
    for user_id in users {
        // Views show the rows of the user of the transaction.
        client.batch_execute("begin read only").await?;
        let user = "select set_config('app.user_id', $1::uuid::text, true)";
        client.query_one(user, &[&user_id]).await?;
        let today = passbook_store::balances_today(client, user_id).await;
        client.batch_execute("commit").await?;
        let failed = |error| CommandError::internal("the balances cannot be read", &error);
        balances.extend(today.map_err(failed)?.into_iter().map(|one| ((user_id, one.account_id), one)));
    }
    let with_balance = |account: StoredAccount| {
        let found = balances.get(&(account.user_id, account.account_id));
        let balance = found.and_then(|found| found.balance);
        AccountToday {
            account,
            balance_cents: balance.map(|balance| balance.cents),
            estimated: balance.is_some_and(|balance| balance.estimated),
            balance_as_of: found.and_then(|found| found.as_of),
        }
    };
    Ok(accounts.into_iter().map(with_balance).collect())
}

impl Choosable for StoredAccount {
    fn id(&self) -> Uuid {
        self.account_id
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone(), format!("{} {}", self.bank, self.name)]
    }

    fn shown(&self) -> String {
        format!("{} {}, {}", self.bank, self.name, self.currency)
    }

    fn has_id(&self, text: &str) -> bool {
        id::derive(self.user_id, "account", text) == self.account_id
    }
}

impl ListEntry for AccountToday {
    const COLUMNS: &[Column<AccountToday>] = &[
        ("id", |entry| chosen::short(entry.account.account_id)),
        ("user", |entry| entry.account.email.clone()),
        ("bank", |entry| entry.account.bank.clone()),
        ("name", |entry| entry.account.name.clone()),
        ("type", |entry| format!("{}/{}", entry.account.kind, entry.account.subtype)),
        ("currency", |entry| entry.account.currency.clone()),
        ("balance", |entry| entry.balance_cents.map_or_else(String::new, amount)),
        ("as of", |entry| optional(entry.balance_as_of.as_ref())),
        ("state", |entry| {
            entry.account.closed_on.map_or_else(|| "open".to_owned(), |day| format!("closed {day}"))
        }),
        ("opened on", |entry| optional(entry.account.opened_on.as_ref())),
        ("complete from", |entry| optional(entry.account.rows_complete_from.as_ref())),
        ("transactions", |entry| entry.account.transactions.to_string()),
        ("first day", |entry| optional(entry.account.first_day.as_ref())),
        ("last day", |entry| optional(entry.account.last_day.as_ref())),
        ("source", |entry| optional(entry.account.source.as_ref())),
    ];
}
