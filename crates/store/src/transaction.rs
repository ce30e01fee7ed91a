//! The statements around every read.

/// Begins a transaction whose statements all read one snapshot.
pub(crate) const BEGIN: &str = "begin isolation level repeatable read, read only";
/// Ends the transaction.
pub(crate) const COMMIT: &str = "commit";
