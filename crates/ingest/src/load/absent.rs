//! What is stored for a ledger and the input lacks.
//!
//! A bundle adds to what is stored. A ledger is the whole truth about its accounts, so an account, a holding, a
//! balance or a price that it no longer has goes. A transaction that it no longer has is refused, unless the person
//! says that it is to be removed: an entry that was edited has a new identifier, and its former row would count
//! twice.

use formats::{Fault, Faults};
use tokio_postgres::Transaction;
use uuid::Uuid;

use super::error::{LoadError, from_database};
use super::summary::{Summary, TableSummary};

const FIND: &str = include_str!("../../sql/find_absent.sql");
const REMOVE: &str = include_str!("../../sql/remove_absent.sql");
/// The tables that rows are removed from, as `remove_absent.sql` counts them.
const TABLES: [&str; 5] = ["transactions", "balance_snapshots", "holdings", "security_prices", "accounts"];

/// The rule of the fault for an account with stored transactions that the ledger lacks. A program that offers a way to
/// remove them can recognise the fault by this text and name that way.
pub const ABSENT_TRANSACTIONS: &str = "the ledger must contain every stored transaction of this account";

/// The ledger that the input is the whole of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaces<'a> {
    /// Whose it is.
    pub user_id: Uuid,
    /// As the `source` of its accounts names it.
    pub source: &'a str,
    /// Whether transactions that it no longer has are removed; otherwise they are a fault that names the account.
    pub remove: bool,
}

/// Notes a fault for each account with transactions that the ledger no longer has.
pub(super) async fn refuse(
    transaction: &Transaction<'_>,
    ledger: Replaces<'_>,
    faults: &mut Faults,
) -> Result<(), LoadError> {
    let rows =
        transaction.query(FIND, &[&ledger.user_id, &ledger.source]).await.map_err(LoadError::Database)?;
    for row in rows {
        let (account, count): (&str, i64) = (row.get(0), row.get(1));
        let fault = Fault::new(format!("account {account}"), ABSENT_TRANSACTIONS);
        faults.add(fault.received(format!("a ledger that lacks {count} stored transactions")));
    }
    Ok(())
}

/// Removes what the ledger no longer has and counts it into the summary.
pub(super) async fn remove(
    transaction: &Transaction<'_>,
    ledger: Replaces<'_>,
    summary: &mut Summary,
) -> Result<(), LoadError> {
    let row = transaction.query_one(REMOVE, &[&ledger.user_id, &ledger.source]).await;
    let row = row.map_err(|error| from_database(error, "what the input lacks"))?;
    for (column, table) in TABLES.into_iter().enumerate() {
        let removed = u64::try_from(row.get::<_, i64>(column)).expect("a count is never negative");
        match summary.tables.iter_mut().find(|known| known.table == table) {
            Some(known) => known.removed = removed,
            None if removed == 0 => {}
            None => {
                summary.tables.push(TableSummary { table, inserted: 0, updated: 0, unchanged: 0, removed })
            }
        }
    }
    Ok(())
}
