//! The SQL statements that begin and end the transaction around every read.

use deadpool_postgres::Object;

/// Begins a transaction whose statements all read one snapshot.
pub(crate) const BEGIN: &str = "begin isolation level repeatable read, read only";
/// Ends the transaction; nothing was written.
pub(crate) const COMMIT: &str = "commit";
/// Makes PostgreSQL print all names with their schema until the transaction ends.
pub(crate) const EMPTY_SEARCH_PATH: &str = "set local search_path to ''";

/// The extent of an exchange.
#[derive(Clone, Copy)]
pub(crate) enum Span {
    /// The exchange is a transaction of its own.
    Transaction,
    /// The exchange is a part of a transaction that is open.
    InTransaction,
}

impl Span {
    /// Executes a statement that begins or ends the transaction of the exchange, if the exchange has one.
    pub(crate) async fn execute(
        self,
        connection: &Object,
        statement: &str,
    ) -> Result<(), tokio_postgres::Error> {
        match self {
            Span::Transaction => connection.batch_execute(statement).await,
            Span::InTransaction => Ok(()),
        }
    }
}
