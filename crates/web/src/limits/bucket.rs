//! One limit: a bucket for each key, which fills evenly (the generic cell rate algorithm).

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, Reference as _};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

/// Seconds between two searches for buckets that are full again, which are forgotten.
const SWEEP_SECONDS: u64 = 60;

/// Buckets of one limit, by a clock.
pub(super) struct Bucket<K, C: Clock>
where
    K: Hash + Eq + Clone,
{
    policy: Policy,
    interval: Duration,
    limiter: RateLimiter<K, HashMapStateStore<K>, C, StateInformationMiddleware>,
    clock: C,
    swept: Mutex<C::Instant>,
}

/// A limit's name, and how many requests it allows in a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    pub(super) name: &'static str,
    pub(super) per_minute: u32,
}

/// What a bucket said to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) policy: Policy,
    pub(super) is_refused: bool,
    /// Requests that may follow at once.
    pub(super) remaining: u32,
    /// Whole seconds until one more may follow, at least 1.
    pub(super) more_after_seconds: u64,
}

impl Charge {
    /// Whole seconds until the next request gets through; 0 when it may follow at once.
    pub(super) fn retry_after_seconds(self) -> u64 {
        if self.remaining == 0 { self.more_after_seconds } else { 0 }
    }
}

impl<K, C: Clock + Clone> Bucket<K, C>
where
    K: Hash + Eq + Clone,
{
    /// The burst is what a minute allows divided by `burst_divisor`, at least one request.
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
            limiter: limiter.with_middleware(),
            swept: Mutex::new(clock.now()),
            clock,
        }
    }

    pub(super) fn policy(&self) -> Policy {
        self.policy
    }

    /// Counts a request.
    pub(super) fn charge(&self, key: &K) -> Charge {
        self.sweep();
        let (remaining, wait) = match self.limiter.check_key(key) {
            Ok(state) => (Some(state.remaining_burst_capacity()), self.interval),
            Err(refused) => (None, refused.wait_time_from(self.clock.now())),
        };
        Charge {
            policy: self.policy,
            is_refused: remaining.is_none(),
            remaining: remaining.unwrap_or(0),
            more_after_seconds: whole_seconds(wait),
        }
    }

    /// Keys that are remembered.
    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.limiter.len()
    }

    /// Forgets the buckets that are full again, once a minute.
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

/// Rounded up, and at least 1.
fn whole_seconds(wait: Duration) -> u64 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}
