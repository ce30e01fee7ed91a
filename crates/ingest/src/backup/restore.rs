//! Restores a backup into an empty database.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::pin::pin;

use bytes::Bytes;
use futures_util::SinkExt as _;
use passbook_input::{Fault, Faults};
use tokio_postgres::Transaction;

use super::catalog::{SESSION, Table};
use super::create::export;
use super::file::{BackupFile, Content, PIECE_BYTES, next, next_table};
use super::manifest::{Manifest, TableEntry};
use super::{BackupError, catalog};
use crate::load::from_database;

/// The table that has a row in an empty database, because the migrations insert a default.
const TABLE_WITH_DEFAULT: &str = "base_currency";

/// Locks all tables against other writers, and returns an error if any has a row.
///
/// # Errors
/// [`BackupError::NotEmpty`] with the names of the tables, and [`BackupError::HiddenRows`] if the role of the
/// transaction may not see all rows.
pub async fn require_empty(transaction: &Transaction<'_>) -> Result<(), BackupError> {
    let tables = catalog::tables(transaction).await?;
    catalog::lock(transaction, &tables, "share row exclusive").await?;
    catalog::require_visible_rows(&tables)?;
    let mut filled = Vec::new();
    for table in tables.iter().filter(|table| table.name != TABLE_WITH_DEFAULT) {
        let query = format!("select exists (select from {})", table.qualified);
        if transaction.query_one(&query, &[]).await?.try_get(0)? {
            filled.push(table.name.clone());
        }
    }
    if filled.is_empty() { Ok(()) } else { Err(BackupError::NotEmpty(filled)) }
}

/// Stores all rows of a verified backup in an empty database with the backup's schema version. The role of the
/// transaction must be allowed to write all rows. The caller commits.
///
/// `progress` is called after each table, with the number of rows that have been stored so far.
///
/// # Errors
/// [`BackupError::Faults`] if a table or a column of the backup differs from the schema, a row breaks a constraint, or
/// a stored table differs from the backup.
pub async fn restore(
    transaction: &Transaction<'_>,
    backup: &BackupFile,
    progress: &(dyn Fn(u64) + Send + Sync),
) -> Result<(), BackupError> {
    transaction.batch_execute(SESSION).await?;
    let tables = catalog::tables(transaction).await?;
    catalog::require_visible_rows(&tables)?;
    let entries = matching(&tables, backup.manifest())?;
    stage(transaction, &entries, backup).await?;
    transaction.batch_execute(&format!("delete from passbook.{TABLE_WITH_DEFAULT}")).await?;
    let mut rows = 0;
    for position in insertion_order(&tables) {
        let (table, entry) = entries[position];
        insert(transaction, position, table, entry).await?;
        rows += entry.rows;
        progress(rows);
    }
    // Constraints on links are deferred to the commit. Checking them now makes a dry run report them too.
    let check_links = transaction.batch_execute("set constraints all immediate").await;
    check_links.map_err(|error| from_database(error, "the links between transactions"))?;
    compare(transaction, &entries).await
}

/// Returns each table of the database with its entry in the manifest.
fn matching<'a>(
    tables: &'a [Table],
    manifest: &'a Manifest,
) -> Result<Vec<(&'a Table, &'a TableEntry)>, BackupError> {
    let version = manifest.schema_version;
    let mut faults = Faults::with_limit(passbook_records::FAULTS_LISTED_MAX);
    for entry in &manifest.tables {
        if !tables.iter().any(|table| table.name == entry.name) {
            let rule = format!("must be a table of schema version {version}");
            faults.push(Fault::new(format!("{}: tables", Manifest::PATH), rule).received(&entry.name));
        }
    }
    let mut found = Vec::new();
    for table in tables {
        let place = format!("{}: tables", Manifest::PATH);
        match manifest.tables.iter().find(|entry| entry.name == table.name) {
            None => {
                let rule = format!("must list the table {} of schema version {version}", table.name);
                faults.push(Fault::new(place, rule));
            }
            Some(entry) if entry.columns != table.columns => {
                let rule = format!(
                    "must list the columns of {} in schema version {version}: {}",
                    table.name,
                    table.columns.join(", ")
                );
                faults.push(Fault::new(place, rule).received(entry.columns.join(", ")));
            }
            Some(entry) => found.push((table, entry)),
        }
    }
    faults.none_or(found).map_err(|faults| BackupError::Faults(faults.into_list()))
}

