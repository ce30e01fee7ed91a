//! Writes a backup.

use std::fs::File;
use std::io::{BufReader, BufWriter, Error, Read, Seek as _, Write};
use std::pin::pin;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use tokio_postgres::{Client, IsolationLevel, Transaction};

use super::catalog::{SESSION, Table};
use super::manifest::{Manifest, Measures, Meter, TableEntry};
use super::{BackupError, catalog};

/// The program that writes a backup, and its view of the progress.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// Version of the program, for the manifest.
    pub program_version: &'a str,
    /// Function that is called after each table, with the number of rows that have been copied so far.
    pub progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
}

impl std::fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origin").field("program_version", &self.program_version).finish_non_exhaustive()
    }
}

/// Writes the rows of all tables to `output`. The rows are those of one moment: writers are not blocked, and their
/// changes are not in the backup. Migrations of the database wait until the backup has ended.
///
/// `spool` is an empty file for the uncompressed rows, which must lie where nobody else can read them. Blocks the
/// calling task while it reads and writes files.
///
/// # Errors
/// [`BackupError::HiddenRows`] if the role of the session may not see all rows.
pub async fn create(
    client: &mut Client,
    mut spool: File,
    output: impl Write,
    origin: Origin<'_>,
) -> Result<Manifest, BackupError> {
    // A snapshot that is older than a lock could miss the rows of a table that a migration rewrote in between, so the
    // tables are locked before the first query of the transaction.
    let expected = catalog::tables(client).await?;
    let transaction = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    let transaction = transaction.read_only(true).start().await?;
    transaction.batch_execute(SESSION).await?;
    catalog::lock(&transaction, &expected, "access share").await?;
    let tables = catalog::tables(&transaction).await?;
    if tables != expected {
        return Err(BackupError::TablesChanged);
    }
    catalog::require_visible_rows(&tables)?;
    let mut manifest = read_manifest(&transaction, origin.program_version).await?;
    let mut rows = 0;
    for table in &tables {
        let entry = copy(&transaction, table, &spool).await?;
        rows += entry.rows;
        manifest.tables.push(entry);
        if let Some(progress) = origin.progress {
            progress(rows);
        }
    }
    transaction.rollback().await?;
    spool.rewind().map_err(|error| BackupError::File("read", error))?;
    let write_error = |error| BackupError::File("written", error);
    write_archive(&manifest, BufReader::new(spool), output).map_err(write_error)?;
    Ok(manifest)
}

async fn read_manifest(
    transaction: &Transaction<'_>,
    program_version: &str,
) -> Result<Manifest, BackupError> {
    let query = "select (select max(version) from passbook.migrations) as schema_version, \
                 current_setting('server_version') as postgres_version, date_trunc('second', now()) as created_at";
    let row = transaction.query_one(query, &[]).await?;
    Ok(Manifest::new(
        program_version.to_owned(),
        row.try_get("schema_version")?,
        row.try_get("postgres_version")?,
        row.try_get("created_at")?,
    ))
}

/// Appends the CSV of a table to the spool.
async fn copy(transaction: &Transaction<'_>, table: &Table, spool: &File) -> Result<TableEntry, BackupError> {
    let write_error = |error| BackupError::File("written", error);
    let mut spool = BufWriter::new(spool);
    let measures = export(transaction, table, |piece| spool.write_all(piece).map_err(write_error)).await?;
    spool.flush().map_err(write_error)?;
    let count = format!("select count(*) from {}", table.qualified);
    let counted: i64 = transaction.query_one(&count, &[]).await?.try_get(0)?;
    let Measures { bytes, rows, sha256 } = measures;
    if u64::try_from(counted) != Ok(rows) {
        let counted = counted.unsigned_abs();
        return Err(BackupError::RowsDiffer { table: table.name.clone(), copied: rows, counted });
    }
    Ok(TableEntry { name: table.name.clone(), columns: table.columns.clone(), rows, bytes, sha256 })
}

/// Reads the CSV of a table, passes each piece to `receive`, and measures the whole.
pub(super) async fn export(
    transaction: &Transaction<'_>,
    table: &Table,
    mut receive: impl FnMut(&[u8]) -> Result<(), BackupError>,
) -> Result<Measures, BackupError> {
    let mut stream = pin!(transaction.copy_out(&table.export()).await?);
    let mut meter = Meter::default();
    while let Some(piece) = stream.try_next().await? {
        meter.add(&piece);
        receive(&piece)?;
    }
    Ok(meter.finish())
}

/// Permission bits of the unpacked files: only their owner can read them.
const MODE: u32 = 0o600;

/// Writes a backup. `tables` has the CSV texts of all tables of the manifest, one after the other.
fn write_archive(manifest: &Manifest, mut tables: impl Read, output: impl Write) -> Result<(), Error> {
    let mut builder = tar::Builder::new(GzEncoder::new(output, Compression::default()));
    let time = manifest.created_at;
    let mut text = serde_json::to_vec_pretty(manifest)?;
    text.push(b'\n');
    append(&mut builder, Manifest::PATH, text.len() as u64, time, text.as_slice())?;
    for table in &manifest.tables {
        append(&mut builder, &table.path(), table.bytes, time, (&mut tables).take(table.bytes))?;
    }
    builder.into_inner()?.finish()?.flush()
}

fn append(
    builder: &mut tar::Builder<impl Write>,
    path: &str,
    bytes: u64,
    time: Timestamp,
    content: impl Read,
) -> Result<(), Error> {
    let mut header = tar::Header::new_ustar();
    header.set_path(path)?;
    header.set_size(bytes);
    header.set_mode(MODE);
    header.set_mtime(u64::try_from(time.as_second()).unwrap_or(0));
    header.set_cksum();
    builder.append(&header, content)
}
