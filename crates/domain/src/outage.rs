//! Counts the failures of an outage. The log then has one line at its start, one in ten minutes, and one at its end,
//! instead of a line for each failure.

use std::time::Duration;

/// Minimum time between two reports of an outage that continues, in seconds.
const REPORT_SECONDS: u64 = 10 * 60;

/// The current outage of one dependency, such as the database. The caller reads the times from a monotonic clock.
#[derive(Debug, Default)]
pub struct Outage {
    current: Option<Current>,
}

#[derive(Debug)]
struct Current {
    started: Duration,
    reported: Duration,
    failures: u64,
}

/// A report about an outage, which belongs in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutageReport {
    /// Number of failures since the start of the outage.
    pub failures: u64,
    /// Time since the first failure, in seconds.
    pub seconds: u64,
}

impl Outage {
    /// Counts a failure at the time `now`. Returns a report for the first failure and then once in ten minutes.
    pub fn record_failure(&mut self, now: Duration) -> Option<OutageReport> {
        let current = self.current.get_or_insert(Current { started: now, reported: now, failures: 0 });
        current.failures += 1;
        let is_due = now.saturating_sub(current.reported) >= Duration::from_secs(REPORT_SECONDS);
        if current.failures > 1 && !is_due {
            return None;
        }
        current.reported = now;
        Some(current.report(now))
    }

    /// Ends the outage at the time `now`. Returns a report if there was an outage.
    pub fn record_success(&mut self, now: Duration) -> Option<OutageReport> {
        self.current.take().map(|current| current.report(now))
    }
}

impl Current {
    fn report(&self, now: Duration) -> OutageReport {
        OutageReport { failures: self.failures, seconds: now.saturating_sub(self.started).as_secs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outage_is_reported_at_its_start_every_ten_minutes_and_at_its_end() {
        let at = Duration::from_secs;
        let report = |failures, seconds| Some(OutageReport { failures, seconds });
        let mut outage = Outage::default();
        assert_eq!(outage.record_success(at(99)), None);
        for (now, expected) in [
            (100, report(1, 0)),
            (100, None),
            (699, None),
            (700, report(4, 600)),
            (701, None),
            (1_299, None),
            (1_300, report(7, 1_200)),
        ] {
            assert_eq!(outage.record_failure(at(now)), expected, "{now}");
        }
        assert_eq!(outage.record_success(at(1_301)), report(7, 1_201));
        assert_eq!(outage.record_success(at(1_302)), None);
        assert_eq!(outage.record_failure(at(1_303)), report(1, 0), "the next outage starts anew");
    }
}
