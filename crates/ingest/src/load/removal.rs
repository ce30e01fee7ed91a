//! The stored rows that a load removes, with a preview for the person who runs the load.
//!
//! A load marks the transactions that it is going to remove in a temporary table, whatever the reason is: an import that
//! lacks them, or a bundle that deletes them. The preview is read from the marks before any row is removed.

use jiff::civil::Date;
use passbook_input::{Fault, Faults};
use tokio_postgres::Transaction;
use uuid::Uuid;

use super::result::{LoadError, Summary, from_database};
use super::stage::Staging;
use crate::count;

const CREATE: &str = include_str!("../../sql/create_removed_transactions.sql");
const FIRST: &str = include_str!("../../sql/removed_transactions.sql");
const BY_ACCOUNT: &str = include_str!("../../sql/removed_transactions_by_account.sql");

/// Maximum number of removed transactions that a preview contains.
pub const FIRST_ROWS_MAX: usize = 20;

/// The rule of the fault for an import that would remove too many stored transactions. A program that offers a way to
/// confirm the removal can recognise the fault by this text, and name that way.
pub const REMOVAL_TOO_LARGE: &str = "must contain at least half of the stored transactions";

/// The share of the stored transactions that an import may remove without confirmation, as a divisor: 2 means a half.
const UNCONFIRMED_SHARE_DIVISOR: u64 = 2;

/// The stored rows that a load removes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// Number of stored transactions before the load: those of the imported ledger, or of the people whose
    /// transactions are deleted.
    pub stored: u64,
    /// Number of transactions that are removed.
    pub transactions: u64,
    /// The first removed transactions by date, at most [`FIRST_ROWS_MAX`].
    pub first: Vec<RemovedTransaction>,
    /// The name of each account with removed transactions, and their number.
    pub by_account: Vec<(String, u64)>,
    /// Each other table with removed rows, and their number. Empty for an import, whose summary contains these numbers.
    pub other_tables: Vec<(&'static str, u64)>,
}

from_row! {
    /// A transaction that a load removes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RemovedTransaction {
        /// The day of the booking.
        pub date: Date,
        /// The amount from the side of the account: money spent is negative.
        pub amount_cents: i64,
        /// The ISO 4217 code of the currency.
        pub currency: String,
        /// The text that identifies the transaction in a list.
        pub title: String,
        /// The name of the account.
        pub account: String,
    }
}

impl Removal {
    /// Returns true if no row is removed.
    pub(crate) fn is_empty(&self) -> bool {
        self.transactions == 0 && self.other_tables.is_empty()
    }

    /// Returns true if more of the stored transactions are removed than an import may remove without confirmation.
    pub(crate) fn needs_confirmation(&self) -> bool {
        self.transactions > self.stored / UNCONFIRMED_SHARE_DIVISOR
    }

    /// Returns the fault for a removal that needs confirmation.
    pub(crate) fn too_large(&self) -> Fault {
        let received = format!("an input that lacks {} of {}", self.transactions, self.stored);
        Fault::new("the input", REMOVAL_TOO_LARGE).received(received)
    }
}

/// Creates the temporary table of marks, `pg_temp.removed_transactions`, for one transaction.
pub(crate) async fn open(transaction: &Transaction<'_>) -> Result<(), LoadError> {
    Ok(transaction.batch_execute(CREATE).await?)
}

/// Marks transactions with a statement that inserts into the table of marks. Returns the statement's result, the number
/// of stored transactions among which they were found.
pub(crate) async fn mark(
    transaction: &Transaction<'_>,
    statement: &str,
    parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
) -> Result<u64, LoadError> {
    let row = transaction.query_one(statement, parameters).await?;
    Ok(count(&row, 0))
}

