//! Credentials and access requests: the user, the grant and the surface of a request, and the scope that its operation
//! needs.
//!
//! None of these types is a permission. The grant is, and the ledger reads it in the same transaction as the data.

use uuid::Uuid;

use crate::error::Invalid;
use crate::person::{Surfaces, UserId};
use crate::scope::{Scope, Surface};

/// A reference to the grant under which a request is made. A `Ledger` rejects a kind that it does not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GrantReference {
    /// The grant of a personal access token, by the token's identifier.
    PersonalAccessToken(Uuid),
    /// The grant of an OAuth client.
    OauthClient {
        /// Identifier of the client at the identity provider.
        client_id: String,
        /// Session of the access token; none if the token names no session. A session that is recorded as ended revokes
        /// access. A session that is not recorded does not.
        session_id: Option<SessionId>,
    },
    /// The grant of a session or a job of the host, which has authenticated the user itself. The host's `Ledger`, or the
    /// view `passbook_read.grants` with the credential `host`, decides which scopes the identifier grants.
    Host {
        /// Identifier of the session or the job, which the host has chosen.
        id: SessionId,
    },
}

/// Identifier of a session: of a session or a job of the host, or of a session at the identity provider, from the claim
/// `session_id` or `sid` of an access token (OpenID Connect Front-Channel Logout 1.0 section 3). It has 1 to
/// [`SessionId::CHARACTERS_MAX`] characters without control characters, and is compared exactly.
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
    token_scopes: Option<Vec<Scope>>,
    surface: Option<Surface>,
}

impl Credential {
    /// Creates a credential without a surface, for in-process use by a host. It holds every scope of the grant.
    pub fn new(user: UserId, grant: GrantReference) -> Credential {
        Credential { user, grant, token_scopes: None, surface: None }
    }

    /// Returns the credential of a token that is limited to data scopes. It holds the scopes that both the grant and the token
    /// include: none if the list is empty.
    pub fn limited_to(self, token_scopes: Vec<Scope>) -> Credential {
        Credential { token_scopes: Some(token_scopes), ..self }
    }

    /// Returns the credential for use through `surface`; the grant must then allow the surface.
    ///
    /// Every adapter that receives credentials from outside the process must call this method. Tools for an assistant
    /// use [`Surface::Mcp`]; another interface uses [`Surface::Rest`] or a [surface of its own](Surface::host). If a
    /// person disables a surface for a token, all adapters with that surface reject the token.
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

    /// Returns the scope that the caller must hold; none if any valid grant is enough.
    pub fn scope(&self) -> Option<Scope> {
        self.scope
    }

    /// Reads the scopes of a grant as a table stores them. The result contains a scope of a host only if the operation
    /// requires it: another text that is no scope of Passbook gives no access, and is ignored.
    pub fn granted_scopes<'t>(&self, stored: impl IntoIterator<Item = &'t str>) -> Vec<Scope> {
        let of_host = |text: &str| self.scope.filter(|scope| scope.as_str() == text);
        stored.into_iter().filter_map(|text| Scope::parse(text).ok().or_else(|| of_host(text))).collect()
    }

    /// Returns true if a grant allows the surface of the caller. `surfaces` are the surfaces of Passbook that the grant
    /// allows; `stored` are its stored scopes, which name the [surfaces of a host](Surface::host). A caller without a
    /// surface is the host itself.
    pub fn is_surface_allowed<'t>(
        &self,
        surfaces: Surfaces,
        stored: impl IntoIterator<Item = &'t str>,
    ) -> bool {
        match self.credential.surface {
            None => true,
            Some(Surface::Rest) => surfaces.rest,
            Some(Surface::Mcp) => surfaces.mcp,
            Some(Surface::Host(name)) => {
                let mut named = stored.into_iter().filter_map(|text| text.strip_prefix(Surface::HOST_PREFIX));
                named.any(|stored| stored == name.as_str())
            }
        }
    }

    /// Returns true if the caller holds a scope: if the grant includes it, and the token too, if the token names data scopes.
    /// `granted` are the scopes of the grant.
    pub fn holds(&self, granted: &[Scope], scope: Scope) -> bool {
        let token_scopes = self.credential.token_scopes.as_deref();
        granted.contains(&scope) && token_scopes.is_none_or(|scopes| scopes.contains(&scope))
    }

    /// Checks that the caller holds the required scope. `granted` are the scopes of the grant, in any order.
    ///
    /// Every `Ledger` decides with this function, because only this function applies the scopes of the token: if the
    /// token names data scopes, the caller holds those scopes of the grant that the token names.
    ///
    /// # Errors
    /// [`MissingScope`] if the grant or the token does not include the scope.
    pub fn check_scope(&self, granted: &[Scope]) -> Result<(), MissingScope> {
        match self.scope {
            Some(required) if !self.holds(granted, required) => Err(MissingScope {
                required,
                is_granted: granted.contains(&required),
                held: Scope::ALL.iter().copied().filter(|scope| self.holds(granted, *scope)).collect(),
            }),
            _ => Ok(()),
        }
    }
}

