//! Handles rows that are stored for a ledger but absent from the input.
//!
//! A bundle adds rows; a ledger contains all rows of its accounts. So stored accounts, holdings, balances and prices
//! that the ledger lacks are removed. A stored transaction that the ledger lacks is a fault unless its removal is
//! requested: an edited entry has a new identifier, and the row of the former entry would count a second time.

use passbook_input::{Fault, Faults};
use tokio_postgres::Transaction;
use uuid::Uuid;

use super::error::{LoadError, from_database};
use super::removal::{self, Removal};
use super::summary::Summary;

const FIND: &str = include_str!("../../sql/find_absent.sql");
const MARK: &str = include_str!("../../sql/mark_absent.sql");
const REMOVE: &str = include_str!("../../sql/remove_absent.sql");
/// The tables from which rows are removed, in the order of the columns of `remove_absent.sql`.
const TABLES: [&str; 5] = ["transactions", "balance_snapshots", "holdings", "security_prices", "accounts"];

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
pub(super) async fn report(
    transaction: &Transaction<'_>,
    ledger: Replaces<'_>,
    faults: &mut Faults,
) -> Result<(), LoadError> {
    let rows =
        transaction.query(FIND, &[&ledger.user_id, &ledger.source]).await.map_err(LoadError::Database)?;
    for row in rows {
        let (account, count): (&str, i64) = (row.get(0), row.get(1));
        let fault = Fault::new(format!("account {account}"), ABSENT_TRANSACTIONS);
        faults.push(fault.received(format!("a ledger that lacks {count} stored transactions")));
    }
    Ok(())
}

/// Returns the preview of the stored transactions that the ledger no longer contains.
pub(super) async fn preview(
    transaction: &Transaction<'_>,
    ledger: Replaces<'_>,
) -> Result<Removal, LoadError> {
    removal::open(transaction).await?;
    let stored = removal::mark(transaction, MARK, &[&ledger.user_id, &ledger.source]).await?;
    removal::preview(transaction, stored).await
}

/// Removes the stored rows that the ledger no longer contains, and adds their number to the summary.
pub(super) async fn remove(
    transaction: &Transaction<'_>,
    ledger: Replaces<'_>,
    summary: &mut Summary,
) -> Result<(), LoadError> {
    let row = transaction.query_one(REMOVE, &[&ledger.user_id, &ledger.source]).await;
    let row = row.map_err(|error| from_database(error, "what the input lacks"))?;
    for (column, table) in TABLES.into_iter().enumerate() {
        let removed = u64::try_from(row.get::<_, i64>(column)).expect("a count is never negative");
        if removed > 0 {
            summary.table(table).removed += removed;
        }
    }
    Ok(())
}
