//! `restore`: restores a backup into an empty database.

use std::fs::File;
use std::io::Seek as _;
use std::path::{Path, PathBuf};

use clap::Args;
use passbook_ingest::backup::{self, BackupFile, Manifest};
use passbook_input::Fault;
use tokio_postgres::Transaction;

use super::backup::summary;
use super::input::{open, unreadable};
use super::transaction::{self, Rehearsal};
use crate::database::{Database, WRITER_OF_TRANSACTION, is_absent, set_writer_role};
use crate::error::CommandError;
use crate::output::{self, Progress};
use crate::settings::DatabaseLocation;

pub(super) const RESTORE_EXAMPLES: &str = "\
Examples:
  passbook-admin restore money.passbook --dry-run
  passbook-admin restore money.passbook";

/// Gives a transaction the role of its session again.
const LEAVE_WRITER_ROLE: &str = "set local role to default";

/// A backup to restore.
#[derive(Clone, Debug, Args)]
pub(crate) struct Restoration {
    /// File of the backup, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// Checks the whole file, then migrates the database to the schema version of the backup, stores the rows, and
/// migrates to the newest version, all in one transaction. Prints the number of rows in each table.
pub(super) async fn run(location: DatabaseLocation, wanted: &Restoration) -> Result<(), CommandError> {
    let backup = verified(&wanted.file)?;
    // A dry run must not open an embedded database that does not exist, because opening would create it.
    if let DatabaseLocation::Embedded(config) = &location
        && wanted.rehearsal.dry_run
        && is_absent(config)
    {
        transaction::note_dry_run(wanted.rehearsal);
        return output::lines(summary(backup.manifest()));
    }
    let mut database = Database::for_migration(location).await?;
    let result = restore(&mut database, &backup, wanted).await;
    database.close(result).await
}

/// Opens a backup and checks it without a database.
fn verified(path: &Path) -> Result<BackupFile, CommandError> {
    let backup = BackupFile::open(seekable(path)?)?;
    let manifest = backup.manifest();
    let known = passbook_schema::latest_version();
    if manifest.schema_version > known && !is_of_development_version(manifest) {
        let rule = format!(
            "must have schema version {known} or older, the newest that this program knows; use passbook-admin \
             {made_by} or newer, which made the backup",
            made_by = manifest.program_version
        );
        let received = format!("schema version {}", manifest.schema_version);
        return Err(CommandError::input(Fault::new(path.display().to_string(), rule).received(received)));
    }
    backup.verify()?;
    Ok(backup)
}

/// Returns true for a backup of the last development version with another schema.
fn is_of_development_version(manifest: &Manifest) -> bool {
    manifest.schema_version == passbook_schema::DEVELOPMENT_VERSION
}

/// Opens a file that can be read twice. Standard input and pipes are copied to an unnamed file, which only this process can
/// read.
fn seekable(path: &Path) -> Result<File, CommandError> {
    if path.is_file() {
        return File::open(path).map_err(|error| unreadable(path, error));
    }
    let mut input = open(path)?;
    let copied = tempfile::tempfile().and_then(|mut copy| {
        std::io::copy(&mut input, &mut copy)?;
        copy.rewind()?;
        Ok(copy)
    });
    copied.map_err(|error| CommandError::internal("the backup cannot be copied to a temporary file", &error))
}

async fn restore(
    database: &mut Database,
    backup: &BackupFile,
    wanted: &Restoration,
) -> Result<(), CommandError> {
    let is_embedded = database.is_embedded();
    let manifest = backup.manifest();
    let transaction = database.client.transaction().await?;
    require_restorable(&transaction, manifest).await?;
    let is_of_development_version = is_of_development_version(manifest);
    let latest = passbook_schema::latest_version();
    let created = if is_of_development_version { latest } else { manifest.schema_version };
    passbook_schema::migrate_to(&transaction, created).await?;
    set_writer_role(&transaction, WRITER_OF_TRANSACTION).await?;
    let progress = Progress::start("restoring");
    let update = |rows| progress.update(rows);
    if is_of_development_version {
        let statements = passbook_schema::FROM_VERSION_23;
        backup::restore_development_version(&transaction, backup, statements, &update).await?;
    } else {
        backup::restore(&transaction, backup, &update).await?;
    }
    drop(progress);
    transaction.batch_execute(LEAVE_WRITER_ROLE).await?;
    let applied = passbook_schema::migrate_to(&transaction, latest).await?;
    if is_embedded {
        passbook_schema::allow_local_logins(&transaction).await?;
    }
    transaction::end(transaction, wanted.rehearsal).await?;
    let mut lines = summary(manifest);
    if applied.from != applied.to {
        lines.push(format!("schema version {}, was {}", applied.to, applied.from));
    }
    output::lines(lines)
}

/// Returns an error unless the database has no schema, or has the schema of the backup or an older one without rows.
async fn require_restorable(transaction: &Transaction<'_>, manifest: &Manifest) -> Result<(), CommandError> {
    let Some(version) = passbook_schema::status(transaction).await?.version()? else { return Ok(()) };
    set_writer_role(transaction, WRITER_OF_TRANSACTION).await?;
    backup::require_empty(transaction).await?;
    transaction.batch_execute(LEAVE_WRITER_ROLE).await?;
    if version > manifest.schema_version {
        return Err(CommandError::configuration(format!(
            "the database has schema version {version}, newer than version {} of the backup: restore into a database \
             without a Passbook schema, which gets the version of the backup first and is then brought up to date; set \
             PASSBOOK_DATA_DIR to a new folder, or PASSBOOK_ADMIN_DATABASE_URL to a new database",
            manifest.schema_version
        )));
    }
    Ok(())
}
