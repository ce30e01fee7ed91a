//! Backups: one file with the rows of all tables, read in one snapshot, and the way back.
//!
//! The file is a gzip-compressed tar archive. Its first entry is the manifest (`manifest`), and each further entry is
//! a table as CSV. The tables and columns are read from the database's catalog (`catalog`), so a new table needs no
//! change here. Columns that PostgreSQL generates are left out and computed again.

mod catalog;
mod create;
mod development_version;
mod file;
mod manifest;
mod restore;

use passbook_input::Fault;

use crate::load::LoadError;

pub use create::{Origin, create};
pub use development_version::restore_development_version;
pub use file::BackupFile;
pub use manifest::{FORMAT_VERSION, Manifest, TableEntry};
pub use restore::{require_empty, restore};

/// The reason why no backup was written or nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file is not a complete backup, or its rows cannot be stored.
    #[error("the backup has faults")]
    Faults(Vec<Fault>),
    /// The database is unreachable, or failed for a reason that is not in the file.
    #[error("the database failed")]
    Database(#[source] tokio_postgres::Error),
    /// A file cannot be read or written.
    #[error("the file cannot be {0}")]
    File(&'static str, #[source] std::io::Error),
    /// Row-level security hides rows of these tables from the role, or may hide them.
    #[error("row-level security may hide rows of {} from the role", .0.join(", "))]
    HiddenRows(Vec<String>),
    /// These tables of the database to restore have rows.
    #[error("the database has rows in {}", .0.join(", "))]
    NotEmpty(Vec<String>),
    /// A migration changed the tables meanwhile.
    #[error("the tables changed while the backup began")]
    TablesChanged,
    /// The number of rows that were copied differs from the number that the database counted in the same snapshot.
    #[error("{copied} rows of {table} were copied, but the database counted {counted}")]
    RowsDiffer {
        /// Name of the table.
        table: String,
        /// Number of copied rows.
        copied: u64,
        /// Number of rows that the database counted.
        counted: u64,
    },
}

impl BackupError {
    /// An error with one fault.
    fn fault(fault: Fault) -> BackupError {
        BackupError::Faults(vec![fault])
    }
}

impl From<LoadError> for BackupError {
    fn from(error: LoadError) -> BackupError {
        match error {
            LoadError::Faults(faults) => BackupError::Faults(faults),
            LoadError::Database(source) => BackupError::Database(source),
        }
    }
}

impl From<tokio_postgres::Error> for BackupError {
    fn from(error: tokio_postgres::Error) -> BackupError {
        BackupError::Database(error)
    }
}
