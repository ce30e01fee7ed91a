//! Clocks for token lifetimes and cache ages. Code receives its clock as an argument, so that a test can set the time
//! exactly to a limit.

use std::fmt;
use std::time::{Duration, Instant, UNIX_EPOCH};

/// A source of wall-clock time and of monotonic time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Returns seconds since 1970-01-01T00:00:00Z without leap seconds, the unit of times in tokens (RFC 7519 section
    /// 2).
    fn unix_seconds(&self) -> i64;

    /// Returns the time since a fixed moment, by a monotonic clock. Never decreases.
    fn elapsed(&self) -> Duration;
}

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// Creates a clock whose [`Clock::elapsed`] starts at zero.
    pub fn new() -> SystemClock {
        SystemClock { started: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock::new()
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "a token expires at an instant, not on a day of a time zone"
    )]
    fn unix_seconds(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH);
        since.ok().and_then(|since| i64::try_from(since.as_secs()).ok()).unwrap_or(i64::MAX)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A clock that a test sets: seconds since 1970, and the monotonic time.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct TestClock {
    pub(crate) unix_seconds: i64,
    pub(crate) elapsed: std::sync::Mutex<Duration>,
}

#[cfg(test)]
impl TestClock {
    pub(crate) fn advance(&self, time: Duration) {
        *self.elapsed.lock().expect("no test panics here") += time;
    }
}

#[cfg(test)]
impl Clock for TestClock {
    fn unix_seconds(&self) -> i64 {
        self.unix_seconds
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.lock().expect("no test panics here")
    }
}
