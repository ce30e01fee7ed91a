//! The transaction that a command concerns.

use clap::Args;
use jiff::civil::Date;
use passbook_ingest::import::{self, FoundRow, Wanted};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::chosen::cents;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry};
use crate::output;

/// Maximum number of transactions that a message lists.
const LISTED_MAX: i64 = 20;

/// The filters that narrow the transactions with a text.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct RowFilter {
    /// Day of the transaction
    #[arg(long, value_name = "DAY")]
    pub(crate) on: Option<Date>,
    /// Amount of the transaction, with or without sign
    #[arg(long, value_parser = cents, allow_negative_numbers = true)]
    pub(crate) amount: Option<i64>,
}

/// A transaction.
#[derive(Clone, Debug, Args)]
pub(crate) struct Row {
    /// Text in merchant or title of the transaction, or its id or the end of it
    #[arg(value_name = "ROW")]
    pub(crate) transaction: String,
    #[command(flatten)]
    pub(crate) filter: RowFilter,
}

impl Row {
    /// Returns the only transaction that fits, from a file or not.
    pub(super) async fn find(&self, client: &Client, user_id: Uuid) -> Result<FoundRow, CommandError> {
        find(client, user_id, &self.transaction, self.filter, false).await
    }
}

/// Returns the only transaction that fits text, day and amount.
pub(super) async fn find(
    client: &Client,
    user_id: Uuid,
    text: &str,
    filter: RowFilter,
    imported_only: bool,
) -> Result<FoundRow, CommandError> {
    let wanted = Wanted { text, day: filter.on, cents: filter.amount, imported_only };
    let mut rows = import::find(client, user_id, wanted, LISTED_MAX).await?;
    let rule = match rows.len() {
        1 => return Ok(rows.remove(0)),
        0 if imported_only => "must fit an imported transaction of this user, with --on and --amount",
        0 => "must fit a transaction of this user, with --on and --amount",
        _ => {
            listing::table(&rows).iter().for_each(|line| output::note(line));
            "must fit one transaction; narrow it with --on or --amount, or give an id of the list"
        }
    };
    let fault = Fault::new("ROW", rule);
    Err(CommandError::input(if text.is_empty() { fault } else { fault.received(text) }))
}

/// Returns the transaction in one line.
pub(super) fn line(row: &FoundRow) -> String {
    let amount = listing::amount(row.cents);
    output::printable(&format!("{} {amount} {} {}", row.date, row.currency, row.title))
}

impl ListEntry for FoundRow {
    const COLUMNS: &[Column<FoundRow>] = &[
        ("date", |entry| entry.date.to_string()),
        ("amount", |entry| listing::amount(entry.cents)),
        ("currency", |entry| entry.currency.clone()),
        ("transaction", |entry| entry.title.clone()),
        ("account", |entry| entry.account.clone()),
        ("id", |entry| entry.transaction_id.to_string()),
    ];
}
