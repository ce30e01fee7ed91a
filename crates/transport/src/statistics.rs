//! Counts of connections and requests, for a host that shows them, and of events that are logged at a limited rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// Minimum time between two lines about the same event.
const INTERVAL: Duration = Duration::from_secs(10);

/// The counts of a server's connections and requests. Clones share the counts: a host keeps a clone of the one in
/// [`Options`](crate::Options), and reads it at any time.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    accepted: AtomicU64,
    open: AtomicU64,
    requests_in_progress: AtomicU64,
    refused: AtomicU64,
    evicted: AtomicU64,
    late: AtomicU64,
    accept_errors: AtomicU64,
    requests_shed: AtomicU64,
    client_requests_shed: AtomicU64,
}

/// The counts at one time. All but the first two only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Number of open connections.
    pub open: u64,
    /// Number of requests in progress.
    pub requests_in_progress: u64,
    /// Number of accepted connections, without the refused ones.
    pub accepted: u64,
    /// Number of connections that were closed at once, because their address had as many as it may.
    pub refused: u64,
    /// Number of waiting connections that were closed because all connections were in use.
    pub evicted: u64,
    /// Number of connections that were closed because they missed a deadline.
    pub late: u64,
    /// Number of failures to accept a connection, such as no free file descriptor.
    pub accept_errors: u64,
    /// Number of requests that were answered with 503, because the server had as many in progress as it may.
    pub requests_shed: u64,
    /// Number of requests that were answered with 429, because their client had as many in progress as it may.
    pub client_requests_shed: u64,
}

impl Statistics {
    /// Returns the counts of this moment.
    pub fn snapshot(&self) -> Snapshot {
        let counts = &*self.counts;
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Snapshot {
            open: count(&counts.open),
            requests_in_progress: count(&counts.requests_in_progress),
            accepted: count(&counts.accepted),
            refused: count(&counts.refused),
            evicted: count(&counts.evicted),
            late: count(&counts.late),
            accept_errors: count(&counts.accept_errors),
            requests_shed: count(&counts.requests_shed),
            client_requests_shed: count(&counts.client_requests_shed),
        }
    }

    /// Counts an accepted connection as open until the result is dropped.
    pub(crate) fn connection_accepted(&self) -> Open {
        add(&self.counts.accepted);
        self.open(|counts| &counts.open)
    }

    /// Counts a request as in progress until the result is dropped.
    pub(crate) fn request_begun(&self) -> Open {
        self.open(|counts| &counts.requests_in_progress)
    }

    pub(crate) fn connection_refused(&self) {
        add(&self.counts.refused);
    }

    pub(crate) fn connections_evicted(&self, number: usize) {
        self.counts.evicted.fetch_add(u64::try_from(number).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn connection_late(&self) {
        add(&self.counts.late);
    }

    pub(crate) fn accept_failed(&self) {
        add(&self.counts.accept_errors);
    }

    pub(crate) fn request_shed(&self) {
        add(&self.counts.requests_shed);
    }

    pub(crate) fn client_request_shed(&self) {
        add(&self.counts.client_requests_shed);
    }

    fn open(&self, count: fn(&Counts) -> &AtomicU64) -> Open {
        add(count(&self.counts));
        Open { counts: self.counts.clone(), count }
    }
}

fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

/// Something that is counted while it exists.
#[derive(Debug)]
pub(crate) struct Open {
    counts: Arc<Counts>,
    count: fn(&Counts) -> &AtomicU64,
}

impl Drop for Open {
    fn drop(&mut self) {
        (self.count)(&self.counts).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts an event and tells when to write a line about it.
#[derive(Debug, Default)]
pub(crate) struct SuppressedLog {
    last_line: Option<Instant>,
    suppressed: u64,
}

impl SuppressedLog {
    /// Counts the event. Returns the number of events since the last line, this one included, if a line is due.
    pub(crate) fn count(&mut self, now: Instant) -> Option<u64> {
        self.suppressed += 1;
        if self.last_line.is_some_and(|last| now.duration_since(last) < INTERVAL) {
            return None;
        }
        self.last_line = Some(now);
        Some(std::mem::take(&mut self.suppressed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_connections_and_requests_are_counted_while_they_exist() {
        let statistics = Statistics::default();
        let connection = statistics.connection_accepted();
        let request = statistics.request_begun();
        let open = |statistics: &Statistics| {
            let snapshot = statistics.snapshot();
            (snapshot.accepted, snapshot.open, snapshot.requests_in_progress)
        };
        assert_eq!(open(&statistics.clone()), (1, 1, 1));
        drop((connection, request));
        assert_eq!(open(&statistics), (1, 0, 0));
    }

    #[test]
    fn events_within_the_interval_are_counted_in_the_next_line() {
        let (mut log, start) = (SuppressedLog::default(), Instant::now());
        let counted = [0, 1, 9, 10, 11, 25].map(|seconds| log.count(start + Duration::from_secs(seconds)));
        assert_eq!(counted, [Some(1), None, None, Some(3), None, Some(2)]);
    }
}
