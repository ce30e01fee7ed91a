//! The configurable rules for access tokens.

use std::time::Duration;

/// Default of the maximum lifetime of an access token, in hours.
const LIFETIME_HOURS_MAX: u64 = 24;

/// Requirements on the claims of access tokens.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Accepted audiences: a token's `aud` must contain at least one.
    pub audiences: Vec<String>,
    /// Maximum time from the claim `iat` to the claim `exp`; `None` for no maximum.
    pub lifetime_max: Option<Duration>,
}

impl Rules {
    /// Creates rules for these audiences with a maximum lifetime of 24 hours.
    pub fn new(audiences: Vec<String>) -> Rules {
        Rules { audiences, lifetime_max: Some(Duration::from_secs(LIFETIME_HOURS_MAX * 60 * 60)) }
    }
}
