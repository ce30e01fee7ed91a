//! Administration of recorded sessions of OAuth clients: listing and revoking.

use jiff::Timestamp;
use passbook_domain::access::SessionId;
use serde::Serialize;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::Revocation;
use crate::load::LoadError;

from_row! {
    /// A stored session of an OAuth client.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Session {
        /// The session's identifier at the identity provider.
        pub session_id: String,
        /// The person's e-mail address.
        #[serde(rename = "user")]
        pub email: String,
        /// Identifier of the client that signed in; `None` if unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// `active` or `revoked`.
        pub state: String,
        /// The time at which the session started.
        pub created_at: Timestamp,
        /// The time at which the session was revoked; `None` if it is not revoked.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub revoked_at: Option<Timestamp>,
    }
}

/// Returns the recorded sessions of a person, or of everyone if `user_id` is `None`: by person, the newest first.
pub async fn list(client: &impl GenericClient, user_id: Option<Uuid>) -> Result<Vec<Session>, LoadError> {
    let statement = "select users.email, sessions.session_id, sessions.client_id, sessions.created_at, \
                     sessions.revoked_at, case when sessions.revoked_at is null then 'active' else 'revoked' end as state \
                     from passbook.oauth_sessions as sessions \
                     join passbook.users on users.user_id = sessions.user_id \
                     where $1::uuid is null or sessions.user_id = $1 \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\", sessions.created_at desc, \
                     sessions.session_id";
    crate::select(client, statement, &[&user_id]).await
}

/// Revokes a session of a person, also if the session had not been recorded: tokens that name it are rejected. The
/// person must exist.
pub async fn revoke(
    client: &impl GenericClient,
    user_id: Uuid,
    session_id: &SessionId,
) -> Result<Revocation, LoadError> {
    let session_id = session_id.as_str();
    let revoke = "update passbook.oauth_sessions set revoked_at = now() \
                  where user_id = $1 and session_id = $2 and revoked_at is null";
    if client.execute(revoke, &[&user_id, &session_id]).await? == 1 {
        return Ok(Revocation::Done);
    }
    let record = "insert into passbook.oauth_sessions (user_id, session_id, revoked_at) values ($1, $2, now()) \
                  on conflict do nothing";
    let recorded = client.execute(record, &[&user_id, &session_id]).await?;
    Ok(if recorded == 1 { Revocation::Unrecorded } else { Revocation::Already })
}
