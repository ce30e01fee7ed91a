//! Administration of personal access tokens: creating, listing, rotating and revoking. Only the SHA-256 of a token is
//! stored, so no function here can return a token.

use jiff::Timestamp;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::Scope;
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

use super::load::LoadError;
use crate::{FromRow as _, Revocation};

/// Maximum length of a token's name, in characters.
const NAME_CHARACTERS_MAX: usize = 100;

/// Maximum lifetime of a token, in days.
pub const EXPIRES_IN_DAYS_MAX: u16 = 365;

/// Default lifetime of a token, in days.
pub const EXPIRES_IN_DAYS_DEFAULT: u16 = 90;

/// The values of a personal access token to be created.
#[derive(Clone, Copy, Debug)]
pub struct NewToken<'a> {
    /// The person whose data the token may read.
    pub user_id: Uuid,
    /// The name under which the owner recognises the token.
    pub name: &'a str,
    /// The granted scopes.
    pub scopes: &'a [Scope],
    /// True if the REST routes accept the token.
    pub rest: bool,
    /// True if the tool server accepts the token.
    pub mcp: bool,
    /// Lifetime in days, from 1 to [`EXPIRES_IN_DAYS_MAX`].
    pub expires_in_days: u16,
}

from_row! {
    /// A stored personal access token, without the token itself.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Token {
        /// The identifier, which is the argument of [`revoke`].
        pub token_id: Uuid,
        /// The owner's e-mail address.
        #[serde(rename = "user")]
        pub email: String,
        /// The token's name.
        pub name: String,
        /// The last four characters of the token, by which its owner recognises it.
        pub last_four: String,
        /// `active`, `expired` or `revoked`.
        pub state: String,
        /// The texts of the surfaces that accept the credential.
        pub surfaces: Vec<String>,
        /// The texts of the granted scopes.
        pub scopes: Vec<String>,
        /// The time at which the token was created.
        pub created_at: Timestamp,
        /// The time at which the token expires.
        pub expires_at: Timestamp,
        /// The time at which the token was revoked; `None` if it is not revoked.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub revoked_at: Option<Timestamp>,
    }
}

/// Stores the hash of a token and returns the token's identifier.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault, an unknown owner included.
pub async fn create(
    client: &impl GenericClient,
    token: &NewToken<'_>,
    plain: &PlainToken,
) -> Result<Uuid, LoadError> {
    let faults = faults(token);
    if !faults.is_empty() {
        return Err(LoadError::Faults(faults));
    }
    let statement = "insert into passbook.personal_access_tokens \
                     (user_id, token_id, token_hash, name, last_four, scopes, rest, mcp, expires_at) \
                     select user_id, $2, $3, $4::text, $5, $6::text[], $7, $8, now() + make_interval(days => $9) \
                     from passbook.users where user_id = $1";
    let token_id = Uuid::new_v4();
    let hash = plain.hash();
    let scopes = distinct(token.scopes);
    let stored = client
        .execute(
            statement,
            &[
                &token.user_id,
                &token_id,
                &hash.as_bytes().as_slice(),
                &token.name,
                &plain.last_four(),
                &scopes,
                &token.rest,
                &token.mcp,
                &i32::from(token.expires_in_days),
            ],
        )
        .await?;
    if stored == 0 {
        let fault = Fault::new("user", "must exist").received(token.user_id.to_string());
        return Err(LoadError::Faults(vec![fault]));
    }
    Ok(token_id)
}

