//! Names of keys that the provider does not have: a caller can invent any number of them, and must not make us ask for
//! each.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Names remembered.
const NAMES_MAX: usize = 1_024;
/// Seconds for which a name that a fresh fetch did not have is not looked for again.
const NAME_SECONDS: u64 = 60;

/// Names that were looked for in vain, and when.
#[derive(Debug, Default)]
pub(super) struct UnknownKeys {
    names: Mutex<HashMap<Option<String>, Duration>>,
}

impl UnknownKeys {
    /// Whether a name was looked for in vain a short while ago.
    pub(super) fn contains(&self, name: Option<&str>, now: Duration) -> bool {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(&name.map(str::to_owned)).is_some_and(|at| is_recent(*at, now))
    }

    /// Remembers a name, if there is room: what is not remembered waits for the pause between fetches all the same.
    pub(super) fn insert(&self, name: Option<&str>, now: Duration) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() >= NAMES_MAX {
            names.retain(|_, at| is_recent(*at, now));
        }
        if names.len() < NAMES_MAX {
            names.insert(name.map(str::to_owned), now);
        }
    }
}

fn is_recent(at: Duration, now: Duration) -> bool {
    now.saturating_sub(at) < Duration::from_secs(NAME_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_remembered_for_its_time_and_there_is_room_for_so_many() {
        let unknown = UnknownKeys::default();
        let at = Duration::from_secs;
        for name in 0..NAMES_MAX + 10 {
            unknown.insert(Some(&name.to_string()), at(100));
        }
        assert_eq!(unknown.names.lock().expect("nothing panicked").len(), NAMES_MAX);
        assert!(unknown.contains(Some("0"), at(159)));
        assert!(!unknown.contains(Some("0"), at(160)));
        assert!(!unknown.contains(None, at(100)));
        unknown.insert(None, at(160));
        assert_eq!(unknown.names.lock().expect("nothing panicked").len(), 1, "what is old makes room");
    }
}
