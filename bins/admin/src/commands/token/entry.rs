//! A token in the list of tokens.

use jiff::Timestamp;
use passbook_ingest::tokens::Token;
use serde::Serialize;
use uuid::Uuid;

use crate::commands::revocation::State;
use crate::commands::surfaces::{joined, surfaces};
use crate::listing::Entry;

/// A token in the list, without the token itself.
#[derive(Debug, Serialize)]
pub(super) struct TokenEntry {
    token_id: Uuid,
    /// E-mail address.
    user: String,
    name: String,
    last_four: String,
    state: State,
    surfaces: Vec<&'static str>,
    scopes: Vec<String>,
    created_at: Timestamp,
    expires_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<Timestamp>,
}

impl From<Token> for TokenEntry {
    fn from(token: Token) -> TokenEntry {
        TokenEntry {
            token_id: token.token_id,
            user: token.email,
            name: token.name,
            last_four: token.last_four,
            state: match State::new(token.revoked_at) {
                State::Active if token.expired => State::Expired,
                state => state,
            },
            surfaces: surfaces(token.rest, token.mcp),
            scopes: token.scopes,
            created_at: token.created_at,
            expires_at: token.expires_at,
            revoked_at: token.revoked_at,
        }
    }
}

impl Entry for TokenEntry {
    const HEADING: &'static [&'static str] =
        &["id", "user", "name", "ends in", "state", "surfaces", "created", "expires", "scopes"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.token_id.to_string(),
            self.user.clone(),
            self.name.clone(),
            self.last_four.clone(),
            self.state.as_str().to_owned(),
            joined(&self.surfaces),
            format!("{:.0}", self.created_at),
            format!("{:.0}", self.expires_at),
            self.scopes.join(","),
        ]
    }
}
