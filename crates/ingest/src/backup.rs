//! Backups: one file with the rows of all tables, read in one snapshot, and the way back.
//!
//! The file is a gzip-compressed tar archive. Its first entry is the manifest (`manifest`), and each further entry is
//! a table as CSV. The tables and columns are read from the database's catalog (`catalog`), so a new table needs no
//! change here. Columns that PostgreSQL generates are left out and computed again.

mod catalog;
mod create;
mod development_version;
mod error;
mod file;
mod manifest;
mod meter;
mod restore;

pub use create::{Origin, create};
pub use development_version::restore_development_version;
pub use error::BackupError;
pub use file::BackupFile;
pub use manifest::{FORMAT_VERSION, Manifest, TableEntry};
pub use restore::{require_empty, restore};
