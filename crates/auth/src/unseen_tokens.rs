//! Limits the cost of tokens that were not seen before: each needs a look-up in the token directory or a signature check.
//!
//! A checksum is no secret, so anybody can make up well-formed tokens. Each client address may cause a few checks a second;
//! further unseen tokens are rejected without one. Tokens that were verified before are not counted. Requests that arrive
//! together with one unseen token need one look-up, not many.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock as GovernorClock, Reference as _};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use passbook_domain::ports::TokenHash;
use tokio::sync::OwnedMutexGuard;

use crate::clock::Clock;
use crate::error::Error;

/// Maximum number of checks of unseen tokens per second and client address.
const CHECKS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Number of checks that a client address may cause at once.
const CHECKS_BURST: NonZeroU32 = NonZeroU32::new(50).unwrap();
/// Number of seconds between two sweeps, which remove the addresses that have their whole burst again. An address needs
/// this time to get its whole burst again.
const SWEEP_SECONDS: u64 = 5;
/// Time for which a token that is not in the directory is rejected without another look-up, in seconds.
const UNKNOWN_SECONDS: u64 = 5;
/// Maximum number of such tokens in the cache. A full cache is emptied.
const UNKNOWN_MAX: usize = 10_000;

/// The limit of checks per client address, and the cache of tokens that are not in the directory.
#[derive(Debug)]
pub(crate) struct UnseenTokens {
    clock: MonotonicTime,
    addresses: RateLimiter<IpAddr, HashMapStateStore<IpAddr>, MonotonicTime, NoOpMiddleware<Nanos>>,
    swept: Mutex<Nanos>,
    /// The time of the look-up for each unknown token.
    unknown: Mutex<HashMap<TokenHash, Nanos>>,
    /// Requests that arrive with one token at the same time share its look-up.
    pub(crate) look_ups: LookUps,
}

impl UnseenTokens {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> UnseenTokens {
        let clock = MonotonicTime(clock);
        let quota = Quota::per_second(CHECKS_PER_SECOND).allow_burst(CHECKS_BURST);
        UnseenTokens {
            addresses: RateLimiter::hashmap_with_clock(quota, clock.clone()),
            swept: Mutex::new(clock.now()),
            unknown: Mutex::default(),
            look_ups: LookUps::default(),
            clock,
        }
    }

    /// Counts one check of an unseen token against the address of its client. `None`, for a host that names no address,
    /// has no limit.
    ///
    /// # Errors
    /// [`Error::TooManyUnseen`] if the address has no check left.
    pub(crate) fn charge(&self, client: Option<IpAddr>) -> Result<(), Error> {
        let Some(client) = client else { return Ok(()) };
        self.sweep();
        self.addresses.check_key(&client).map_err(|exceeded| {
            let wait = exceeded.wait_time_from(self.clock.now());
            Error::TooManyUnseen { retry_after_seconds: wait.as_secs() + u64::from(wait.subsec_nanos() > 0) }
        })
    }

    /// Returns true if the token was not in the directory a moment ago.
    pub(crate) fn is_unknown(&self, hash: &TokenHash) -> bool {
        let unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        let age = unknown.get(hash).map(|looked_up| self.clock.now().duration_since(*looked_up));
        age.is_some_and(|age| age < Nanos::from(Duration::from_secs(UNKNOWN_SECONDS)))
    }

    /// Records that the token is not in the directory.
    pub(crate) fn insert_unknown(&self, hash: TokenHash) {
        let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        if unknown.len() >= UNKNOWN_MAX {
            unknown.clear();
        }
        unknown.insert(hash, self.clock.now());
    }

    fn sweep(&self) {
        let now = self.clock.now();
        {
            let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
            if now.duration_since(*swept) < Nanos::from(Duration::from_secs(SWEEP_SECONDS)) {
                return;
            }
            *swept = now;
        }
        self.addresses.retain_recent();
        self.addresses.shrink_to_fit();
    }
}

/// The monotonic time of a [`Clock`], for the rate limiter.
#[derive(Clone, Debug)]
struct MonotonicTime(Arc<dyn Clock>);

impl GovernorClock for MonotonicTime {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.elapsed().into()
    }
}

#[cfg(test)]
mod tests;

type Lock = Arc<tokio::sync::Mutex<()>>;

/// The locks of the tokens that are being looked up. The end of the last look-up of a token removes its lock.
#[derive(Debug, Default)]
pub(crate) struct LookUps {
    locks: Mutex<HashMap<TokenHash, Lock>>,
}

/// The lock of one token, or the wait for it.
pub(crate) struct LookUp<'l> {
    look_ups: &'l LookUps,
    hash: TokenHash,
    lock: Option<Lock>,
    guard: Option<OwnedMutexGuard<()>>,
}

impl LookUps {
    /// Waits until no other request looks up the token. The caller then checks again if the token is known.
    pub(crate) async fn begin(&self, hash: TokenHash) -> LookUp<'_> {
        let lock = {
            let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
            locks.entry(hash).or_default().clone()
        };
        let mut look_up = LookUp { look_ups: self, hash, lock: Some(lock.clone()), guard: None };
        look_up.guard = Some(lock.lock_owned().await);
        look_up
    }

    /// Returns the number of tokens that are being looked up.
    #[cfg(test)]
    pub(crate) fn tokens(&self) -> usize {
        self.locks.lock().expect("no thread panics while it holds the lock").len()
    }
}

impl Drop for LookUp<'_> {
    fn drop(&mut self) {
        self.guard = None;
        self.lock = None;
        let mut locks = self.look_ups.locks.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is cloned only under this mutex, so a count of 1 proves that no other request holds or awaits it.
        if locks.get(&self.hash).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.hash);
        }
    }
}
