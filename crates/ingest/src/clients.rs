//! Administration of OAuth clients: creating, changing, listing and revoking.

mod faults;
mod update;
mod values;

use jiff::Timestamp;
use passbook_domain::scope::Surface;
use passbook_input::Fault;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use crate::load::LoadError;
use crate::people;
use crate::revocation::Revocation;
use faults::faults;
use values::{accepts, distinct};

pub use update::{ClientChanges, update};
pub use values::{CLIENT_ID_CHARACTERS_MAX, ClientKind, NewClient};

/// A stored OAuth client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The client's identifier, which is the argument of [`revoke`].
    pub client_id: String,
    /// The text of a [`ClientKind`].
    pub kind: String,
    /// The client's name.
    pub name: String,
    /// The owner's e-mail address; `None` for a client that may serve everyone.
    pub owner: Option<String>,
    /// The texts of the granted scopes.
    pub scopes: Vec<String>,
    /// True if the REST routes accept the client.
    pub rest: bool,
    /// True if the tool server accepts the client.
    pub mcp: bool,
    /// The URIs to which the identity provider may redirect people.
    pub redirect_uris: Vec<String>,
    /// The time at which the client was created.
    pub created_at: Timestamp,
    /// The time at which the client was revoked; `None` if it is not revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Stores a client.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault: an invalid or repeated identifier; an owner who is missing, unknown or not
/// allowed for the kind; and texts that are not among the allowed values.
pub async fn create(client: &impl GenericClient, new: &NewClient<'_>) -> Result<(), LoadError> {
    let mut faults = faults(new);
    let owner = owner(client, new, &mut faults).await?;
    let kind = ClientKind::parse(new.kind);
    let (Some(kind), true) = (kind, faults.is_empty()) else { return Err(LoadError::Faults(faults)) };
    let statement = "insert into passbook.oauth_clients \
                     (client_id, kind, user_id, name, redirect_uris, scopes, rest, mcp) \
                     values ($1, $2, $3, $4::text, $5::text[], $6::text[], $7, $8) on conflict do nothing";
    let stored = client
        .execute(
            statement,
            &[
                &new.client_id,
                &kind.as_str(),
                &owner,
                &new.name,
                &distinct(new.redirect_uris),
                &distinct(new.scopes),
                &accepts(new.surfaces, Surface::Rest),
                &accepts(new.surfaces, Surface::Mcp),
            ],
        )
        .await
        .map_err(LoadError::Database)?;
    if stored == 0 {
        let fault = Fault::new("id", "must not be the identifier of another client").received(new.client_id);
        return Err(LoadError::Faults(vec![fault]));
    }
    Ok(())
}

/// Returns the owner's identifier. Adds a fault if the kind needs an owner or forbids one, or if the owner is unknown.
async fn owner(
    client: &impl GenericClient,
    new: &NewClient<'_>,
    faults: &mut Vec<Fault>,
) -> Result<Option<Uuid>, LoadError> {
    let Some(email) = new.owner else {
        if ClientKind::parse(new.kind) == Some(ClientKind::PersonalDashboard) {
            let rule = "must be the address of the person who owns the personal_dashboard";
            faults.push(Fault::new("owner", rule));
        }
        return Ok(None);
    };
    if ClientKind::parse(new.kind) == Some(ClientKind::KnownMcp) {
        faults.push(
            Fault::new("owner", "must not be given for a known_mcp, which may serve everyone")
                .received(email),
        );
    }
    let found = people::find_by_email(client, email).await?;
    if found.is_none() {
        faults.push(Fault::new("owner", "must be the e-mail address of a stored person").received(email));
    }
    Ok(found.map(|person| person.user_id))
}

/// Returns every OAuth client: first the clients that may serve everyone, then the others by owner; in each group the
/// newest first.
pub async fn list(client: &impl GenericClient) -> Result<Vec<Client>, LoadError> {
    let statement = "select clients.client_id, clients.kind, clients.name, users.email as owner, clients.scopes, \
                     clients.rest, clients.mcp, clients.redirect_uris, clients.created_at, clients.revoked_at \
                     from passbook.oauth_clients as clients \
                     left join passbook.users on users.user_id = clients.user_id \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\" nulls first, \
                     clients.created_at desc, clients.client_id";
    let rows = client.query(statement, &[]).await.map_err(LoadError::Database)?;
    rows.iter().map(stored).collect()
}

fn stored(row: &Row) -> Result<Client, LoadError> {
    let read = || {
        Ok(Client {
            client_id: row.try_get("client_id")?,
            kind: row.try_get("kind")?,
            name: row.try_get("name")?,
            owner: row.try_get("owner")?,
            scopes: row.try_get("scopes")?,
            rest: row.try_get("rest")?,
            mcp: row.try_get("mcp")?,
            redirect_uris: row.try_get("redirect_uris")?,
            created_at: row.try_get("created_at")?,
            revoked_at: row.try_get("revoked_at")?,
        })
    };
    read().map_err(LoadError::Database)
}

/// Revokes a client for everyone.
pub async fn revoke(client: &impl GenericClient, client_id: &str) -> Result<Revocation, LoadError> {
    let revoke =
        "update passbook.oauth_clients set revoked_at = now() where client_id = $1 and revoked_at is null";
    if client.execute(revoke, &[&client_id]).await.map_err(LoadError::Database)? == 1 {
        return Ok(Revocation::Done);
    }
    Ok(if exists(client, client_id).await? { Revocation::Already } else { Revocation::Unknown })
}

/// Returns true if the client is stored, revoked or not.
pub(crate) async fn exists(client: &impl GenericClient, client_id: &str) -> Result<bool, LoadError> {
    let known = "select from passbook.oauth_clients where client_id = $1";
    Ok(client.query_opt(known, &[&client_id]).await.map_err(LoadError::Database)?.is_some())
}
