//! The provider's JSON Web Key Set (JWKS, RFC 7517 section 5), and a cache of key identifiers that the provider does not
//! publish. An attacker can invent any number of identifiers; without the cache each of them could cause a fetch.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::cached_document::{CachedDocument, KEYS, Source};
use super::discovery::DiscoverySource;
use super::fetch::{FetchError, Fetcher};
use super::key::Key;
use super::url_policy::UrlPolicy;

/// The keys that can verify access tokens.
#[derive(Debug)]
pub(crate) struct KeySet {
    by_id: BTreeMap<Option<String>, Arc<Key>>,
    /// Number of entries in the published key set that cannot be used: of another kind, too weak, ambiguous, or not
    /// keys.
    pub(crate) skipped: usize,
    /// Number of the key set's version. It increases when the keys change. Tokens that a key of an earlier version
    /// verified must be verified again.
    pub(crate) generation: u64,
}

#[derive(serde::Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Parses a key set. Unusable keys are skipped. If several keys have one identifier, all of them are skipped,
    /// because it is unknown which of them a token means. Also returns the text of each usable key.
    fn read(body: &[u8]) -> Result<(KeySet, Vec<String>), String> {
        let document: Document = serde_json::from_slice(body)
            .map_err(|error| format!("the document is not a JSON Web Key Set: {error}"))?;
        let published = document.keys.len();
        let mut by_id: BTreeMap<Option<String>, Option<(Arc<Key>, String)>> = BTreeMap::new();
        for value in &document.keys {
            // A key that cannot be used may have the same identifier as a usable key. Then the identifier is ambiguous
            // too.
            let id = match value.get("kid") {
                None => None,
                Some(Value::String(id)) => Some(id.clone()),
                Some(_) => continue,
            };
            let key = Key::parse(value).map(|key| (Arc::new(key), value.to_string()));
            match by_id.entry(id) {
                Entry::Vacant(entry) => drop(entry.insert(key)),
                Entry::Occupied(mut entry) => drop(entry.insert(None)),
            }
        }
        let usable = by_id.into_iter().filter_map(|(id, key)| key.map(|(key, text)| (id, key, text)));
        let (mut keys, mut texts) = (BTreeMap::new(), Vec::new());
        for (id, key, text) in usable {
            keys.insert(id, key);
            texts.push(text);
        }
        let skipped = published - keys.len();
        Ok((KeySet { by_id: keys, skipped, generation: 0 }, texts))
    }

    /// Returns the key with this identifier. For a token without a key identifier, returns the only key, or `None` if
    /// the set has several keys.
    pub(crate) fn key(&self, id: Option<&str>) -> Option<Arc<Key>> {
        match id {
            Some(id) => self.by_id.get(&Some(id.to_owned())).cloned(),
            None if self.by_id.len() == 1 => self.by_id.values().next().cloned(),
            None => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }
}

/// Fetches the key set from the `jwks_uri` of the discovery document.
#[derive(Debug)]
pub(super) struct KeySetSource {
    discovery: Arc<CachedDocument<DiscoverySource>>,
    policy: UrlPolicy,
    fetcher: Fetcher,
    /// JSON texts of the keys of the last fetch, and the generation of these keys.
    last: Mutex<(Vec<String>, u64)>,
}

impl KeySetSource {
    pub(super) fn new(
        discovery: Arc<CachedDocument<DiscoverySource>>,
        policy: UrlPolicy,
        fetcher: Fetcher,
    ) -> KeySetSource {
        KeySetSource { discovery, policy, fetcher, last: Mutex::default() }
    }

    /// Returns the generation of the keys with these JSON texts: a new number if the texts differ from the last fetch.
    fn generation(&self, texts: Vec<String>) -> u64 {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != texts {
            *last = (texts, last.1 + 1);
        }
        last.1
    }
}

impl Source for KeySetSource {
    type Document = KeySet;
    const NAME: &'static str = KEYS;

    async fn fetch(&self) -> Result<(KeySet, Option<Duration>), String> {
        let discovery = self.discovery.get().await.map_err(|unavailable| unavailable.to_string())?;
        let url = self.policy.check_endpoint(&discovery.jwks_uri)?;
        let fetched = self.fetcher.get(url).await.map_err(|error| match error {
            FetchError::NotFound => "the provider answers 404".to_owned(),
            FetchError::Failed(why) => why,
        })?;
        let (keys, texts) = KeySet::read(&fetched.body)?;
        if keys.skipped > 0 {
            tracing::warn!(
                skipped = keys.skipped,
                usable = keys.len(),
                "some of the identity provider's keys cannot verify access tokens"
            );
        }
        let generation = self.generation(texts);
        Ok((KeySet { generation, ..keys }, fetched.max_age))
    }
}

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
