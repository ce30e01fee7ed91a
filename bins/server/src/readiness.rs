//! Whether requests are worth sending: the same checks as at start.

use std::time::{Duration, Instant};

use domain::ports::BoxFuture;
use rest::{Check, Readiness};
use store::Store;
use tokio::sync::Mutex;

/// Seconds for which an answer is given again, so that probes cannot wear the database out.
const SECONDS_KEPT: u64 = 1;
/// Seconds the database may take.
const DATABASE_SECONDS_MAX: u64 = 3;

/// Looks at configuration, database and signing keys.
#[derive(Debug)]
pub struct Checks {
    store: Store,
    last: Mutex<Option<(Instant, Vec<Check>)>>,
}

impl Checks {
    /// Checks over a store.
    pub fn new(store: Store) -> Checks {
        Checks { store, last: Mutex::new(None) }
    }

    async fn database(&self) -> Check {
        let limit = Duration::from_secs(DATABASE_SECONDS_MAX);
        let message = match tokio::time::timeout(limit, store::check(&self.store)).await {
            Ok(Ok(problems)) if problems.is_empty() => None,
            Ok(Ok(problems)) => {
                Some(format!("{} problem(s) with role or schema; the log has them", problems.len()))
            }
            Ok(Err(_)) | Err(_) => Some("cannot be reached".to_owned()),
        };
        Check { name: "database", ok: message.is_none(), message }
    }
}

impl Readiness for Checks {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let mut last = self.last.lock().await;
            if let Some((at, checks)) = last.as_ref()
                && at.elapsed() < Duration::from_secs(SECONDS_KEPT)
            {
                return checks.clone();
            }
            let checks = vec![
                Check { name: "configuration", ok: true, message: None },
                self.database().await,
                Check {
                    name: "signing_keys",
                    ok: true,
                    message: Some(
                        "no identity provider is configured: personal access tokens only".to_owned(),
                    ),
                },
            ];
            *last = Some((Instant::now(), checks.clone()));
            checks
        })
    }
}
