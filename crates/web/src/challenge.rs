//! The `WWW-Authenticate` challenge (RFC 6750 section 3, RFC 9728 section 5.1).

use domain::scope::Scope;

/// The reason why a request was rejected for lack of a valid token or scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// The request has no token. The challenge then has no `error` (RFC 6750 section 3.1).
    Missing,
    /// The token has expired.
    Expired,
    /// The token is not accepted for a reason other than expiry.
    Invalid,
    /// The grant does not include this scope.
    InsufficientScope(Scope),
}

/// Settings for the challenges of an adapter: the address of the metadata document, and the scopes that a challenge may
/// name. The default names neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChallengeConfig {
    resource_metadata: Option<String>,
    requestable_scopes: Vec<Scope>,
}

impl ChallengeConfig {
    /// Creates a configuration from the address of the protected-resource metadata and the scopes that a client can
    /// request when it signs in. A challenge names no other scope: assistants request each scope that a challenge names,
    /// and an identity provider rejects a request with an unknown scope.
    pub fn new(resource_metadata: String, requestable_scopes: Vec<Scope>) -> ChallengeConfig {
        ChallengeConfig { resource_metadata: Some(resource_metadata), requestable_scopes }
    }

    /// Returns true if a client can request the scope when it signs in.
    pub fn is_requestable(&self, scope: Scope) -> bool {
        self.requestable_scopes.contains(&scope)
    }

    /// Returns the value of the `WWW-Authenticate` header. The metadata address precedes the scope, because some
    /// clients take the first parameter that matches a pattern.
    pub fn header(&self, challenge: Challenge) -> String {
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
        if let Challenge::InsufficientScope(scope) = challenge
            && self.is_requestable(scope)
        {
            parameters.push(format!("scope=\"{scope}\""));
        }
        if parameters.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", parameters.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenge_names_a_scope_only_if_clients_can_request_it() {
        let challenges = ChallengeConfig::new("https://a.example/d".to_owned(), vec![Scope::BudgetsRead]);
        let lacks = "Bearer error=\"insufficient_scope\", error_description=\"The access token lacks a scope\", \
                     resource_metadata=\"https://a.example/d\"";
        for (challenge, expected) in [
            (Challenge::Missing, "Bearer resource_metadata=\"https://a.example/d\"".to_owned()),
            (Challenge::InsufficientScope(Scope::BudgetsRead), format!("{lacks}, scope=\"budgets:read\"")),
            (Challenge::InsufficientScope(Scope::PortfolioRead), lacks.to_owned()),
        ] {
            assert_eq!(challenges.header(challenge), expected);
        }
    }

    #[test]
    fn challenge_without_metadata_document_names_only_the_error() {
        let challenges = ChallengeConfig::default();
        assert_eq!(challenges.header(Challenge::Missing), "Bearer");
        assert_eq!(
            challenges.header(Challenge::Expired),
            "Bearer error=\"invalid_token\", error_description=\"The access token expired\""
        );
    }
}