/// Returns each scope once, in the order of first occurrence.
pub fn distinct(scopes: &[Scope]) -> Vec<&str> {
    let mut names = Vec::with_capacity(scopes.len());
    for name in scopes.iter().map(|scope| scope.as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the faults of the name of a token or a client.
pub(crate) fn name_faults(name: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let length = name.chars().count();
    if name.trim().is_empty() || length > NAME_CHARACTERS_MAX || name.chars().any(char::is_control) {
        let rule = format!(
            "must have 1 to {NAME_CHARACTERS_MAX} characters, not blank and without control characters"
        );
        faults.push(Fault::new("name", rule).received(format!("{name:?}")));
    }
    if passbook_input::contains_token(name) {
        faults.push(Fault::new("name", "must not be a token, because names are displayed"));
    }
    faults
}

fn faults(token: &NewToken<'_>) -> Vec<Fault> {
    let mut faults = name_faults(token.name);
    if token.scopes.is_empty() {
        faults.push(Fault::new("scopes", "must name at least one scope"));
    }
    if !token.rest && !token.mcp {
        faults.push(Fault::new("surfaces", "must name rest, mcp or both"));
    }
    if !(1..=EXPIRES_IN_DAYS_MAX).contains(&token.expires_in_days) {
        let rule = format!("must be between 1 and {EXPIRES_IN_DAYS_MAX}");
        faults.push(Fault::new("expires in days", rule).received(token.expires_in_days.to_string()));
    }
    faults
}

/// Returns the tokens of a person, or of everyone if `user_id` is `None`: by owner, the newest first.
pub async fn list(client: &impl GenericClient, user_id: Option<Uuid>) -> Result<Vec<Token>, LoadError> {
    let statement = "select tokens.token_id, users.email, tokens.name, tokens.last_four, tokens.scopes, \
                     tokens.created_at, tokens.expires_at, tokens.revoked_at, \
                     case when tokens.revoked_at is not null then 'revoked' \
                     when tokens.expires_at <= now() then 'expired' else 'active' end as state, \
                     array_remove(array[case when tokens.rest then 'rest' end, case when tokens.mcp then 'mcp' end], null) \
                     as surfaces \
                     from passbook.personal_access_tokens as tokens \
                     join passbook.users on users.user_id = tokens.user_id \
                     where $1::uuid is null or tokens.user_id = $1 \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\", tokens.created_at desc, tokens.token_id";
    crate::select(client, statement, &[&user_id]).await
}

/// Revokes a token: it is rejected from the next request on. A second revocation does not change the time of the first.
pub async fn revoke(client: &impl GenericClient, token_id: Uuid) -> Result<Revocation, LoadError> {
    let revoke = "update passbook.personal_access_tokens set revoked_at = now() \
                  where token_id = $1 and revoked_at is null";
    if client.execute(revoke, &[&token_id]).await? == 1 {
        return Ok(Revocation::Done);
    }
    let known = "select from passbook.personal_access_tokens where token_id = $1";
    let known = client.query_opt(known, &[&token_id]).await?;
    Ok(if known.is_some() { Revocation::Already } else { Revocation::Unknown })
}

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

from_row! {
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
}

/// Stores the hash of a token with the owner, name, scopes, surfaces and lifetime of an existing token, and revokes the
/// existing token. The lifetime of the new token starts now, also if the existing token has expired.
pub async fn rotate(
    transaction: &Transaction<'_>,
    token_id: Uuid,
    plain: &PlainToken,
) -> Result<Rotation, LoadError> {
    match revoke(transaction, token_id).await? {
        Revocation::Already => return Ok(Rotation::Revoked),
        Revocation::Unknown => return Ok(Rotation::Unknown),
        Revocation::Done | Revocation::Unrecorded => {}
    }
    let insert = "with new as ( \
                    insert into passbook.personal_access_tokens \
                    (user_id, token_id, token_hash, name, last_four, scopes, rest, mcp, created_at, expires_at) \
                    select user_id, $2, $3, name, $4, scopes, rest, mcp, now(), now() + (expires_at - created_at) \
                    from passbook.personal_access_tokens where token_id = $1 \
                    returning user_id, token_id, name, expires_at) \
                  select new.token_id, users.email, new.name, new.expires_at from new \
                  join passbook.users on users.user_id = new.user_id";
    let hash = plain.hash();
    let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
        [&token_id, &Uuid::new_v4(), &hash.as_bytes().as_slice(), &plain.last_four()];
    let row = transaction.query_one(insert, &parameters).await?;
    Ok(Rotation::Done(Rotated::from_row(&row)?))
}

/// Returns the identifier of a stored token, revoked or not.
pub async fn find(client: &impl GenericClient, plain: &PlainToken) -> Result<Option<Uuid>, LoadError> {
    let statement = "select token_id from passbook.personal_access_tokens where token_hash = $1";
    let row = client.query_opt(statement, &[&plain.hash().as_bytes().as_slice()]).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
