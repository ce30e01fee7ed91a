//! Rotation of tokens.

use jiff::Timestamp;
use passbook_auth::personal_access_token::PlainToken;
use tokio_postgres::Transaction;
use uuid::Uuid;

use super::lookup::exists;
use crate::load::LoadError;

/// The result of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// The new token is stored, and the old token is revoked.
    Done(Rotated),
    /// The token is revoked. Nothing was changed, because a rotation would restore the access.
    Revoked,
    /// There is no such token.
    Unknown,
}

/// The new token of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotated {
    /// The identifier of the new token.
    pub token_id: Uuid,
    /// The owner's e-mail address.
    pub email: String,
    /// The name, which is that of the old token.
    pub name: String,
    /// The time at which the new token expires.
    pub expires_at: Timestamp,
}

/// Stores the hash of a token with the owner, name, scopes, surfaces and lifetime of an existing token, and revokes the
/// existing token. The lifetime of the new token starts now, also if the existing token has expired.
pub async fn rotate(
    transaction: &Transaction<'_>,
    token_id: Uuid,
    plain: &PlainToken,
) -> Result<Rotation, LoadError> {
    let revoke = "update passbook.personal_access_tokens set revoked_at = now() \
                  where token_id = $1 and revoked_at is null";
    match transaction.execute(revoke, &[&token_id]).await.map_err(LoadError::Database)? {
        0 if exists(transaction, token_id).await? => return Ok(Rotation::Revoked),
        0 => return Ok(Rotation::Unknown),
        _ => {}
    }
    let insert = "with new as ( \
                    insert into passbook.personal_access_tokens \
                    (user_id, token_id, token_hash, name, last_four, scopes, rest, mcp, created_at, expires_at) \
                    select user_id, $2, $3, name, $4, scopes, rest, mcp, now(), now() + (expires_at - created_at) \
                    from passbook.personal_access_tokens where token_id = $1 \
                    returning user_id, name, expires_at) \
                  select users.email, new.name, new.expires_at from new \
                  join passbook.users on users.user_id = new.user_id";
    let new_id = Uuid::new_v4();
    let hash = plain.hash();
    let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
        [&token_id, &new_id, &hash.as_bytes().as_slice(), &plain.last_four()];
    let row = transaction.query_one(insert, &parameters).await.map_err(LoadError::Database)?;
    let read = || {
        Ok(Rotated {
            token_id: new_id,
            email: row.try_get("email")?,
            name: row.try_get("name")?,
            expires_at: row.try_get("expires_at")?,
        })
    };
    read().map(Rotation::Done).map_err(LoadError::Database)
}
