//! The values of a client: its kind, and the texts of its scopes, surfaces and redirect URIs.

use passbook_domain::scope::Surface;

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
