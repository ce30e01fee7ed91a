//! Restores a backup of the last development version with another schema. To be deleted at the first release.

use passbook_input::Fault;
use tokio_postgres::Transaction;

use super::BackupError;
use super::catalog::SESSION;
use super::file::{BackupFile, next, next_table};
use super::manifest::{Manifest, TableEntry};
use super::restore::copy;
use crate::load::from_database;

/// Separates the statements that create the temporary tables from those that store the rows.
const SEPARATOR: &str = "-- ROWS\n";

/// Stores all rows of a verified backup of another development version in an empty database. `statements` is the text
/// `passbook_schema::FROM_VERSION_23`. The caller commits.
///
/// `progress` is called after each table, with the number of rows that have been read so far.
///
/// # Errors
/// [`BackupError::Faults`] if a table or a column of the backup is unknown, or a row breaks a constraint.
pub async fn restore_development_version(
    transaction: &Transaction<'_>,
    backup: &BackupFile,
    statements: &str,
    progress: &(dyn Fn(u64) + Send + Sync),
) -> Result<(), BackupError> {
    let (tables, store) = statements.split_once(SEPARATOR).unwrap_or((statements, ""));
    transaction.batch_execute(SESSION).await?;
    transaction.batch_execute(tables).await?;
    let mut archive = backup.archive()?;
    let read_error = |error| BackupError::File("read", error);
    let mut contents = archive.entries().map_err(read_error)?.raw(true);
    next(&mut contents, Manifest::PATH)?;
    let mut rows = 0;
    for listed in &backup.manifest().tables {
        let mut content = next_table(&mut contents, listed)?;
        require_columns(transaction, listed).await?;
        let receive = format!("copy pg_temp.v23_{} from stdin (format csv, header match)", listed.name);
        copy(transaction, &receive, &listed.name, &mut content).await?;
        rows += listed.rows;
        progress(rows);
    }
    let stored = transaction.batch_execute(store).await;
    stored.map_err(|error| from_database(error, "the rows of the backup"))?;
    let check_links = transaction.batch_execute("set constraints all immediate").await;
    check_links.map_err(|error| from_database(error, "the links between rows"))?;
    Ok(())
}

/// Returns an error unless a temporary table has the name and the columns of a table of the backup.
async fn require_columns(transaction: &Transaction<'_>, listed: &TableEntry) -> Result<(), BackupError> {
    let query = "select array_agg(attname::text order by attnum) from pg_attribute \
                 where attrelid = to_regclass('pg_temp.' || quote_ident('v23_' || $1::text)) and attnum > 0";
    let columns: Option<Vec<String>> = transaction.query_one(query, &[&listed.name]).await?.try_get(0)?;
    let columns = columns.unwrap_or_default();
    if !columns.is_empty() && columns == listed.columns {
        return Ok(());
    }
    let rule = format!("must be a table of this version, with the columns {}", columns.join(", "));
    let received = format!("{} ({})", listed.name, listed.columns.join(", "));
    Err(BackupError::fault(Fault::new(format!("{}: tables", Manifest::PATH), rule).received(received)))
}
