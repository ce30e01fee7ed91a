//! The bodies of the `/health` and `/ready` responses, and a cache of the results of the readiness checks. `/ready` needs no
//! token, so without the cache any client could load the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use passbook_domain::readiness::{Check, Readiness};
use passbook_web::{RETRY_AFTER_SECONDS, response};
use serde::Serialize;
use tokio::sync::Mutex;

/// The body of `/health`.
#[derive(Serialize)]
struct Health {
    status: &'static str,
}

/// The body of `/ready`.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Readiness")]
pub(crate) struct ReadinessReport {
    /// `ready` when every check is right, else `not_ready`.
    pub(crate) status: &'static str,
    /// The checks.
    pub(crate) checks: Vec<Check>,
}

pub(crate) fn health() -> Response<Full<Bytes>> {
    json(StatusCode::OK, &Health { status: "ok" })
}

/// Returns the response of `/ready`. It fails too if requests end with status 500 only, whatever the checks have found.
pub(crate) fn ready(mut checks: Vec<Check>, has_only_defects: bool) -> Response<Full<Bytes>> {
    if has_only_defects {
        let message = "all recent requests have failed with status 500, and the log has the cause";
        checks.push(Check::new("requests", Err(message.to_owned())));
    }
    if checks.iter().all(|check| check.ok) {
        return json(StatusCode::OK, &ReadinessReport { status: "ready", checks });
    }
    let report = ReadinessReport { status: "not_ready", checks };
    let mut response = json(StatusCode::SERVICE_UNAVAILABLE, &report);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
    response
}

fn json(status: StatusCode, report: &impl Serialize) -> Response<Full<Bytes>> {
    let body = serde_json::to_vec(report).expect("a report has only string keys");
    response::json(status, "no-store", body.into())
}

/// Maximum age of cached results, in seconds.
const AGE_SECONDS_MAX: u64 = 1;

/// The readiness checks and their last results.
pub(crate) struct ReadinessCache {
    readiness: Arc<dyn Readiness>,
    last: Mutex<Option<(Instant, Vec<Check>)>>,
    stopping: AtomicBool,
}

impl std::fmt::Debug for ReadinessCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReadinessCache")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Unused;

    impl Readiness for Unused {
        fn checks(&self) -> passbook_domain::ports::BoxFuture<'_, Vec<Check>> {
            unreachable!("the last results are new enough")
        }
    }

    #[tokio::test]
    async fn results_of_the_last_second_are_returned_without_another_run() {
        let cache = ReadinessCache::new(Arc::new(Unused));
        *cache.last.lock().await = Some((Instant::now(), vec![Check::new("database", Ok(()))]));
        assert_eq!(cache.checks().await.len(), 1);
    }
}