impl MissingScope {
    /// Creates the error for a scope that neither the grant nor the token includes. `held` are the scopes that the caller
    /// holds.
    pub fn new(required: Scope, held: Vec<Scope>) -> MissingScope {
        MissingScope { required, is_granted: false, held }
    }

    /// Marks the scope as one that the grant includes, so that only the token lacks it.
    #[must_use]
    pub fn granted(self) -> MissingScope {
        MissingScope { is_granted: true, ..self }
    }
}

/// The scope that a caller lacks for an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grant or the token does not include the scope {required}")]
#[non_exhaustive]
pub struct MissingScope {
    /// The scope that the operation requires.
    pub required: Scope,
    /// True if the grant includes the scope, so that a new token that names the scope is enough.
    pub is_granted: bool,
    /// The scopes that the caller holds, in the order of [`Scope::ALL`].
    pub held: Vec<Scope>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_holds_the_scopes_of_the_grant_that_the_token_names() {
        use Scope::{BanksRead, BudgetsRead, CashflowRead, SpendingRead};
        let granted = [SpendingRead, CashflowRead];
        for (token_scopes, required, expected) in [
            (None, Some(SpendingRead), Ok(())),
            (None, None, Ok(())),
            (None, Some(BanksRead), Err((false, vec![CashflowRead, SpendingRead]))),
            (Some(vec![SpendingRead]), Some(SpendingRead), Ok(())),
            (Some(vec![SpendingRead]), Some(CashflowRead), Err((true, vec![SpendingRead]))),
            (Some(vec![BudgetsRead]), Some(BudgetsRead), Err((false, vec![]))),
            (Some(vec![]), Some(SpendingRead), Err((true, vec![]))),
            (Some(vec![]), None, Ok(())),
        ] {
            let credential = Credential::new(user(), GrantReference::PersonalAccessToken(Uuid::nil()));
            let credential = match token_scopes.clone() {
                Some(scopes) => credential.limited_to(scopes),
                None => credential,
            };
            let expected = expected.map_err(|(is_granted, held)| MissingScope {
                required: required.expect("only a required scope can be missing"),
                is_granted,
                held,
            });
            assert_eq!(access(&credential, required).check_scope(&granted), expected, "{token_scopes:?}");
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a test has no authentication")]
    fn user() -> UserId {
        UserId::from_authenticated(Uuid::from_u128(1))
    }

    #[expect(clippy::disallowed_methods, reason = "the test is the caller of the ledger")]
    fn access(credential: &Credential, scope: Option<Scope>) -> Access<'_> {
        Access::for_operation(credential, scope)
    }

    #[test]
    fn scope_and_surface_of_a_host_are_granted_by_their_names_only() {
        const RECEIPTS: Scope = Scope::host("receipts:read");
        let stored = ["spending:read", "receipts:read", "surface:json-rpc", "rentals:read"];
        let credential = Credential::new(user(), GrantReference::PersonalAccessToken(Uuid::nil()));
        let receipts = access(&credential, Some(RECEIPTS));
        assert_eq!(receipts.granted_scopes(stored), [Scope::SpendingRead, RECEIPTS]);
        assert_eq!(receipts.check_scope(&receipts.granted_scopes(stored)), Ok(()));
        let spending = access(&credential, Some(Scope::SpendingRead));
        assert_eq!(spending.granted_scopes(stored), [Scope::SpendingRead]);
        assert!(receipts.check_scope(&receipts.granted_scopes(stored[..1].iter().copied())).is_err());
        let narrowed = credential.clone().limited_to(vec![Scope::SpendingRead]);
        assert!(access(&narrowed, Some(RECEIPTS)).check_scope(&[RECEIPTS]).is_err());

        let neither = Surfaces { rest: false, mcp: false };
        for (surface, allowed) in [("json-rpc", true), ("json", false), ("receipts", false)] {
            let caller = credential.clone().through(Surface::host(surface));
            assert_eq!(access(&caller, None).is_surface_allowed(neither, stored), allowed, "{surface}");
        }
        let rest = credential.through(Surface::Rest);
        assert!(!access(&rest, None).is_surface_allowed(neither, ["surface:rest"]));
        assert!(access(&rest, None).is_surface_allowed(Surfaces { rest: true, mcp: false }, []));
    }

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