/// Reads the preview of the marked transactions.
pub(crate) async fn preview(transaction: &Transaction<'_>, stored: u64) -> Result<Removal, LoadError> {
    let limit = i64::try_from(FIRST_ROWS_MAX).expect("a small number");
    let first = crate::select(transaction, FIRST, &[&limit]).await?;
    let rows = transaction.query(BY_ACCOUNT, &[]).await?;
    let by_account: Vec<(String, u64)> = rows.iter().map(|row| (row.get(0), count(row, 1))).collect();
    let transactions = by_account.iter().map(|(_, number)| number).sum();
    Ok(Removal { stored, transactions, first, by_account, other_tables: Vec::new() })
}

const FIND: &str = include_str!("../../sql/find_absent.sql");
const MARK: &str = include_str!("../../sql/mark_absent.sql");
const REMOVE: &str = include_str!("../../sql/remove_absent.sql");
/// The tables from which rows are removed, in the order of the columns of `remove_absent.sql`.
const TABLES: [&str; 6] =
    ["transactions", "balance_snapshots", "holdings", "security_prices", "accounts", "banks"];

/// The rule of the fault for an account with stored transactions that the ledger lacks. A program that offers a way to
/// remove such transactions can recognise the fault by this text, and name that way.
pub const ABSENT_TRANSACTIONS: &str = "the ledger must contain every stored transaction of this account";

/// The ledger of which an input contains all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaces<'a> {
    /// The person who owns the ledger.
    pub user_id: Uuid,
    /// Text in the field `source` of the ledger's accounts.
    pub source: &'a str,
    /// The treatment of stored transactions that the ledger no longer contains.
    pub absent: Absent,
}

/// The treatment of stored transactions that a ledger no longer contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// They cause a fault that names their account.
    Reject,
    /// They are removed if they are at most half of the ledger's stored transactions.
    Remove,
    /// They are removed, however many they are.
    RemoveAny,
}

/// Adds a fault for each account that has stored transactions which the ledger no longer contains.
pub(super) async fn report_absent(
    staging: &Staging<'_>,
    ledger: Replaces<'_>,
    faults: &mut Faults,
) -> Result<(), LoadError> {
    let rows = staging.query(FIND, &[&ledger.user_id, &ledger.source]).await?;
    for row in rows {
        let (account, count): (&str, i64) = (row.get(0), row.get(1));
        let fault = Fault::new(format!("account {account}"), ABSENT_TRANSACTIONS);
        faults.push(fault.received(format!("a ledger that lacks {count} stored transactions")));
    }
    Ok(())
}

/// Returns the preview of the stored transactions that the ledger no longer contains.
pub(super) async fn preview_absent(
    staging: &Staging<'_>,
    ledger: Replaces<'_>,
) -> Result<Removal, LoadError> {
    staging.create(MARK).await?;
    open(staging.transaction).await?;
    let stored = mark(staging.transaction, MARK, &[&ledger.user_id, &ledger.source]).await?;
    preview(staging.transaction, stored).await
}

/// Removes the stored rows that the ledger no longer contains, and adds their number to the summary.
pub(super) async fn remove_absent(
    staging: &Staging<'_>,
    ledger: Replaces<'_>,
    summary: &mut Summary,
) -> Result<(), LoadError> {
    let row = staging.query_one(REMOVE, &[&ledger.user_id, &ledger.source]).await;
    let row = row.map_err(|error| from_database(error, "what the input lacks"))?;
    for (column, table) in TABLES.into_iter().enumerate() {
        let removed = count(&row, column);
        if removed > 0 {
            summary.table(table).removed += removed;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removal_of_more_than_half_needs_confirmation() {
        for (transactions, stored, expected) in [
            (0, 0, false),
            (0, 3, false),
            (1, 1, true),
            (1, 2, false),
            (1, 3, false),
            (2, 3, true),
            (2, 4, false),
        ] {
            let removal = Removal { stored, transactions, ..Removal::default() };
            assert_eq!(removal.needs_confirmation(), expected, "{transactions} of {stored}");
        }
    }
}
