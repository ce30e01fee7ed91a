//! The values of a client: its kind, and the texts of its scopes, surfaces and redirect URIs, with the faults that can be
//! found without the database.

use passbook_domain::scope::{Scope, Surface};
use passbook_input::Fault;

use crate::redirect_uri::{self, is_redirect_uri};
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

    pub(super) fn parse(text: &str) -> Option<ClientKind> {
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
    /// The texts of the granted [`Scope`](passbook_domain::scope::Scope)s.
    pub scopes: &'a [String],
    /// The texts of the [`Surface`]s that accept the client.
    pub surfaces: &'a [String],
    /// The URIs to which the identity provider may redirect people. Recorded only; the identity provider enforces them.
    pub redirect_uris: &'a [String],
}

/// Returns true if the surface is among these texts.
pub(super) fn accepts(surfaces: &[String], surface: Surface) -> bool {
    surfaces.iter().any(|word| word == surface.as_str())
}

/// Returns each text once, in the order of first occurrence.
pub(super) fn distinct(texts: &[String]) -> Vec<&str> {
    let mut distinct: Vec<&str> = Vec::with_capacity(texts.len());
    for text in texts {
        if !distinct.contains(&text.as_str()) {
            distinct.push(text);
        }
    }
    distinct
}

/// Returns the faults of a new client.
pub(super) fn faults(new: &NewClient<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let length = new.client_id.chars().count();
    let plain = !new.client_id.chars().any(|character| character.is_whitespace() || character.is_control());
    if !(1..=CLIENT_ID_CHARACTERS_MAX).contains(&length) || !plain {
        let rule = format!("must have 1 to {CLIENT_ID_CHARACTERS_MAX} characters, without spaces");
        faults.push(Fault::new("id", rule).received(format!("{:?}", new.client_id)));
    }
    if passbook_input::contains_token(new.client_id) {
        faults.push(Fault::new("id", "must not be a token, because identifiers are displayed"));
    }
    if ClientKind::parse(new.kind).is_none() {
        faults.push(not_one_of("kind", new.kind, &ClientKind::ALL.map(ClientKind::as_str)));
    }
    faults.extend(name_faults(new.name));
    faults.extend(scope_faults(new.scopes));
    faults.extend(surface_faults(new.surfaces));
    faults.extend(redirect_uri_faults(new.redirect_uris));
    faults
}

/// Returns the faults of a client's scopes.
pub(super) fn scope_faults(scopes: &[String]) -> Vec<Fault> {
    if scopes.is_empty() {
        return vec![Fault::new("scopes", "must name at least one scope")];
    }
    let allowed: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    unknown("scopes", scopes, &allowed)
}

/// Returns the faults of a client's surfaces.
pub(super) fn surface_faults(surfaces: &[String]) -> Vec<Fault> {
    if surfaces.is_empty() {
        return vec![Fault::new("surfaces", "must name rest, mcp or both")];
    }
    let allowed: Vec<&str> = Surface::ALL.iter().map(|surface| surface.as_str()).collect();
    unknown("surfaces", surfaces, &allowed)
}

/// Returns the faults of a client's redirect URIs.
pub(super) fn redirect_uri_faults(uris: &[String]) -> Vec<Fault> {
    let mut faults = Vec::new();
    if uris.iter().any(|uri| passbook_input::contains_token(uri)) {
        let rule = "must not contain a token, because redirect URIs are displayed";
        faults.push(Fault::new("redirect uri", rule));
    }
    let wrong = uris.iter().filter(|uri| !is_redirect_uri(uri));
    faults.extend(wrong.map(|uri| Fault::new("redirect uri", redirect_uri::RULE).received(uri)));
    faults
}

fn unknown(place: &str, received: &[String], allowed: &[&str]) -> Vec<Fault> {
    let unknown = received.iter().filter(|word| !allowed.contains(&word.as_str()));
    unknown.map(|word| not_one_of(place, word, allowed)).collect()
}

fn not_one_of(place: &str, received: &str, allowed: &[&str]) -> Fault {
    Fault::new(place, format!("must be one of the allowed values: {}", allowed.join(", "))).received(received)
}
