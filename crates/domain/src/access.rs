//! Who asks, through what, for what. None of it says what may be done: only the grant that is read together
//! with the data does.

use uuid::Uuid;

use crate::invalid::Invalid;
use crate::person::UserId;
use crate::scope::{Scope, Surface};

/// The grant a credential names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GrantReference {
    /// A personal access token, by its identifier.
    PersonalAccessToken(Uuid),
    /// A client that signed in through the identity provider. A host that signs people in itself names what it knows
    /// them by so, and its ledger knows what that may do.
    OauthClient {
        /// The client's identifier at the identity provider.
        client_id: String,
        /// The session that the token belongs to; none where the token names none. A session that is known to have
        /// ended takes access away; one that nobody recorded takes nothing.
        session_id: Option<SessionId>,
    },
}

/// The identifier of a session at the identity provider, as a token names it in its claim `session_id` or `sid` (section
/// 3 of Front-Channel Logout 1.0): 1 to [`SessionId::CHARACTERS_MAX`] characters without control characters, compared
/// exactly.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// The most characters in an identifier.
    pub const CHARACTERS_MAX: usize = 200;

    /// Reads an identifier.
    ///
    /// # Errors
    ///
    /// Refused when it is empty, too long, or has control characters.
    pub fn parse(text: &str) -> Result<SessionId, Invalid> {
        let length = text.chars().count();
        if (1..=SessionId::CHARACTERS_MAX).contains(&length) && !text.chars().any(char::is_control) {
            return Ok(SessionId(text.to_owned()));
        }
        let rule =
            format!("must have 1 to {} characters and no control characters", SessionId::CHARACTERS_MAX);
        Err(Invalid::new(rule))
    }

    /// The identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An authenticated caller: whose data, under which grant. Not what the grant allows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Credential {
    user: UserId,
    grant: GrantReference,
    surface: Option<Surface>,
}

impl Credential {
    /// A credential of a user under a grant, not tied to a surface: a host's own, in-process use.
    pub fn new(user: UserId, grant: GrantReference) -> Credential {
        Credential { user, grant, surface: None }
    }

    /// The same credential used through a surface, which the grant must then allow. Whatever takes a credential from
    /// outside the process says so: tools for an assistant are [`Surface::Mcp`], everything else that people's own
    /// programs call is [`Surface::Rest`]. A person who kept a token from a surface has kept it from all of its kind.
    pub fn through(self, surface: Surface) -> Credential {
        Credential { surface: Some(surface), ..self }
    }

    /// Whose data may be read.
    pub fn user(&self) -> UserId {
        self.user
    }

    /// The grant it names.
    pub fn grant(&self) -> &GrantReference {
        &self.grant
    }

    /// The surface it is used through; none for in-process use, where the host itself is the caller.
    pub fn surface(&self) -> Option<Surface> {
        self.surface
    }
}

/// One operation asking the ledger: the credential and the scope the operation needs. Holding one proves
/// nothing; the ledger checks it against the grant.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    credential: &'a Credential,
    scope: Option<Scope>,
}

impl<'a> Access<'a> {
    /// Built by `operations::Service` for the operation it is about to run, and by nobody else.
    pub fn for_operation(credential: &'a Credential, scope: Option<Scope>) -> Access<'a> {
        Access { credential, scope }
    }

    /// Who asks.
    pub fn credential(&self) -> &Credential {
        self.credential
    }

    /// The scope the grant must carry; none for an operation that any live credential may call.
    pub fn scope(&self) -> Option<Scope> {
        self.scope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_identifier_is_bounded_text() {
        let longest = "é".repeat(SessionId::CHARACTERS_MAX);
        for text in ["s", "e5b1c0de-0000-4000-8000-000000000001", &longest] {
            assert_eq!(SessionId::parse(text).expect("it is one").as_str(), text);
        }
        for text in ["", "a\0b", "a\nb", &format!("{longest}x")] {
            let refused = SessionId::parse(text).expect_err(text);
            assert_eq!(refused.rule(), "must have 1 to 200 characters and no control characters");
        }
    }
}
