//! The imported ledgers of a person, with the account map of their last import. An import stores its ledger as a record.

use jiff::Timestamp;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use crate::load::LoadError;

/// A ledger that was imported before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedLedger {
    /// The account map of the last import; `None` if that was the built-in map.
    pub account_map: Option<StoredAccountMap>,
    /// The time of the last import.
    pub imported_at: Timestamp,
}

/// A stored account map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAccountMap {
    /// Name of the file that the map was read from.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

/// Returns a person's ledger, or `None` if no ledger of this name was imported.
pub async fn find(
    client: &impl GenericClient,
    user_id: Uuid,
    ledger: &str,
) -> Result<Option<ImportedLedger>, LoadError> {
    let statement = "select map_name, account_map, imported_at from passbook.ledgers \
                     where user_id = $1 and ledger = $2";
    let row = client.query_opt(statement, &[&user_id, &ledger]).await?;
    Ok(row.as_ref().map(imported).transpose()?)
}

fn imported(row: &Row) -> Result<ImportedLedger, tokio_postgres::Error> {
    let (name, text): (Option<String>, Option<String>) =
        (row.try_get("map_name")?, row.try_get("account_map")?);
    let account_map = name.zip(text).map(|(name, text)| StoredAccountMap { name, text });
    Ok(ImportedLedger { account_map, imported_at: row.try_get("imported_at")? })
}
