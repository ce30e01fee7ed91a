//! One look-up at a time for each token: requests that arrive together with one unseen token need one look-up, not many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use passbook_domain::ports::TokenHash;
use tokio::sync::OwnedMutexGuard;

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
