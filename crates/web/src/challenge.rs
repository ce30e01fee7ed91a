//! The `WWW-Authenticate` challenge (RFC 6750 section 3, RFC 9728 section 5.1).

use domain::scope::Scope;

/// What a caller without access is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// No token was sent: where to get one, and no error.
    Missing,
    /// The token's time is over.
    Expired,
    /// The token is no good, for whatever reason.
    Invalid,
    /// The grant lacks a scope.
    InsufficientScope(Scope),
}

impl Challenge {
    /// The header's value; `resource_metadata` is the address of the document that says where tokens come from.
    pub fn header(self, resource_metadata: &str) -> String {
        let metadata = format!("resource_metadata=\"{resource_metadata}\"");
        match self {
            Challenge::Missing => format!("Bearer {metadata}"),
            Challenge::Expired => format!(
                "Bearer error=\"invalid_token\", error_description=\"The access token expired\", {metadata}"
            ),
            Challenge::Invalid => format!(
                "Bearer error=\"invalid_token\", error_description=\"The access token is invalid\", {metadata}"
            ),
            Challenge::InsufficientScope(scope) => format!(
                "Bearer error=\"insufficient_scope\", error_description=\"The access token lacks a scope\", \
                 scope=\"{scope}\", {metadata}"
            ),
        }
    }
}
