//! The loader: stores the records of an input in one transaction.
//!
//! A load uses the role `passbook_writer`. Records are copied in bounded batches into temporary staging tables
//! (`stage`), checked against each other and against the stored rows (`check`), and then merged table by table
//! (`store`). Rows can be removed too: those that a bundle deletes (`deletion`), and those that an imported ledger no
//! longer contains (`removal`). Any fault rolls the transaction back, so a load stores everything or nothing. Loading the
//! same records again changes nothing.

mod bounds;
mod check;
mod credential;
mod deletion;
mod permission;
pub(crate) mod removal;
mod result;
mod row;
mod stage;
mod statement;
mod store;
mod table;

use passbook_input::Faults;
use passbook_records::{FAULTS_LISTED_MAX, Located};
use tokio_postgres::{Client, Transaction};

use stage::{Stage, Staged, Staging};

pub use check::DAYS_OF_FILES;
pub use credential::credential_rules;
pub use deletion::import_that_owns;
pub use permission::{
    CREDENTIAL_NOT_PERMITTED, EVERYONE_NOT_PERMITTED, PERSON_NOT_PERMITTED, PERSON_UNKNOWN, Permission,
};
pub use removal::{
    ABSENT_TRANSACTIONS, Absent, FIRST_ROWS_MAX, REMOVAL_TOO_LARGE, Removal, RemovedTransaction, Replaces,
};
pub(crate) use result::from_database;
pub use result::{CredentialChange, LoadError, Summary, TableSummary};

/// Options of [`load`].
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// True to run everything, including checks and constraints, and then roll back.
    pub dry_run: bool,
    /// The rows that the input may write; `None` if the calling program made the records itself.
    pub permission: Option<Permission<'a>>,
    /// True to accept new transactions on days of an imported file of their account. Both count.
    pub beside_files: bool,
    /// Function that is called with the number of records that the database has received so far.
    pub progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    /// The ledger of which the input contains all rows; `None` for any other input.
    pub replaces: Option<Replaces<'a>>,
    /// Function that is called with the rows that the load removes, if any, before they are removed.
    pub on_removal: Option<&'a (dyn Fn(&Removal) + Send + Sync)>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

/// Stores every record, or none. Blocks the calling task while `records` produces the next record.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault: those of `records`, and those found among the records or against the
/// database. References are checked only if every record could be read, because a reference to an unreadable row would
/// be reported as a second fault of the same mistake. Records that [`Options::permission`] does not permit are faults. An import that would remove too many stored transactions is a
/// fault with the rule [`REMOVAL_TOO_LARGE`].
pub async fn load<I>(client: &mut Client, records: I, options: Options<'_>) -> Result<Summary, LoadError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    let transaction = client.transaction().await?;
    let summary = load_within(&transaction, records, options).await?;
    if options.dry_run {
        transaction.rollback().await?;
    } else {
        transaction.commit().await.map_err(|error| result::from_database(error, "the commit"))?;
    }
    Ok(summary)
}

/// Stores every record, or none, in an open transaction, like [`load`]. The caller commits.
pub(crate) async fn load_within<I>(
    transaction: &Transaction<'_>,
    records: I,
    options: Options<'_>,
) -> Result<Summary, LoadError>
where
    I: Iterator<Item = Result<Located, Faults>> + Send,
{
    let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
    let staging = Staging::new(transaction);
    let mut stage = Stage::open(&staging, options.progress).await?;
    let rejects_credentials = options.permission.is_some_and(|permission| !permission.credentials);
    let mut rejected = Vec::new();
    for record in records {
        match record {
            Ok(Located { place, record })
                if rejects_credentials
                    && permission::reject_credential(&record, &place, &mut rejected, &mut faults) => {}
            Ok(located) => {
                credential::check(&located, &mut faults);
                bounds::check(&located, &mut faults);
                stage.add(located).await?;
            }
            Err(found) => faults.append(found),
        }
    }
    let staged = stage.finish().await?;
    let all_records_were_read = faults.is_empty();
    deletion::resolve(&staging, &staged).await?;
    check::check(&staging, &staged, all_records_were_read, options.beside_files, &mut faults).await?;
    deletion::check(&staging, &staged, all_records_were_read, &mut faults).await?;
    let people = match options.permission {
        Some(permission) => permission::check(&staging, permission, &staged, &mut faults).await?,
        None => Vec::new(),
    };
    if let Some(ledger) = options.replaces.filter(|ledger| ledger.absent == Absent::Reject) {
        removal::report_absent(&staging, ledger, &mut faults).await?;
    }
    if !faults.is_empty() {
        return Err(LoadError::Faults(faults.into_list()));
    }
    announce_removal(&staging, &staged, options).await?;
    let credentials = credential::find_changes(&staging, &staged).await?;
    let mut summary = Summary { people, credentials, ..store::store(&staging, &staged).await? };
    if let Some(ledger) = options.replaces {
        removal::remove_absent(&staging, ledger, &mut summary).await?;
    }
    Ok(summary)
}

/// Calls [`Options::on_removal`] with the rows that the load removes.
async fn announce_removal(
    staging: &Staging<'_>,
    staged: &Staged,
    options: Options<'_>,
) -> Result<(), LoadError> {
    let ledger = options.replaces.filter(|ledger| ledger.absent != Absent::Reject);
    let removal = match ledger {
        Some(ledger) => removal::preview_absent(staging, ledger).await?,
        None if staged.deleted.is_empty() => return Ok(()),
        None => deletion::preview(staging, staged).await?,
    };
    if let Some(on_removal) = options.on_removal.filter(|_| !removal.is_empty()) {
        on_removal(&removal);
    }
    let is_limited = ledger.is_some_and(|ledger| ledger.absent == Absent::Remove);
    if is_limited && removal.needs_confirmation() {
        return Err(LoadError::Faults(vec![removal.too_large()]));
    }
    Ok(())
}
