//! What time it is, for tokens and for what is remembered: an argument, so that a test can stand on a boundary.

use std::fmt;
use std::time::{Duration, Instant, UNIX_EPOCH};

/// Tells the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds: what tokens count in (RFC 7519 section 2).
    fn unix_seconds(&self) -> i64;

    /// How much time has passed since a moment that never changes. It never goes back.
    fn elapsed(&self) -> Duration;
}

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// The system's clock.
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
    #[expect(clippy::disallowed_methods, reason = "a token ends at a moment, not on a day of a time zone")]
    fn unix_seconds(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH);
        since.ok().and_then(|since| i64::try_from(since.as_secs()).ok()).unwrap_or(i64::MAX)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
