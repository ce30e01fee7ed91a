//! The `WWW-Authenticate` challenge (RFC 6750 section 3, RFC 9728 section 5.1).

use passbook_domain::access::MissingScope;
use passbook_domain::scope::Scope;

use crate::host_sign_in::HostSignIn;

/// The reason why a request was rejected for lack of a valid token or scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// The request has no token. The challenge then has no `error` (RFC 6750 section 3.1).
    Missing,
    /// The token has expired.
    Expired,
    /// The token is not accepted for a reason other than expiry.
    Invalid,
    /// The grant or the token does not include the scope that the operation needs.
    InsufficientScope(MissingScope),
}

/// The scope that makes an authorization request one of OpenID Connect. Every client requests it (OpenID Connect Core 1.0
/// section 3.1.2.1).
const OPENID: &str = "openid";

/// The challenges of an adapter: the address of the metadata document, and the data scopes that a challenge may name. The
/// default names neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenges {
    /// The address of the protected-resource metadata.
    pub(crate) resource_metadata: Option<String>,
    /// The scopes that a client can request when it signs in. A challenge names no other scope: assistants request each
    /// scope that a challenge names, and an identity provider rejects a request with an unknown scope.
    pub(crate) requestable_scopes: Vec<Scope>,
    /// The sign-in of a host with sessions of its own.
    pub(crate) host_sign_in: Option<HostSignIn>,
}

impl Challenges {
    /// Returns the host's sign-in if it applies to a 401 response: to a request without a token, and to every request if
    /// the host issues no tokens or has authenticated the caller itself.
    pub(crate) fn host_sign_in(&self, challenge: &Challenge, is_host_caller: bool) -> Option<&HostSignIn> {
        let sign_in = self.host_sign_in.as_ref()?;
        let is_without_token = *challenge == Challenge::Missing || is_host_caller || !sign_in.accepts_tokens;
        let is_unauthorized = !matches!(challenge, Challenge::InsufficientScope(_));
        (is_unauthorized && is_without_token).then_some(sign_in)
    }

    /// Returns true if a client gets the missing scope by requesting it when it signs in: the scope is requestable, and the
    /// grant has it. Otherwise a client would sign in again without end.
    pub fn is_requestable(&self, missing: &MissingScope) -> bool {
        missing.is_granted && self.requestable_scopes.contains(&missing.required)
    }

    /// Returns the value of the `WWW-Authenticate` header. The metadata address precedes the scope, because some
    /// clients take the first parameter that matches a pattern.
    pub fn header(&self, challenge: &Challenge) -> String {
        let mut parameters = Vec::new();
        let error = |code: &str, description: &str| {
            [format!("error=\"{code}\""), format!("error_description=\"{description}\"")]
        };
        match challenge {
            Challenge::Missing => {}
            Challenge::Expired => parameters.extend(error("invalid_token", "The access token expired")),
            Challenge::Invalid => parameters.extend(error("invalid_token", "The access token is invalid")),
            Challenge::InsufficientScope(_) => {
                parameters.extend(error("insufficient_scope", "The access token lacks a scope"));
            }
        }
        parameters.extend(self.resource_metadata.iter().map(|url| format!("resource_metadata=\"{url}\"")));
        if let Challenge::InsufficientScope(missing) = challenge {
            parameters.extend(self.requested_scopes(missing).map(|scopes| format!("scope=\"{scopes}\"")));
        }
        if parameters.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", parameters.join(", ")) }
    }

    /// Returns the scopes that a client requests in order to get the missing one: `openid`, the scopes that it holds, and
    /// the missing one. A client requests exactly these scopes, so it would lose a held scope that is not listed. Returns
    /// `None` if requesting the missing scope gives nothing.
    fn requested_scopes(&self, missing: &MissingScope) -> Option<String> {
        if !self.is_requestable(missing) {
            return None;
        }
        let held = missing.held.iter().filter(|scope| self.requestable_scopes.contains(scope));
        let data_scopes = held.chain([&missing.required]).map(|scope| scope.as_str());
        Some([OPENID].into_iter().chain(data_scopes).collect::<Vec<&str>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(required: Scope, held: &[Scope]) -> Challenge {
        Challenge::InsufficientScope(MissingScope::new(required, held.to_vec()).granted())
    }

    #[test]
    fn challenge_names_held_and_missing_scopes_that_clients_can_request() {
        use Scope::{BanksRead, BudgetsRead, PortfolioRead, SpendingRead};
        let requestable = vec![BudgetsRead, SpendingRead, BanksRead];
        let challenges = Challenges {
            resource_metadata: Some("https://a.example/d".to_owned()),
            requestable_scopes: requestable,
            host_sign_in: None,
        };
        let lacks = "Bearer error=\"insufficient_scope\", error_description=\"The access token lacks a scope\", \
                     resource_metadata=\"https://a.example/d\"";
        for (challenge, expected) in [
            (Challenge::Missing, "Bearer resource_metadata=\"https://a.example/d\"".to_owned()),
            (missing(BudgetsRead, &[]), format!("{lacks}, scope=\"openid budgets:read\"")),
            (
                missing(BudgetsRead, &[SpendingRead, BanksRead, PortfolioRead]),
                format!("{lacks}, scope=\"openid spending:read banks:read budgets:read\""),
            ),
            (missing(PortfolioRead, &[SpendingRead]), lacks.to_owned()),
            (
                Challenge::InsufficientScope(MissingScope::new(BudgetsRead, vec![SpendingRead])),
                lacks.to_owned(),
            ),
        ] {
            assert_eq!(challenges.header(&challenge), expected);
        }
    }

    #[test]
    fn sign_in_of_the_host_replaces_the_challenge_of_callers_without_a_token() {
        let sign_in = HostSignIn::cookie("sid", "/sign-in").expect("plain texts");
        let challenges = |sign_in| Challenges { host_sign_in: Some(sign_in), ..Challenges::default() };
        let (both, sessions_only) = (challenges(sign_in.clone()), challenges(sign_in.without_tokens()));
        let scope = missing(Scope::BanksRead, &[]);
        for (challenges, challenge, is_host_caller, expected) in [
            (&both, &Challenge::Missing, false, true),
            (&both, &Challenge::Invalid, false, false),
            (&both, &Challenge::Invalid, true, true),
            (&both, &scope, true, false),
            (&sessions_only, &Challenge::Invalid, false, true),
            (&Challenges::default(), &Challenge::Missing, true, false),
        ] {
            let applies = challenges.host_sign_in(challenge, is_host_caller).is_some();
            assert_eq!(applies, expected, "{challenge:?} {is_host_caller}");
        }
    }

    #[test]
    fn challenge_without_metadata_document_names_only_the_error() {
        let challenges = Challenges::default();
        assert_eq!(challenges.header(&Challenge::Missing), "Bearer");
        assert_eq!(
            challenges.header(&Challenge::Expired),
            "Bearer error=\"invalid_token\", error_description=\"The access token expired\""
        );
    }
}
