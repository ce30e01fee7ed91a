//! Whether requests are worth sending: the same checks as at start.

use auth::Provider;
use auth::provider::{State, Status};
use domain::ports::BoxFuture;
use domain::readiness::{Check, Readiness};
use store::Store;

/// Looks at configuration, database and signing keys.
#[derive(Debug)]
pub struct Checks {
    store: Store,
    provider: Option<Provider>,
}

impl Checks {
    /// Checks over a store and, if there is one, an identity provider.
    pub fn new(store: Store, provider: Option<Provider>) -> Checks {
        Checks { store, provider }
    }
}

impl Readiness for Checks {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let mut checks = vec![Check::new("configuration", Ok(()))];
            checks.extend(self.store.checks().await);
            let (ok, message) = match &self.provider {
                None => {
                    (true, Some("no identity provider is configured: personal access tokens only".to_owned()))
                }
                Some(provider) => signing_keys(&provider.check().await),
            };
            checks.push(Check { name: "signing_keys", ok, message });
            checks
        })
    }
}

/// Whether access tokens can be verified, and what to know about it. Anyone may ask, so the reasons are in the log only.
fn signing_keys(status: &Status) -> (bool, Option<String>) {
    match &status.keys {
        State::Fresh if status.keys_usable > 0 => (true, None),
        State::Stale { age, .. } if status.keys_usable > 0 => {
            let minutes = age.as_secs() / 60;
            (
                true,
                Some(format!(
                    "the identity provider does not answer: its keys of {minutes} minutes ago are in use"
                )),
            )
        }
        State::Fresh | State::Stale { .. } => {
            (false, Some("the identity provider publishes no key that can be used".to_owned()))
        }
        State::Absent { .. } => {
            (false, Some("the identity provider's keys cannot be fetched: see the log".to_owned()))
        }
    }
}
