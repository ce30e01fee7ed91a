//! The readiness checks: configuration, database and signing keys.

use passbook_auth::Provider;
use passbook_auth::provider::{State, Status};
use passbook_domain::ports::BoxFuture;
use passbook_domain::readiness::{Check, Readiness};
use passbook_store::{Finding, Store};
use tokio::sync::Mutex;

/// The readiness checks of the server.
#[derive(Debug)]
pub struct ReadinessChecks {
    store: Store,
    provider: Option<Provider>,
    /// The findings about the database that were logged last.
    logged: Mutex<Vec<Finding>>,
}

impl ReadinessChecks {
    /// Creates checks of a store and an optional identity provider.
    pub fn new(store: Store, provider: Option<Provider>) -> ReadinessChecks {
        ReadinessChecks { store, provider, logged: Mutex::default() }
    }

    /// Logs the findings about the database with their remedies, if they differ from those that were logged last.
    async fn log_findings(&self) {
        let findings = self.store.last_findings().await;
        let mut logged = self.logged.lock().await;
        if *logged != findings {
            for finding in &findings {
                let remedy = passbook_settings::remedies::start_up_remedy(&finding.remedy);
                tracing::warn!(finding = finding.sentence, remedy, "the database is not ready");
            }
            *logged = findings;
        }
    }
}

impl Readiness for ReadinessChecks {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let mut checks = vec![Check::new("configuration", Ok(()))];
            let database = self.store.checks().await;
            if database.iter().all(|check| check.ok) {
                self.logged.lock().await.clear();
            } else {
                self.log_findings().await;
            }
            checks.extend(database);
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

/// Returns true if access tokens can be verified, and a message about the keys. `/ready` is public, so the message names
/// no cause; the causes are in the log.
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
