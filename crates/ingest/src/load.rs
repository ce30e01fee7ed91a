//! The loader: the one way that records enter the database.
//!
//! A load is one transaction of the role `passbook_writer`. Records are streamed in bounded batches into
//! temporary staging tables (`stage`), checked against one another and against what is stored (`check`), and
//! then merged table by table (`store`). Any fault aborts all of it, so a load stores everything or nothing,
//! and storing the same records again changes nothing.
//!
//! The loader stores a transaction as its record says. *What* a movement is, is decided by whoever makes the
//! record, by one rule: a movement between the owner's own accounts is an `INTERNAL_TRANSFER`, which never
//! counts, only when its counterpart is linked. Unmatched, money in is `INCOME`/`TRANSFER_IN` and money out
//! is `EXPENSE`/`TRANSFER_OUT`, so that totals agree with balances. Two exceptions stay internal without a
//! link: loan proceeds (marked `X` without a star in `plaid_categories.csv`), because borrowed money is not
//! income, and rows that the person marks as having their counterpart outside Passbook (`counterpart_outside`
//! in a bundle).

mod absent;
mod cell;
mod check;
mod columns;
mod credential;
mod error;
mod row;
mod stage;
mod statement;
mod store;
mod summary;
mod table;

pub use absent::{ABSENT_TRANSACTIONS, Replaces};
pub use error::LoadError;
pub use summary::{Summary, TableSummary};

use formats::{Faults, Located};
use stage::Stage;
use tokio_postgres::Client;

/// How to load.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Do everything, checks and constraints included, and store nothing.
    pub dry_run: bool,
    /// Called with the number of records received by the database so far.
    pub progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    /// The ledger that the input is the whole of; none when the input adds to what is stored.
    pub replaces: Option<Replaces<'a>>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

/// Stores every record, or none. Blocks the calling task while `records` produces the next one.
///
/// # Errors
///
/// [`LoadError::Faults`] lists everything wrong with the input: the faults that `records` yields and those
/// that show only among records or against the database. References are checked only when every record could
/// be read, since a reference to a row that was refused would be reported for nothing.
pub async fn load<I>(client: &mut Client, records: I, options: Options<'_>) -> Result<Summary, LoadError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    let transaction = client.transaction().await.map_err(LoadError::Database)?;
    let mut faults = Faults::default();
    let mut stage = Stage::open(&transaction, options.progress).await?;
    for record in records {
        match record {
            Ok(located) => {
                credential::check(&located, &mut faults);
                stage.add(located).await?;
            }
            Err(found) => faults.append(found),
        }
    }
    let staged = stage.finish().await?;
    check::check(&transaction, &staged, &mut faults).await?;
    if let Some(ledger) = options.replaces.filter(|ledger| !ledger.remove) {
        absent::refuse(&transaction, ledger, &mut faults).await?;
    }
    if !faults.is_empty() {
        return Err(LoadError::Faults(faults.into_list()));
    }
    let mut summary = store::store(&transaction, &staged).await?;
    if let Some(ledger) = options.replaces {
        absent::remove(&transaction, ledger, &mut summary).await?;
    }
    if options.dry_run {
        transaction.rollback().await.map_err(LoadError::Database)?;
    } else {
        transaction.commit().await.map_err(|error| error::from_database(error, "the commit"))?;
    }
    Ok(summary)
}
