//! Databases within the cluster.

use tokio_postgres::error::SqlState;

use crate::{Address, Error};

/// Creates the database if it is absent. Two callers at once both succeed.
///
/// # Errors
/// [`Error::Database`] if the server cannot be asked or refuses.
pub async fn ensure_database(address: &Address, name: &str) -> Result<(), Error> {
    let failed = |source| Error::Database { action: format!("create the database {name}"), source };
    let client = address.superuser().await.map_err(failed)?;
    let found = client.query_opt("select from pg_database where datname = $1", &[&name]).await;
    if found.map_err(failed)?.is_some() {
        return Ok(());
    }
    match client.batch_execute(&format!("create database {}", quoted(name))).await {
        Err(error) if !created_meanwhile(&error) => Err(failed(error)),
        _ => Ok(()),
    }
}

fn created_meanwhile(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| [SqlState::DUPLICATE_DATABASE, SqlState::UNIQUE_VIOLATION].contains(code))
}

/// A name as an identifier: parameters cannot stand where identifiers do.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
