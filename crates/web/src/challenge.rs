//! The `WWW-Authenticate` challenge (RFC 6750 section 3, RFC 9728 section 5.1).

use domain::scope::Scope;

/// What a caller without access is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// No token was sent: where to get one, and no error (RFC 6750 section 3.1).
    Missing,
    /// The token's time is over.
    Expired,
    /// The token is no good, for whatever reason.
    Invalid,
    /// The grant lacks a scope.
    InsufficientScope(Scope),
}

/// What an adapter's challenges name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenges {
    resource_metadata: String,
    requestable_scopes: Vec<Scope>,
}

impl Challenges {
    /// The address of the document that says where tokens come from, and the scopes that may be named. An assistant asks
    /// for whatever scope a challenge names, so its challenges name only scopes that a client can ask for when it signs
    /// in: an identity provider that does not know one would refuse it.
    pub fn new(resource_metadata: String, requestable_scopes: Vec<Scope>) -> Challenges {
        Challenges { resource_metadata, requestable_scopes }
    }

    /// Whether a client can ask for a scope when it signs in.
    pub fn is_requestable(&self, scope: Scope) -> bool {
        self.requestable_scopes.contains(&scope)
    }

    /// The header's value. The address stands before any scope: some clients take the first match of what they look for.
    pub fn header(&self, challenge: Challenge) -> String {
        let metadata = format!("resource_metadata=\"{}\"", self.resource_metadata);
        let refused = |error: &str, description: &str| {
            format!("Bearer error=\"{error}\", error_description=\"{description}\", {metadata}")
        };
        match challenge {
            Challenge::Missing => format!("Bearer {metadata}"),
            Challenge::Expired => refused("invalid_token", "The access token expired"),
            Challenge::Invalid => refused("invalid_token", "The access token is invalid"),
            Challenge::InsufficientScope(scope) => {
                let refused = refused("insufficient_scope", "The access token lacks a scope");
                if self.is_requestable(scope) { format!("{refused}, scope=\"{scope}\"") } else { refused }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_named_only_where_it_can_be_asked_for() {
        let challenges = Challenges::new("https://a.example/d".to_owned(), vec![Scope::BudgetsRead]);
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
}
