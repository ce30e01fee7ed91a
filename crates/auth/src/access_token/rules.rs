//! The configurable rules for access tokens.

use std::time::Duration;

use passbook_domain::scope::Scope;

/// Default of the maximum lifetime of an access token, in hours.
const LIFETIME_HOURS_MAX: u64 = 24;

/// Requirements on the claims of access tokens.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rules {
    /// Accepted audiences: a token's `aud` must contain at least one.
    pub audiences: Vec<String>,
    /// Maximum time from the claim `iat` to the claim `exp`; `None` for no maximum.
    pub lifetime_max: Option<Duration>,
    /// Scopes that the host has defined for its own operations. A token that names one is limited to the scopes that it
    /// names, as for the scopes of Passbook.
    pub host_scopes: Vec<Scope>,
}

impl Rules {
    /// Creates rules for these audiences with a maximum lifetime of 24 hours.
    pub fn new(audiences: Vec<String>) -> Rules {
        let lifetime_max = Some(Duration::from_secs(LIFETIME_HOURS_MAX * 60 * 60));
        Rules { audiences, lifetime_max, host_scopes: Vec::new() }
    }
}
