//! `backup`: writes all rows to a file.

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use passbook_ingest::backup::{self, BackupError, Manifest, Origin};
use tempfile::NamedTempFile;

use crate::database::Database;
use crate::error::CommandError;
use crate::output::{self, Progress};
use crate::settings::DatabaseLocation;

pub(super) const BACKUP_EXAMPLES: &str = "\
Examples:
  passbook-admin backup money.passbook
  passbook-admin backup money.passbook --force";

/// A backup to write.
#[derive(Clone, Debug, Args)]
pub(crate) struct NewBackup {
    /// File to write, or - for standard output
    pub(crate) file: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// Start of the name of a file that is being written. The file gets its own name when it is complete.
const INCOMPLETE_PREFIX: &str = ".passbook-backup-";

/// Writes the backup and prints the number of rows in each table.
pub(super) async fn run(location: DatabaseLocation, wanted: &NewBackup) -> Result<(), CommandError> {
    // An unusable target is reported before the database is opened.
    let target = Target::open(wanted)?;
    let mut database = Database::for_backup(location).await?;
    let result = write(&mut database, target).await;
    database.close(result).await
}

async fn write(database: &mut Database, target: Target) -> Result<(), CommandError> {
    let progress = Progress::start("copying");
    let update = |rows| progress.update(rows);
    let origin = Origin { program_version: env!("CARGO_PKG_VERSION"), progress: Some(&update) };
    let client = &mut database.client;
    match target {
        Target::Stdout { spool } => {
            let manifest = backup::create(client, spool, std::io::stdout().lock(), origin).await?;
            drop(progress);
            // Standard output has the backup.
            summary(&manifest).iter().for_each(|line| output::note(line));
            Ok(())
        }
        Target::File { path, incomplete, spool, replace } => {
            let mut writer = BufWriter::new(incomplete.as_file());
            let manifest = backup::create(client, spool, &mut writer, origin).await?;
            writer.flush().map_err(|error| unwritable(&path, error))?;
            drop(writer);
            drop(progress);
            complete(incomplete, &path, replace)?;
            output::lines(summary(&manifest))
        }
    }
}

/// The destination of a backup, and an unnamed file for the uncompressed rows. The system removes that file when the
/// command ends for any reason.
enum Target {
    Stdout { spool: File },
    File { path: PathBuf, incomplete: NamedTempFile, spool: File, replace: bool },
}

impl Target {
    fn open(wanted: &NewBackup) -> Result<Target, CommandError> {
        let path = wanted.file.clone();
        if path == Path::new("-") {
            if std::io::stdout().is_terminal() {
                return Err(CommandError::configuration(
                    "a backup is not text for a terminal: name a file, or redirect standard output",
                ));
            }
            let spool = tempfile::tempfile().map_err(|error| unwritable(&std::env::temp_dir(), error))?;
            return Ok(Target::Stdout { spool });
        }
        if !wanted.force && path.symlink_metadata().is_ok() {
            return Err(exists(&path));
        }
        let failed = |error| unwritable(&path, error);
        let folder = folder(&path);
        let spool = tempfile::tempfile_in(folder).map_err(failed)?;
        // The file has mode 600 from its creation on.
        let incomplete =
            tempfile::Builder::new().prefix(INCOMPLETE_PREFIX).tempfile_in(folder).map_err(failed)?;
        Ok(Target::File { incomplete, spool, replace: wanted.force, path })
    }
}

/// Gives a written file its name. The name exists only if the whole content is on the disk.
fn complete(incomplete: NamedTempFile, path: &Path, replace: bool) -> Result<(), CommandError> {
    let failed = |error| unwritable(path, error);
    incomplete.as_file().sync_all().map_err(failed)?;
    let named = if replace { incomplete.persist(path) } else { incomplete.persist_noclobber(path) };
    named.map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => exists(path),
        _ => unwritable(path, error.error),
    })?;
    File::open(folder(path)).and_then(|folder| folder.sync_all()).map_err(failed)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn exists(path: &Path) -> CommandError {
    CommandError::configuration(format!(
        "{} exists: name a new file, or replace it with --force",
        path.display()
    ))
}

fn unwritable(path: &Path, error: impl std::fmt::Display) -> CommandError {
    CommandError::configuration(format!(
        "{} cannot be written: {error}; name a file in a folder that exists, in which you may write and that has space",
        path.display()
    ))
}

/// The tables with their numbers of rows, and a last line about the whole backup.
pub(super) fn summary(manifest: &Manifest) -> Vec<String> {
    let tables = manifest.tables.iter().map(|table| [table.name.clone(), table.rows.to_string()]);
    let mut lines = output::table(["table", "rows"], tables);
    lines.push(format!(
        "{} rows in {} tables, schema version {}, {}",
        manifest.rows(),
        manifest.tables.len(),
        manifest.schema_version,
        manifest.created_at
    ));
    lines
}

impl From<BackupError> for CommandError {
    fn from(error: BackupError) -> CommandError {
        match error {
            BackupError::Faults(faults) => CommandError::Input(faults),
            BackupError::Database(source) => CommandError::database(&source),
            BackupError::File(..) => CommandError::internal("the backup failed", &error),
            BackupError::HiddenRows(_) => CommandError::configuration(format!(
                "{error}: set PASSBOOK_ADMIN_DATABASE_URL to a member of the role {writer}, and check that the policy \
                 of {writer} on these tables is `using (true)`",
                writer = passbook_schema::WRITER
            )),
            BackupError::NotEmpty(_) => CommandError::configuration(format!(
                "{error}: restore into an empty database; set PASSBOOK_DATA_DIR to a new folder, or \
                 PASSBOOK_ADMIN_DATABASE_URL to a new database"
            )),
            BackupError::TablesChanged => CommandError::Unreachable(format!(
                "{error}, because another process migrated the database; run the command again"
            )),
            BackupError::RowsDiffer { .. } => CommandError::Internal(error.to_string()),
        }
    }
}
