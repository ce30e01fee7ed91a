//! The SQL statements that begin and end the transaction around every read.

/// Begins a transaction whose statements all read one snapshot.
pub(crate) const BEGIN: &str = "begin isolation level repeatable read, read only";
/// Ends the transaction; nothing was written.
pub(crate) const COMMIT: &str = "commit";
/// Makes PostgreSQL print all names with their schema until the transaction ends.
pub(crate) const EMPTY_SEARCH_PATH: &str = "set local search_path to ''";
