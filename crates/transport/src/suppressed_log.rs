//! Limits the rate of repeated log lines.

use std::time::Duration;

use tokio::time::Instant;

/// Minimum time between two lines about the same event.
const INTERVAL: Duration = Duration::from_secs(10);

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
    fn events_within_the_interval_are_counted_in_the_next_line() {
        let (mut log, start) = (SuppressedLog::default(), Instant::now());
        let counted = [0, 1, 9, 10, 11, 25].map(|seconds| log.count(start + Duration::from_secs(seconds)));
        assert_eq!(counted, [Some(1), None, None, Some(3), None, Some(2)]);
    }
}
