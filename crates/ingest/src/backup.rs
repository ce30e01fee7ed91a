//! Backups: one file with the rows of all tables, read in one snapshot, and the way back.
//!
//! The file is a gzip-compressed tar archive. Its first entry is the manifest (`manifest`), and each further entry is
//! a table as CSV. The tables and columns are read from the database's catalog (`catalog`), so a new table needs no
//! change here. Columns that PostgreSQL generates are left out and computed again.

mod archive;
mod catalog;
mod create;
mod error;
mod file;
mod manifest;
mod meter;
mod restore;

pub use create::{Origin, create};
pub use error::BackupError;
pub use file::BackupFile;
pub use manifest::{FORMAT_VERSION, Manifest, TableEntry};
pub use restore::{require_empty, restore};

/// Settings of a transaction that copies rows: the text of a value must not depend on the settings of the session, the
/// role or the database, and a large table may take longer than a time limit for queries.
const SESSION: &str = "set local time zone 'UTC'; set local datestyle = 'ISO, YMD'; \
    set local intervalstyle = 'iso_8601'; set local bytea_output = 'hex'; set local extra_float_digits = 1; \
    set local row_security = on; set local statement_timeout = 0; \
    set local idle_in_transaction_session_timeout = 0;";
