//! The number of requests that are being handled, for the log of a stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts running requests. Clones share the count.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunningRequests(Arc<AtomicUsize>);

/// A request that counts as running until this value is dropped, also when its client disconnects.
#[derive(Debug)]
pub(crate) struct RunningRequest(RunningRequests);

impl RunningRequests {
    /// Counts a request from now on.
    pub(crate) fn begin(&self) -> RunningRequest {
        self.0.fetch_add(1, Ordering::Relaxed);
        RunningRequest(self.clone())
    }

    /// Returns the number of running requests.
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_counts_until_it_is_dropped() {
        let requests = RunningRequests::default();
        let (first, second) = (requests.begin(), requests.clone().begin());
        assert_eq!(requests.count(), 2);
        drop(first);
        assert_eq!(requests.count(), 1);
        drop(second);
        assert_eq!(requests.count(), 0);
    }
}
