//! The readiness checks: configuration, database and signing keys.

use passbook_auth::Provider;
use passbook_auth::provider::{State, Status};
use passbook_domain::ports::BoxFuture;
use passbook_domain::readiness::{Check, Readiness};
use passbook_store::{Problem, Store};
use tokio::sync::Mutex;

/// The readiness checks of the server.
#[derive(Debug)]
pub struct ReadinessChecks {
    store: Store,
    provider: Option<Provider>,
    /// The problems of the database that were logged last.
    logged: Mutex<Vec<Problem>>,
}

impl ReadinessChecks {
    /// Creates checks of a store and an optional identity provider.
    pub fn new(store: Store, provider: Option<Provider>) -> ReadinessChecks {
        ReadinessChecks { store, provider, logged: Mutex::default() }
    }

    /// Logs the problems of the database with their remedies, if they differ from those that were logged last.
    async fn log_problems(&self) {
        let problems = self.store.last_problems().await;
        let mut logged = self.logged.lock().await;
        if *logged != problems {
            for problem in &problems {
                let remedy = passbook_settings::remedies::start_up_remedy(&problem.remedy);
                tracing::warn!(finding = problem.finding, remedy, "the database is not ready");
            }
            *logged = problems;
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
                self.log_problems().await;
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
