//! Creates databases in the cluster.

use tokio_postgres::error::SqlState;

use crate::address::Address;
use crate::error::Error;

/// Creates a database if it is absent. Concurrent calls with one name all succeed.
///
/// # Errors
/// [`Error::Database`] if the server cannot be reached or rejects a statement.
pub async fn ensure_database(address: &Address, name: &str) -> Result<(), Error> {
    let failed = |source| Error::Database { action: format!("create the database {name}"), source };
    let client = address.superuser().await.map_err(failed)?;
    let found = client.query_opt("select from pg_database where datname = $1", &[&name]).await;
    if found.map_err(failed)?.is_some() {
        return Ok(());
    }
    match client.batch_execute(&format!("create database {}", quoted(name))).await {
        Err(error) if !is_created_concurrently(&error) => Err(failed(error)),
        _ => Ok(()),
    }
}

fn is_created_concurrently(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| [SqlState::DUPLICATE_DATABASE, SqlState::UNIQUE_VIOLATION].contains(code))
}

/// Quotes a name as an SQL identifier. SQL parameters cannot be used for identifiers.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
