//! A cache of verified access tokens, so that a signature is not verified for each request.
//!
//! The cache holds claims only. The grant of the client is read from the database with each request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::claims::Claims;
use crate::clock::Clock;

/// Maximum number of verified tokens in the cache.
const TOKENS_MAX: usize = 10_000;
/// Maximum age of a verified token in the cache, in seconds.
const TOKEN_SECONDS_MAX: u64 = 5 * 60;

/// A verified token in the cache.
#[derive(Clone, Debug)]
pub(super) struct VerifiedToken {
    pub(super) claims: Claims,
    /// Number of the key set's version (generation) whose key verified the token.
    pub(super) generation: u64,
    /// Time of the verification, by the monotonic clock.
    pub(super) verified_at: Duration,
}

/// The entry of the cache for one token.
#[derive(Debug, PartialEq)]
pub(super) enum CacheEntry {
    /// The token is valid and has these claims.
    Current(Claims),
    /// The token was verified before and has not expired, but its signature must be verified again.
    Stale,
    /// The token was not verified before, or has expired.
    Absent,
}

impl VerifiedToken {
    /// Returns true if the cached token may still be used: the keys have not changed, the token has not expired, and
    /// the cache entry is not older than the maximum age.
    fn is_current(&self, generation: u64, clock: &dyn Clock) -> bool {
        self.generation == generation
            && self.is_unexpired(clock)
            && clock.elapsed().saturating_sub(self.verified_at) < Duration::from_secs(TOKEN_SECONDS_MAX)
    }

    fn is_unexpired(&self, clock: &dyn Clock) -> bool {
        clock.unix_seconds() < self.claims.expires
    }
}

/// Verified tokens by the SHA-256 of their text.
#[derive(Default)]
pub(super) struct VerifiedTokens {
    by_hash: Mutex<HashMap<[u8; 32], VerifiedToken>>,
}

impl std::fmt::Debug for VerifiedTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifiedTokens").finish_non_exhaustive()
    }
}

impl VerifiedTokens {
    /// Returns the entry of the token with this SHA-256.
    pub(super) fn find(&self, hash: &[u8; 32], generation: u64, clock: &dyn Clock) -> CacheEntry {
        let by_hash = self.by_hash.lock().unwrap_or_else(PoisonError::into_inner);
        match by_hash.get(hash) {
            Some(verified) if verified.is_current(generation, clock) => {
                CacheEntry::Current(verified.claims.clone())
            }
            Some(verified) if verified.is_unexpired(clock) => CacheEntry::Stale,
            _ => CacheEntry::Absent,
        }
    }

    /// Removes the token with this SHA-256 from the cache.
    pub(super) fn remove(&self, hash: &[u8; 32]) {
        self.by_hash.lock().unwrap_or_else(PoisonError::into_inner).remove(hash);
    }

    /// Adds a verified token to the cache. If the cache is full, entries that are no longer current are removed first.
    /// If all entries are current, all are removed.
    pub(super) fn insert(&self, hash: [u8; 32], verified: VerifiedToken, clock: &dyn Clock) {
        let mut by_hash = self.by_hash.lock().unwrap_or_else(PoisonError::into_inner);
        if by_hash.len() >= TOKENS_MAX {
            by_hash.retain(|_, entry| entry.is_current(verified.generation, clock));
        }
        if by_hash.len() >= TOKENS_MAX {
            by_hash.clear();
        }
        by_hash.insert(hash, verified);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TestClock;

    /// Returns a clock at this Unix time and this monotonic time, both in seconds.
    fn clock(unix_seconds: i64, elapsed: u64) -> TestClock {
        TestClock { unix_seconds, elapsed: Duration::from_secs(elapsed).into() }
    }

    fn verified(generation: u64) -> VerifiedToken {
        let claims = Claims::expiring_at(10_000);
        VerifiedToken { claims, generation, verified_at: Duration::from_secs(100) }
    }

    #[test]
    fn entry_ends_after_five_minutes_at_expiry_and_with_its_keys() {
        let tokens = VerifiedTokens::default();
        tokens.insert([1; 32], verified(7), &clock(0, 100));
        let current = || CacheEntry::Current(Claims::expiring_at(10_000));
        for (generation, now, passed, expected) in [
            (7, 0, 100, current()),
            (7, 0, 399, current()),
            (7, 0, 400, CacheEntry::Stale),
            (7, 9_999, 100, current()),
            (7, 9_999, 400, CacheEntry::Stale),
            (7, 10_000, 100, CacheEntry::Absent),
            (7, 10_000, 400, CacheEntry::Absent),
            (8, 0, 100, CacheEntry::Stale),
        ] {
            let found = tokens.find(&[1; 32], generation, &clock(now, passed));
            assert_eq!(found, expected, "{generation} {now} {passed}");
        }
        assert_eq!(tokens.find(&[2; 32], 7, &clock(0, 100)), CacheEntry::Absent);
        tokens.remove(&[1; 32]);
        assert_eq!(tokens.find(&[1; 32], 7, &clock(0, 100)), CacheEntry::Absent);
    }

    #[test]
    fn full_cache_drops_stale_entries_first() {
        let tokens = VerifiedTokens::default();
        let count = |tokens: &VerifiedTokens| tokens.by_hash.lock().expect("nothing panicked").len();
        let insert = |from: usize, to: usize, generation: u64| {
            for at in from..to {
                let mut hash = [0; 32];
                hash[..8].copy_from_slice(&at.to_be_bytes());
                tokens.insert(hash, verified(generation), &clock(0, 100));
            }
        };
        insert(0, TOKENS_MAX - 1, 1);
        insert(TOKENS_MAX, TOKENS_MAX + 1, 2);
        assert_eq!(count(&tokens), TOKENS_MAX);
        insert(TOKENS_MAX + 1, TOKENS_MAX + 2, 2);
        assert_eq!(count(&tokens), 2, "entries of earlier keys are dropped first");
        insert(TOKENS_MAX + 2, 3 * TOKENS_MAX, 2);
        assert!(count(&tokens) <= TOKENS_MAX, "{}", count(&tokens));
    }
}
