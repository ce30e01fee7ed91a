//! What people agreed to: listing it, and taking a client away from one person.

use jiff::Timestamp;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use crate::clients;
use crate::load::LoadError;
use crate::revocation::Revocation;

/// A consent as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The person's address.
    pub email: String,
    /// The client's identifier.
    pub client_id: String,
    /// The client's name.
    pub client_name: String,
    /// When they agreed.
    pub granted_at: Timestamp,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

/// The recorded consents of a person, or of everyone: by person, then newest first. A client that is in nobody's list
/// serves its people all the same.
pub async fn list(client: &impl GenericClient, user_id: Option<Uuid>) -> Result<Vec<Consent>, LoadError> {
    let statement = "select users.email, consents.client_id, clients.name as client_name, consents.granted_at, \
                     consents.revoked_at \
                     from passbook.oauth_consents as consents \
                     join passbook.users on users.user_id = consents.user_id \
                     join passbook.oauth_clients as clients on clients.client_id = consents.client_id \
                     where $1::uuid is null or consents.user_id = $1 \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\", consents.granted_at desc, \
                     consents.client_id";
    let rows = client.query(statement, &[&user_id]).await.map_err(LoadError::Database)?;
    rows.iter().map(consent).collect()
}

fn consent(row: &Row) -> Result<Consent, LoadError> {
    let read = || {
        Ok(Consent {
            email: row.try_get("email")?,
            client_id: row.try_get("client_id")?,
            client_name: row.try_get("client_name")?,
            granted_at: row.try_get("granted_at")?,
            revoked_at: row.try_get("revoked_at")?,
        })
    };
    read().map_err(LoadError::Database)
}

/// Takes a client away from one person, who must exist, whether or not their consent had been recorded.
pub async fn revoke(
    client: &impl GenericClient,
    user_id: Uuid,
    client_id: &str,
) -> Result<Revocation, LoadError> {
    let revoke = "update passbook.oauth_consents set revoked_at = now() \
                  where user_id = $1 and client_id = $2 and revoked_at is null";
    if client.execute(revoke, &[&user_id, &client_id]).await.map_err(LoadError::Database)? == 1 {
        return Ok(Revocation::Done);
    }
    if !clients::exists(client, client_id).await? {
        return Ok(Revocation::Unknown);
    }
    let record = "insert into passbook.oauth_consents (user_id, client_id, revoked_at) values ($1, $2, now()) \
                  on conflict do nothing";
    let recorded = client.execute(record, &[&user_id, &client_id]).await.map_err(LoadError::Database)?;
    Ok(if recorded == 1 { Revocation::Unrecorded } else { Revocation::Already })
}
