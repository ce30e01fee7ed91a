//! The rule by which the connections to a host end: at an age, and when the host stops.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The part of the age by which the ages of connections differ at most, as a divisor.
const VARIATION_DIVISOR: u32 = 8;
/// Number of different ages.
const VARIATIONS: u32 = 1000;

/// The rule for the connections to one host.
#[derive(Debug)]
pub(crate) struct Lifetime {
    age_max: Duration,
    /// Random keys, by which connections that were opened together end apart.
    keys: RandomState,
    /// The last moment at which the host rejected a connection because it was stopping or starting.
    rejected_at: Mutex<Option<Instant>>,
}

impl Lifetime {
    pub(crate) fn new(age_max: Duration) -> Lifetime {
        Lifetime { age_max, keys: RandomState::new(), rejected_at: Mutex::default() }
    }

    /// Returns the age that no connection exceeds while nobody uses it.
    pub(crate) fn age_max(&self) -> Duration {
        self.age_max
    }

    /// Records that the host rejected a connection because it was stopping or starting. A host that stops waits for the end
    /// of the connections that are open (smart shutdown).
    pub(crate) fn record_rejection(&self, now: Instant) {
        *self.rejected_at() = Some(now);
    }

    /// Returns true if a connection must not be used any more.
    pub(crate) fn has_ended(&self, opened: Instant, now: Instant) -> bool {
        self.rejected_at().is_some_and(|rejected| opened <= rejected)
            || now.saturating_duration_since(opened) >= self.age_of(opened)
    }

    /// Returns the age at which a connection ends: the maximum less a random part of up to an eighth.
    fn age_of(&self, opened: Instant) -> Duration {
        let random = self.keys.hash_one(opened) % u64::from(VARIATIONS);
        let random = u32::try_from(random).unwrap_or_default();
        self.age_max - self.age_max / VARIATION_DIVISOR / VARIATIONS * random
    }

    fn rejected_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.rejected_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGE: Duration = Duration::from_secs(800);
    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn connection_ends_in_the_last_eighth_of_the_age() {
        let opened = Instant::now();
        for _ in 0..100 {
            let lifetime = Lifetime::new(AGE);
            assert!(!lifetime.has_ended(opened, opened + AGE / 8 * 7));
            assert!(lifetime.has_ended(opened, opened + AGE));
        }
    }

    #[test]
    fn connections_that_were_opened_together_end_apart() {
        let lifetime = Lifetime::new(AGE);
        let first = Instant::now();
        let opened = (0..100).map(|number| first + Duration::from_nanos(number));
        let ended = opened.filter(|opened| lifetime.has_ended(*opened, first + AGE / 16 * 15)).count();
        assert!((10..=90).contains(&ended), "{ended} of 100 have ended");
    }

    #[test]
    fn rejection_ends_the_connections_that_were_open_and_no_later_one() {
        let lifetime = Lifetime::new(AGE);
        let start = Instant::now();
        lifetime.record_rejection(start + SECOND);
        let now = start + 3 * SECOND;
        assert!(lifetime.has_ended(start, now));
        assert!(!lifetime.has_ended(start + 2 * SECOND, now));
        lifetime.record_rejection(now);
        assert!(lifetime.has_ended(start + 2 * SECOND, now));
    }
}