/// Copies the CSV texts into temporary tables. PostgreSQL refuses to copy into a table with row-level security.
async fn stage(
    transaction: &Transaction<'_>,
    entries: &[(&Table, &TableEntry)],
    backup: &BackupFile,
) -> Result<(), BackupError> {
    let mut archive = backup.archive()?;
    let read_error = |error| BackupError::File("read", error);
    let mut contents = archive.entries().map_err(read_error)?.raw(true);
    next(&mut contents, Manifest::PATH)?;
    for listed in &backup.manifest().tables {
        let mut content = next_table(&mut contents, listed)?;
        let position = entries.iter().position(|(_, entry)| entry.name == listed.name);
        let position = position.expect("every table of the manifest is a table of the schema");
        let table = entries[position].0;
        let Table { qualified, column_list, name, .. } = table;
        let staging = staging(position, table);
        let create = format!(
            "create temp table {staging} on commit drop as select {column_list} from {qualified} with no data"
        );
        transaction.batch_execute(&create).await?;
        let receive = format!("copy pg_temp.{staging} ({column_list}) from stdin (format csv, header match)");
        copy(transaction, &receive, name, &mut content).await?;
    }
    Ok(())
}

/// Copies the CSV text of a table with a statement.
pub(super) async fn copy(
    transaction: &Transaction<'_>,
    receive: &str,
    name: &str,
    content: &mut Content<'_, '_>,
) -> Result<(), BackupError> {
    let failed = |error| BackupError::from(from_database(error, &format!("table {name}")));
    let mut sink = pin!(transaction.copy_in::<_, Bytes>(receive).await.map_err(failed)?);
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = content.read(&mut piece).map_err(|error| BackupError::File("read", error))?;
        if length == 0 {
            break;
        }
        sink.send(Bytes::copy_from_slice(&piece[..length])).await.map_err(failed)?;
    }
    sink.finish().await.map_err(failed)?;
    Ok(())
}

/// Returns the name of a temporary table.
fn staging(position: usize, table: &Table) -> String {
    // The name of the table is part of the name, because messages about tables with secrets are shortened.
    format!("restored_{position}_{}", table.name)
}

/// Moves the rows of a temporary table into the table.
async fn insert(
    transaction: &Transaction<'_>,
    position: usize,
    table: &Table,
    entry: &TableEntry,
) -> Result<(), BackupError> {
    let Table { qualified, column_list, name, .. } = table;
    let staging = staging(position, table);
    let statement = format!(
        "insert into {qualified} ({column_list}) overriding system value select {column_list} from pg_temp.{staging}"
    );
    let stored = transaction.execute(&statement, &[]).await.map_err(|error| from_database(error, name))?;
    if stored != entry.rows {
        let rule = format!("must give {} rows in the database", entry.rows);
        return Err(BackupError::fault(Fault::new(entry.path(), rule).received(stored.to_string())));
    }
    transaction.batch_execute(&format!("drop table pg_temp.{staging}")).await?;
    Ok(())
}

/// Returns the positions of the tables in an order in which a table comes after the tables that it refers to.
fn insertion_order(tables: &[Table]) -> Vec<usize> {
    let mut waiting: BTreeSet<usize> = (0..tables.len()).collect();
    let mut order = Vec::with_capacity(tables.len());
    while !waiting.is_empty() {
        let is_waiting = |name: &String| waiting.iter().any(|other| tables[*other].name == *name);
        let ready = waiting.iter().copied().filter(|at| !tables[*at].referenced.iter().any(is_waiting));
        let mut ready: Vec<usize> = ready.collect();
        if ready.is_empty() {
            // Tables that refer to each other: the database reports the broken reference.
            ready.extend(&waiting);
        }
        waiting.retain(|at| !ready.contains(at));
        order.append(&mut ready);
    }
    order
}

/// Reads all stored tables again, and compares their SHA-256 with the manifest.
async fn compare(
    transaction: &Transaction<'_>,
    entries: &[(&Table, &TableEntry)],
) -> Result<(), BackupError> {
    let mut faults = Faults::with_limit(passbook_records::FAULTS_LISTED_MAX);
    for (table, entry) in entries {
        let stored = export(transaction, table, |_| Ok(())).await?;
        if stored.sha256 != entry.sha256 {
            let rule = format!("must be the same after it is stored: {} rows, {}", entry.rows, entry.sha256);
            let received = format!("{} rows, {}", stored.rows, stored.sha256);
            faults.push(Fault::new(entry.path(), rule).received_verbatim(received));
        }
    }
    faults.none_or(()).map_err(|faults| BackupError::Faults(faults.into_list()))
}
