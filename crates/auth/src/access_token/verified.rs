//! Tokens whose signature has been verified a short while ago. It saves the arithmetic and nothing else: what the
//! client may do is read with the data each time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Claims;
use crate::clock::Clock;

/// Tokens remembered.
const TOKENS_MAX: usize = 10_000;
/// Seconds for which one is, at most.
const TOKEN_SECONDS_MAX: u64 = 5 * 60;

/// What is remembered of a token.
#[derive(Clone, Debug)]
pub(super) struct Verified {
    pub(super) claims: Claims,
    /// The generation of the keys that verified it.
    pub(super) generation: u64,
    /// When, by the clock that never goes back.
    pub(super) at: Duration,
}

impl Verified {
    fn holds(&self, generation: u64, clock: &dyn Clock) -> bool {
        self.generation == generation
            && clock.unix_seconds() < self.claims.expires
            && clock.elapsed().saturating_sub(self.at) < Duration::from_secs(TOKEN_SECONDS_MAX)
    }
}

/// Verified tokens, by SHA-256.
#[derive(Default)]
pub(super) struct VerifiedTokens {
    by_hash: Mutex<HashMap<[u8; 32], Verified>>,
}

impl std::fmt::Debug for VerifiedTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifiedTokens").finish_non_exhaustive()
    }
}

impl VerifiedTokens {
    /// What a token claims, if keys of this generation have verified it and its time is not over.
    pub(super) fn find(&self, hash: &[u8; 32], generation: u64, clock: &dyn Clock) -> Option<Claims> {
        let by_hash = self.by_hash.lock().unwrap_or_else(PoisonError::into_inner);
        let verified = by_hash.get(hash).filter(|verified| verified.holds(generation, clock))?;
        Some(verified.claims.clone())
    }

    /// Remembers a token. When there is no room, those that do not hold any more go, and if all hold, all go.
    pub(super) fn insert(&self, hash: [u8; 32], verified: Verified, clock: &dyn Clock) {
        let mut by_hash = self.by_hash.lock().unwrap_or_else(PoisonError::into_inner);
        if by_hash.len() >= TOKENS_MAX {
            by_hash.retain(|_, kept| kept.holds(verified.generation, clock));
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

    /// A clock that stands where the test puts it: seconds since 1970, and passed.
    #[derive(Debug)]
    struct Standing(i64, u64);

    impl Clock for Standing {
        fn unix_seconds(&self) -> i64 {
            self.0
        }

        fn elapsed(&self) -> Duration {
            Duration::from_secs(self.1)
        }
    }

    fn verified(generation: u64) -> Verified {
        let claims = Claims::ending_at(10_000);
        Verified { claims, generation, at: Duration::from_secs(100) }
    }

    #[test]
    fn a_token_is_remembered_for_five_minutes_until_its_end_and_with_its_keys() {
        let tokens = VerifiedTokens::default();
        tokens.insert([1; 32], verified(7), &Standing(0, 100));
        for (generation, now, passed, found) in [
            (7, 0, 100, true),
            (7, 0, 399, true),
            (7, 0, 400, false),
            (7, 9_999, 100, true),
            (7, 10_000, 100, false),
            (8, 0, 100, false),
        ] {
            let claims = tokens.find(&[1; 32], generation, &Standing(now, passed));
            assert_eq!(claims.is_some(), found, "{generation} {now} {passed}");
        }
        assert_eq!(tokens.find(&[2; 32], 7, &Standing(0, 100)), None);
    }

    #[test]
    fn there_is_room_for_so_many() {
        let tokens = VerifiedTokens::default();
        let count = |tokens: &VerifiedTokens| tokens.by_hash.lock().expect("nothing panicked").len();
        let insert = |from: usize, to: usize, generation: u64| {
            for at in from..to {
                let mut hash = [0; 32];
                hash[..8].copy_from_slice(&at.to_be_bytes());
                tokens.insert(hash, verified(generation), &Standing(0, 100));
            }
        };
        insert(0, TOKENS_MAX - 1, 1);
        insert(TOKENS_MAX, TOKENS_MAX + 1, 2);
        assert_eq!(count(&tokens), TOKENS_MAX);
        insert(TOKENS_MAX + 1, TOKENS_MAX + 2, 2);
        assert_eq!(count(&tokens), 2, "those of earlier keys go first");
        insert(TOKENS_MAX + 2, 3 * TOKENS_MAX, 2);
        assert!(count(&tokens) <= TOKENS_MAX, "{}", count(&tokens));
    }
}
