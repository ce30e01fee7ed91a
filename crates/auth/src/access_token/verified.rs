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
