//! A cache of the results of the readiness checks. `/ready` needs no token, so without the cache any client could load
//! the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use passbook_domain::readiness::{Check, Readiness};
use tokio::sync::Mutex;

/// Maximum age of cached results, in seconds.
const AGE_SECONDS_MAX: u64 = 1;

/// The readiness checks and their last results.
pub(crate) struct ReadinessCache {
    readiness: Arc<dyn Readiness>,
    last: Mutex<Option<(Instant, Vec<Check>)>>,
    stopping: AtomicBool,
}

impl ReadinessCache {
    pub(crate) fn new(readiness: Arc<dyn Readiness>) -> ReadinessCache {
        ReadinessCache { readiness, last: Mutex::new(None), stopping: AtomicBool::new(false) }
    }

    /// Makes every further result a failure.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Returns the results of all checks, from the cache if they are new enough. Concurrent requests wait for one run
    /// of the checks and share its results.
    pub(crate) async fn checks(&self) -> Vec<Check> {
        if self.stopping.load(Ordering::Relaxed) {
            return vec![Check::new("accepting", Err("the server is stopping".to_owned()))];
        }
        let mut last = self.last.lock().await;
        if let Some((at, checks)) = last.as_ref()
            && at.elapsed() < Duration::from_secs(AGE_SECONDS_MAX)
        {
            return checks.clone();
        }
        let checks = self.readiness.checks().await;
        *last = Some((Instant::now(), checks.clone()));
        checks
    }
}
