//! A build without shared rate limits.

use std::sync::Arc;

use passbook_rest::rate_limit::SharedRateLimits;

/// The address of a store, which this build cannot use.
#[derive(Clone, Debug)]
pub enum RateLimitStore {}

impl RateLimitStore {
    /// Rejects every address.
    ///
    /// # Errors
    /// The remedy.
    pub fn parse(_: &str) -> Result<RateLimitStore, String> {
        Err("needs a build with the cargo feature shared-rate-limit: remove the setting, or use such a build"
            .to_owned())
    }
}

/// Returns no shared limits.
pub fn shared(store: &RateLimitStore) -> Arc<dyn SharedRateLimits> {
    match *store {}
}
