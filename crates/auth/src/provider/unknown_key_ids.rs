//! A cache of key identifiers that the provider does not publish.
//!
//! An attacker can invent any number of identifiers. Without the cache each of them could cause a fetch.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Maximum number of key identifiers in the cache.
const IDS_MAX: usize = 1_024;
/// Time in seconds for which a key identifier that is missing from a newly fetched key set causes no further fetch.
const ID_SECONDS: u64 = 60;

/// Unknown key identifiers with the monotonic time of the fetch that did not contain them. `None` stands for tokens
/// without an identifier.
#[derive(Debug, Default)]
pub(super) struct UnknownKeyIds {
    ids: Mutex<HashMap<Option<String>, Duration>>,
}

impl UnknownKeyIds {
    /// Returns true if the identifier was found to be unknown less than [`ID_SECONDS`] ago.
    pub(super) fn contains(&self, id: Option<&str>, now: Duration) -> bool {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.get(&id.map(str::to_owned)).is_some_and(|at| is_recent(*at, now))
    }

    /// Adds a key identifier if the cache is not full. A full cache does no harm: the pause between fetches limits the
    /// fetches for other identifiers.
    pub(super) fn insert(&self, id: Option<&str>, now: Duration) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.len() >= IDS_MAX {
            ids.retain(|_, at| is_recent(*at, now));
        }
        if ids.len() < IDS_MAX {
            ids.insert(id.map(str::to_owned), now);
        }
    }
}

fn is_recent(at: Duration, now: Duration) -> bool {
    now.saturating_sub(at) < Duration::from_secs(ID_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_expire_after_a_minute_and_the_cache_is_bounded() {
        let unknown = UnknownKeyIds::default();
        let at = Duration::from_secs;
        for id in 0..IDS_MAX + 10 {
            unknown.insert(Some(&id.to_string()), at(100));
        }
        assert_eq!(unknown.ids.lock().expect("nothing panicked").len(), IDS_MAX);
        assert!(unknown.contains(Some("0"), at(159)));
        assert!(!unknown.contains(Some("0"), at(160)));
        assert!(!unknown.contains(None, at(100)));
        unknown.insert(None, at(160));
        assert_eq!(unknown.ids.lock().expect("nothing panicked").len(), 1, "expired identifiers make room");
    }
}
