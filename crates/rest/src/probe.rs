//! Asking whether the service is ready, and not too often: `/ready` needs no token, and must not wear anything out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::readiness::{Check, Readiness};
use tokio::sync::Mutex;

/// Seconds for which an answer is given again.
const SECONDS_KEPT: u64 = 1;

/// The checks, and what they last said.
pub(crate) struct Probe {
    readiness: Arc<dyn Readiness>,
    last: Mutex<Option<(Instant, Vec<Check>)>>,
}

impl Probe {
    pub(crate) fn new(readiness: Arc<dyn Readiness>) -> Probe {
        Probe { readiness, last: Mutex::new(None) }
    }

    /// Every check. Who asks meanwhile waits for the same answer.
    pub(crate) async fn checks(&self) -> Vec<Check> {
        let mut last = self.last.lock().await;
        if let Some((at, checks)) = last.as_ref()
            && at.elapsed() < Duration::from_secs(SECONDS_KEPT)
        {
            return checks.clone();
        }
        let checks = self.readiness.checks().await;
        *last = Some((Instant::now(), checks.clone()));
        checks
    }
}
