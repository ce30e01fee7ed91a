//! Rows that are stored for an account of the input and that the input lacks.
//!
//! A bundle adds to what is stored, so they stay. A ledger is the whole truth about its accounts, so holdings and
//! balances that it no longer has go. A transaction that it no longer has is refused, unless the person says that
//! it is to be removed: an entry that was edited has a new identifier, and its former row would count twice.

use tokio_postgres::Transaction;

use super::fault::{Fault, Faults, from_database};
use super::{LoadError, Summary, TableSummary};

const FIND: &str = include_str!("../../sql/find_absent.sql");
const REMOVE: &str = include_str!("../../sql/remove_absent.sql");
/// The tables that may hold such rows, as `remove_absent.sql` counts them.
const TABLES: [&str; 3] = ["transactions", "balance_snapshots", "holdings"];

/// What becomes of rows that are stored for an account of the input and that the input lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Absent {
    /// They stay: the input adds to what is stored.
    #[default]
    Keep,
    /// Transactions are a fault that names the account; holdings and balance snapshots are removed.
    Refuse,
    /// All of them are removed.
    Remove,
}

/// Notes a fault for each account that has such transactions.
pub(super) async fn refuse(transaction: &Transaction<'_>, faults: &mut Faults) -> Result<(), LoadError> {
    let rows = transaction.query(FIND, &[]).await.map_err(LoadError::Database)?;
    for row in rows {
        let (place, count): (String, i64) = (row.get(0), row.get(1));
        let rule = format!(
            "must hold everything that is stored for this account, but lacks {count} stored transactions: \
             say --replace to remove them"
        );
        faults.add(Fault { place, rule, received: None });
    }
    Ok(())
}

/// Removes such rows and counts them into the summary.
pub(super) async fn remove(transaction: &Transaction<'_>, summary: &mut Summary) -> Result<(), LoadError> {
    let row = transaction.query_one(REMOVE, &[]).await;
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
