//! The stored token with an identifier or a hash.

use passbook_auth::personal_access_token::PlainToken;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::load::LoadError;

/// Returns the identifier of a stored token, revoked or not.
pub async fn find(client: &impl GenericClient, plain: &PlainToken) -> Result<Option<Uuid>, LoadError> {
    let statement = "select token_id from passbook.personal_access_tokens where token_hash = $1";
    let row = client.query_opt(statement, &[&plain.hash().as_bytes().as_slice()]).await;
    let row = row.map_err(LoadError::Database)?;
    row.map(|row| row.try_get(0)).transpose().map_err(LoadError::Database)
}

/// Returns true if the token is stored, revoked or not.
pub(super) async fn exists(client: &impl GenericClient, token_id: Uuid) -> Result<bool, LoadError> {
    let known = "select from passbook.personal_access_tokens where token_id = $1";
    Ok(client.query_opt(known, &[&token_id]).await.map_err(LoadError::Database)?.is_some())
}
