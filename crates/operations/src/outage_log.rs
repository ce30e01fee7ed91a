//! The log lines of an outage of the ledger: one at its start, one in ten minutes, and one at its end.

use std::error::Error as StdError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use passbook_domain::error_chain;
use passbook_domain::outage::Outage;

use crate::error::Error;

/// The current outage of the ledger. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct OutageLog {
    outage: Arc<Mutex<Outage>>,
    created: Instant,
}

impl OutageLog {
    pub(crate) fn new() -> OutageLog {
        OutageLog { outage: Arc::default(), created: Instant::now() }
    }

    /// Counts a failure if the ledger was unavailable, or ends the outage if the ledger answered.
    pub(crate) fn record<T>(&self, result: &Result<T, Error>) {
        match result {
            Err(Error::Unavailable(cause)) => self.record_failure(cause),
            // The ledger may or may not have answered.
            Err(Error::Timeout(_) | Error::Internal(_)) => {}
            _ => self.record_success(),
        }
    }

    /// Counts a failure. `cause` is written to the log.
    pub(crate) fn record_failure(&self, cause: &(dyn StdError + 'static)) {
        if let Some(report) = self.outage().record_failure(self.created.elapsed()) {
            tracing::error!(
                cause = error_chain(cause),
                failures = report.failures,
                seconds = report.seconds,
                "the ledger is unavailable; further failures are counted"
            );
        }
    }

    fn record_success(&self) {
        if let Some(ended) = self.outage().record_success(self.created.elapsed()) {
            tracing::info!(
                failures = ended.failures,
                seconds = ended.seconds,
                "the ledger is available again"
            );
        }
    }

    fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
