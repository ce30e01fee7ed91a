//! A rate limit with one bucket per key. Each bucket fills at a constant rate (the generic cell rate algorithm).

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, Reference as _};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

/// Number of seconds between two sweeps. A sweep removes the buckets that are full again.
const SWEEP_SECONDS: u64 = 60;

/// The buckets of one rate limit, by key.
pub(super) struct Bucket<K, C: Clock>
where
    K: Hash + Eq + Clone,
{
    pub(super) policy: Policy,
    /// Time in which a bucket gets one more request.
    pub(super) interval: Duration,
    /// Number of requests that a full bucket allows at once.
    pub(super) burst: NonZeroU32,
    limiter: RateLimiter<K, HashMapStateStore<K>, C, StateInformationMiddleware>,
    clock: C,
    swept: Mutex<C::Instant>,
}

/// The name of a rate limit and its rate in requests per minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    pub(super) name: &'static str,
    pub(super) per_minute: u32,
}

/// The result of counting one request against a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    pub(super) policy: Policy,
    pub(super) is_exceeded: bool,
    /// Number of further requests that would succeed now.
    pub(super) remaining: u32,
    /// Number of seconds until one more request would succeed, rounded up, at least 1.
    pub(super) more_after_seconds: u64,
}

impl Charge {
    /// Returns the number of seconds until the next request would succeed, rounded up; 0 if it would succeed now.
    pub(super) fn retry_after_seconds(self) -> u64 {
        if self.remaining == 0 { self.more_after_seconds } else { 0 }
    }
}

impl<K, C: Clock + Clone> Bucket<K, C>
where
    K: Hash + Eq + Clone,
{
    /// Creates a rate limit. Its burst is the rate per minute divided by `burst_divisor`, at least one request.
    pub(super) fn new(
        name: &'static str,
        per_minute: NonZeroU32,
        burst_divisor: u32,
        clock: C,
    ) -> Bucket<K, C> {
        let burst = NonZeroU32::new(per_minute.get() / burst_divisor).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        let limiter = RateLimiter::hashmap_with_clock(quota, clock.clone());
        Bucket {
            policy: Policy { name, per_minute: per_minute.get() },
            interval: quota.replenish_interval(),
            burst,
            limiter: limiter.with_middleware(),
            swept: Mutex::new(clock.now()),
            clock,
        }
    }

    /// Counts one request against the bucket of `key`.
    pub(super) fn charge(&self, key: &K) -> Charge {
        self.sweep();
        let (remaining, wait) = match self.limiter.check_key(key) {
            Ok(state) => (Some(state.remaining_burst_capacity()), self.interval),
            Err(exceeded) => (None, exceeded.wait_time_from(self.clock.now())),
        };
        Charge {
            policy: self.policy,
            is_exceeded: remaining.is_none(),
            remaining: remaining.unwrap_or(0),
            more_after_seconds: whole_seconds(wait),
        }
    }

    /// Returns the number of keys that have a bucket.
    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.limiter.len()
    }

    /// Removes the buckets that are full again, at most every [`SWEEP_SECONDS`].
    fn sweep(&self) {
        let now = self.clock.now();
        {
            let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
            if now.duration_since(*swept) < Nanos::from(Duration::from_secs(SWEEP_SECONDS)) {
                return;
            }
            *swept = now;
        }
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

/// Converts a duration to whole seconds, rounded up, at least 1.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}
