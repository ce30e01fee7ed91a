//! Administration of OAuth clients: creating, listing and revoking.

use domain::scope::{Scope, Surface};
use fault::Fault;
use jiff::Timestamp;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use crate::load::LoadError;
use crate::people;
use crate::redirect_uri::{self, is_redirect_uri};
use crate::revocation::Revocation;
use crate::tokens::name_faults;

/// Maximum length of a client's identifier, in characters.
pub const CLIENT_ID_CHARACTERS_MAX: usize = 200;

/// The kind of an OAuth client, which decides which people the client may serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientKind {
    /// A person's own dashboard. It may serve its owner only.
    PersonalDashboard,
    /// A connector known to the operator. It may serve everyone.
    KnownMcp,
}

impl ClientKind {
    /// Every kind.
    pub const ALL: [ClientKind; 2] = [ClientKind::PersonalDashboard, ClientKind::KnownMcp];

    /// Returns the text of the kind, as stored in the database and written by people.
    pub fn as_str(self) -> &'static str {
        match self {
            ClientKind::PersonalDashboard => "personal_dashboard",
            ClientKind::KnownMcp => "known_mcp",
        }
    }

    fn parse(text: &str) -> Option<ClientKind> {
        ClientKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The values of an OAuth client to be created, before validation.
#[derive(Clone, Copy, Debug)]
pub struct NewClient<'a> {
    /// The client's identifier at the identity provider.
    pub client_id: &'a str,
    /// The text of a [`ClientKind`].
    pub kind: &'a str,
    /// The name under which people recognise the client.
    pub name: &'a str,
    /// The e-mail address of the owner of a personal dashboard.
    pub owner: Option<&'a str>,
    /// The texts of the granted [`Scope`]s.
    pub scopes: &'a [String],
    /// The texts of the [`Surface`]s that accept the client.
    pub surfaces: &'a [String],
    /// The URIs to which the identity provider may redirect people. Recorded only; the identity provider enforces them.
    pub redirect_uris: &'a [String],
}

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
                     (client_id, kind, owner_user_id, name, redirect_uris, scopes, rest, mcp) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing";
    let accepts = |surface: Surface| new.surfaces.iter().any(|word| word == surface.as_str());
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
                &accepts(Surface::Rest),
                &accepts(Surface::Mcp),
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

/// Returns each text once, in the order of first occurrence.
fn distinct(texts: &[String]) -> Vec<&str> {
    let mut distinct: Vec<&str> = Vec::with_capacity(texts.len());
    for text in texts {
        if !distinct.contains(&text.as_str()) {
            distinct.push(text);
        }
    }
    distinct
}

/// Returns the faults that can be found without the database.
fn faults(new: &NewClient<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let length = new.client_id.chars().count();
    let plain = !new.client_id.chars().any(|character| character.is_whitespace() || character.is_control());
    if !(1..=CLIENT_ID_CHARACTERS_MAX).contains(&length) || !plain {
        let rule = format!("must have 1 to {CLIENT_ID_CHARACTERS_MAX} characters, without spaces");
        faults.push(Fault::new("id", rule).received(format!("{:?}", new.client_id)));
    }
    if fault::contains_token(new.client_id) {
        faults.push(Fault::new("id", "must not be a token, because identifiers are displayed"));
    }
    if ClientKind::parse(new.kind).is_none() {
        faults.push(not_one_of("kind", new.kind, &ClientKind::ALL.map(ClientKind::as_str)));
    }
    faults.extend(name_faults(new.name));
    if new.scopes.is_empty() {
        faults.push(Fault::new("scopes", "must name at least one scope"));
    }
    let allowed: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    faults.extend(
        new.scopes
            .iter()
            .filter(|word| !allowed.contains(&word.as_str()))
            .map(|word| not_one_of("scopes", word, &allowed)),
    );
    if new.surfaces.is_empty() {
        faults.push(Fault::new("surfaces", "must name rest, mcp or both"));
    }
    let allowed: Vec<&str> = Surface::ALL.iter().map(|surface| surface.as_str()).collect();
    faults.extend(
        new.surfaces
            .iter()
            .filter(|word| !allowed.contains(&word.as_str()))
            .map(|word| not_one_of("surfaces", word, &allowed)),
    );
    if new.redirect_uris.iter().any(|uri| fault::contains_token(uri)) {
        faults.push(Fault::new(
            "redirect uri",
            "must not contain a token, because redirect URIs are displayed",
        ));
    }
    let wrong = new.redirect_uris.iter().filter(|uri| !is_redirect_uri(uri));
    faults.extend(wrong.map(|uri| Fault::new("redirect uri", redirect_uri::RULE).received(uri)));
    faults
}

fn not_one_of(place: &str, received: &str, allowed: &[&str]) -> Fault {
    Fault::new(place, format!("must be one of the allowed values: {}", allowed.join(", "))).received(received)
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
                     left join passbook.users on users.user_id = clients.owner_user_id \
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
