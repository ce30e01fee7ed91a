//! The result of the last repetition of the start-up check, and the time for which it is valid.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, MutexGuard};

use crate::finding::Finding;

/// Time after which a start-up check without findings is repeated, in seconds. One check serves all callers.
const PASSED_SECONDS_MAX: u64 = 60;
/// Time after which a start-up check with findings is repeated, in seconds. Shorter, so that a server becomes ready
/// soon after the operator has fixed the database.
const FAILED_SECONDS_MAX: u64 = 5;

/// The last repetition of the start-up check. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastCheck {
    completed: Arc<Mutex<Option<Completed>>>,
    is_doubtful: Arc<AtomicBool>,
}

impl LastCheck {
    /// Locks the result. A caller that repeats the check keeps the lock, so that other callers wait for its result.
    pub(crate) async fn lock(&self) -> MutexGuard<'_, Option<Completed>> {
        self.completed.lock().await
    }

    /// Records that a query failed although the check had passed. The check is then repeated at the next request for it.
    pub(crate) fn doubt(&self) {
        self.is_doubtful.store(true, Ordering::Relaxed);
    }

    /// Returns true if a query has failed since the last completed check.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.is_doubtful.load(Ordering::Relaxed)
    }

    /// Records that a check was completed.
    pub(crate) fn end_doubt(&self) {
        self.is_doubtful.store(false, Ordering::Relaxed);
    }
}

/// A start-up check that the database answered.
#[derive(Debug)]
pub(crate) struct Completed {
    pub(crate) at: Instant,
    pub(crate) findings: Vec<Finding>,
}

impl Completed {
    /// Returns true if the check must be repeated. A failed check is repeated after its time also if it is doubtful, because
    /// requests then fail all the time.
    pub(crate) fn is_stale(&self, now: Instant, is_doubtful: bool) -> bool {
        if is_doubtful && self.findings.is_empty() {
            return true;
        }
        let seconds = if self.findings.is_empty() { PASSED_SECONDS_MAX } else { FAILED_SECONDS_MAX };
        now.duration_since(self.at) >= Duration::from_secs(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Remedy;

    #[test]
    fn passed_check_is_repeated_after_a_minute_and_failed_check_after_five_seconds() {
        let at = Instant::now();
        let finding = Finding::new("sentence".to_owned(), Remedy::Restore);
        for (findings, seconds) in [(Vec::new(), 60), (vec![finding], 5)] {
            let completed = Completed { at, findings };
            assert!(!completed.is_stale(at, false));
            assert!(!completed.is_stale(at + Duration::from_secs(seconds - 1), false));
            assert!(completed.is_stale(at + Duration::from_secs(seconds), false));
        }
    }

    #[test]
    fn only_a_passed_check_can_be_doubted() {
        let at = Instant::now();
        let finding = Finding::new("sentence".to_owned(), Remedy::Restore);
        let stale = [Vec::new(), vec![finding]].map(|findings| Completed { at, findings }.is_stale(at, true));
        assert_eq!(stale, [true, false]);
    }
}
