//! Administration of OAuth clients: creating, changing, listing and revoking.

mod values;

use jiff::Timestamp;
use passbook_domain::scope::Surface;
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::load::LoadError;
use super::people;
use super::tokens::name_faults;
use crate::Revocation;
use values::{accepts, distinct, faults, redirect_uri_faults, scope_faults, surface_faults};

pub use values::{CLIENT_ID_CHARACTERS_MAX, ClientKind, NewClient};

from_row! {
    /// A stored OAuth client.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Client {
        /// The client's identifier, which is the argument of [`revoke`].
        pub client_id: String,
        /// The text of a [`ClientKind`].
        pub kind: String,
        /// The owner's e-mail address; `None` for a client that may serve everyone.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub owner: Option<String>,
        /// The client's name.
        pub name: String,
        /// `active` or `revoked`.
        pub state: String,
        /// The texts of the surfaces that accept the credential.
        pub surfaces: Vec<String>,
        /// The texts of the granted scopes.
        pub scopes: Vec<String>,
        /// The URIs to which the identity provider may redirect people.
        pub redirect_uris: Vec<String>,
        /// The time at which the client was created.
        pub created_at: Timestamp,
        /// The time at which the client was revoked; `None` if it is not revoked.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub revoked_at: Option<Timestamp>,
    }
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
        .await?;
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
                     clients.redirect_uris, clients.created_at, clients.revoked_at, \
                     case when clients.revoked_at is null then 'active' else 'revoked' end as state, \
                     array_remove(array[case when clients.rest then 'rest' end, case when clients.mcp then 'mcp' end], null) \
                     as surfaces \
                     from passbook.oauth_clients as clients \
                     left join passbook.users on users.user_id = clients.user_id \
                     order by lower(users.email collate \"und-x-icu\") collate \"C\" nulls first, \
                     clients.created_at desc, clients.client_id";
    crate::select(client, statement, &[]).await
}

/// Revokes a client for everyone.
pub async fn revoke(client: &impl GenericClient, client_id: &str) -> Result<Revocation, LoadError> {
    let revoke =
        "update passbook.oauth_clients set revoked_at = now() where client_id = $1 and revoked_at is null";
    if client.execute(revoke, &[&client_id]).await? == 1 {
        return Ok(Revocation::Done);
    }
    Ok(if exists(client, client_id).await? { Revocation::Already } else { Revocation::Unknown })
}

/// Returns true if the client is stored, revoked or not.
pub(crate) async fn exists(client: &impl GenericClient, client_id: &str) -> Result<bool, LoadError> {
    let known = "select from passbook.oauth_clients where client_id = $1";
    Ok(client.query_opt(known, &[&client_id]).await?.is_some())
}

/// The values of a client to be changed, before validation. `None` keeps a value. The kind and the owner of a client
/// never change: they decide whose data its tokens may read.
#[derive(Clone, Copy, Debug)]
pub struct ClientChanges<'a> {
    /// The name under which people recognise the client.
    pub name: Option<&'a str>,
    /// The texts of the granted [`Scope`](passbook_domain::scope::Scope)s, which replace the earlier ones.
    pub scopes: Option<&'a [String]>,
    /// The texts of the [`Surface`]s that accept the client, which replace the earlier ones.
    pub surfaces: Option<&'a [String]>,
    /// The redirect URIs, which replace the earlier ones.
    pub redirect_uris: Option<&'a [String]>,
}

/// Changes a client. Its tokens have the new scopes and surfaces from the next request on. A revoked client stays
/// revoked. Returns false if the client is not stored.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault of the new values.
pub async fn update(
    client: &impl GenericClient,
    client_id: &str,
    changes: &ClientChanges<'_>,
) -> Result<bool, LoadError> {
    let faults: Vec<_> = [
        changes.name.map(name_faults),
        changes.scopes.map(scope_faults),
        changes.surfaces.map(surface_faults),
        changes.redirect_uris.map(redirect_uri_faults),
    ]
    .into_iter()
    .flatten()
    .flatten()
    .collect();
    if !faults.is_empty() {
        return Err(LoadError::Faults(faults));
    }
    let accepts = |surface: Surface| changes.surfaces.map(|surfaces| accepts(surfaces, surface));
    let statement = "update passbook.oauth_clients set name = coalesce($2::text, name), \
                     scopes = coalesce($3::text[], scopes), rest = coalesce($4, rest), mcp = coalesce($5, mcp), \
                     redirect_uris = coalesce($6::text[], redirect_uris) where client_id = $1";
    let changed = client
        .execute(
            statement,
            &[
                &client_id,
                &changes.name,
                &changes.scopes.map(distinct),
                &accepts(Surface::Rest),
                &accepts(Surface::Mcp),
                &changes.redirect_uris.map(distinct),
            ],
        )
        .await?;
    Ok(changed == 1)
}
