//! Administration of consents: listing, and revoking a client for one person.

use jiff::Timestamp;
use serde::Serialize;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::Revocation;
use crate::clients;
use crate::load::LoadError;

from_row! {
    /// A stored consent of a person to a client.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Consent {
        /// The person's e-mail address.
        #[serde(rename = "user")]
        pub email: String,
        /// The client's identifier.
        pub client_id: String,
        /// The client's name.
        pub client_name: String,
        /// `active` or `revoked`.
        pub state: String,
        /// The time at which the person consented.
        pub granted_at: Timestamp,
        /// The time at which the consent was revoked; `None` if it is not revoked.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub revoked_at: Option<Timestamp>,
    }
}

/// Returns the recorded consents of a person, or of everyone if `user_id` is `None`: by person, the newest first.
/// Recording is optional, so a client without a recorded consent may still serve its people.
pub async fn list(client: &impl GenericClient, user_id: Option<Uuid>) -> Result<Vec<Consent>, LoadError> {
    let statement = "select users.email, consents.client_id, clients.name as client_name, consents.granted_at, \
                     consents.revoked_at, \
                     case when consents.revoked_at is null then 'active' else 'revoked' end as state \
                     from passbook.oauth_consents as consents \
                     join passbook.users on users.user_id = consents.user_id \
                     join passbook.oauth_clients as clients on clients.client_id = consents.client_id \
                     where $1::uuid is null or consents.user_id = $1 \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\", consents.granted_at desc, \
                     consents.client_id";
    crate::select(client, statement, &[&user_id]).await
}

/// Revokes a client for one person, also if no consent had been recorded. The person must exist.
pub async fn revoke(
    client: &impl GenericClient,
    user_id: Uuid,
    client_id: &str,
) -> Result<Revocation, LoadError> {
    let revoke = "update passbook.oauth_consents set revoked_at = now() \
                  where user_id = $1 and client_id = $2 and revoked_at is null";
    if client.execute(revoke, &[&user_id, &client_id]).await? == 1 {
        return Ok(Revocation::Done);
    }
    if !clients::exists(client, client_id).await? {
        return Ok(Revocation::Unknown);
    }
    let record = "insert into passbook.oauth_consents (user_id, client_id, revoked_at) values ($1, $2, now()) \
                  on conflict do nothing";
    let recorded = client.execute(record, &[&user_id, &client_id]).await?;
    Ok(if recorded == 1 { Revocation::Unrecorded } else { Revocation::Already })
}
