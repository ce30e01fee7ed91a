//! Credentials and access requests: the user, the grant and the surface of a request, and the scope that its operation
//! needs.
//!
//! None of these types is a permission. The grant is, and the ledger reads it in the same transaction as the data.

use uuid::Uuid;

use crate::invalid::Invalid;
use crate::person::UserId;
use crate::scope::{Scope, Surface};

/// A reference to the grant under which a request is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GrantReference {
    /// The grant of a personal access token, by the token's identifier.
    PersonalAccessToken(Uuid),
    /// The grant of an OAuth client. A host with its own sign-in chooses `client_id` freely, and its `Ledger` decides
    /// which scopes the reference grants.
    OauthClient {
        /// Identifier of the client at the identity provider, or the identifier that a host with its own sign-in has
        /// chosen.
        client_id: String,
        /// Session of the access token; none if the token names no session. A session that is recorded as ended revokes
        /// access. A session that is not recorded does not.
        session_id: Option<SessionId>,
    },
}

/// Identifier of a session at the identity provider, from the claim `session_id` or `sid` of an access token (OpenID
/// Connect Front-Channel Logout 1.0 section 3): 1 to [`SessionId::CHARACTERS_MAX`] characters without control
/// characters. It is compared exactly.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// Maximum length in characters.
    pub const CHARACTERS_MAX: usize = 200;

    /// Parses an identifier.
    ///
    /// # Errors
    ///
    /// The text is empty, longer than [`SessionId::CHARACTERS_MAX`], or contains control characters.
    pub fn parse(text: &str) -> Result<SessionId, Invalid> {
        let length = text.chars().count();
        if (1..=SessionId::CHARACTERS_MAX).contains(&length) && !text.chars().any(char::is_control) {
            return Ok(SessionId(text.to_owned()));
        }
        let rule =
            format!("must have 1 to {} characters and no control characters", SessionId::CHARACTERS_MAX);
        Err(Invalid::new(rule))
    }

    /// Returns the identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An authenticated caller: the user, the grant and the surface. It does not contain the permissions of the grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Credential {
    user: UserId,
    grant: GrantReference,
    surface: Option<Surface>,
}

impl Credential {
    /// Creates a credential without a surface, for in-process use by a host.
    pub fn new(user: UserId, grant: GrantReference) -> Credential {
        Credential { user, grant, surface: None }
    }

    /// Returns the credential for use through `surface`; the grant must then allow the surface.
    ///
    /// Every adapter that receives credentials from outside the process must call this method. Tools for an assistant
    /// use [`Surface::Mcp`]; every other interface uses [`Surface::Rest`]. If a person disables a surface for a token,
    /// all adapters with that surface reject the token.
    pub fn through(self, surface: Surface) -> Credential {
        Credential { surface: Some(surface), ..self }
    }

    /// Returns the user whose data may be read.
    pub fn user(&self) -> UserId {
        self.user
    }

    /// Returns the reference to the grant.
    pub fn grant(&self) -> &GrantReference {
        &self.grant
    }

    /// Returns the surface; none for in-process use by the host itself.
    pub fn surface(&self) -> Option<Surface> {
        self.surface
    }
}

/// The access that an operation needs: the credential and the required scope. The ledger checks it against the grant.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    credential: &'a Credential,
    scope: Option<Scope>,
}

impl<'a> Access<'a> {
    /// Creates the access of an operation. Only `operations::Service` may call this function; clippy disallows it
    /// elsewhere.
    pub fn for_operation(credential: &'a Credential, scope: Option<Scope>) -> Access<'a> {
        Access { credential, scope }
    }

    /// Returns the credential of the authenticated caller.
    pub fn credential(&self) -> &Credential {
        self.credential
    }

    /// Returns the scope that the grant must include; none if any valid grant is enough.
    pub fn scope(&self) -> Option<Scope> {
        self.scope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_identifier_has_1_to_200_characters_without_control_characters() {
        let longest = "é".repeat(SessionId::CHARACTERS_MAX);
        for text in ["s", "e5b1c0de-0000-4000-8000-000000000001", &longest] {
            assert_eq!(SessionId::parse(text).expect("a session identifier").as_str(), text);
        }
        for text in ["", "a\0b", "a\nb", &format!("{longest}x")] {
            let error = SessionId::parse(text).expect_err(text);
            assert_eq!(error.rule(), "must have 1 to 200 characters and no control characters");
        }
    }
}
