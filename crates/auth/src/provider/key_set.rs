//! The provider's signing keys (RFC 7517 section 5).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::address::Trust;
use super::fetch::{Fetcher, Refused};
use super::kept::{Kept, Source};
use super::key::Key;
use super::metadata::Discovery;

/// The keys that may verify access tokens now.
#[derive(Debug)]
pub(crate) struct KeySet {
    by_id: BTreeMap<Option<String>, Arc<Key>>,
    /// Published keys that may not be used: of another kind, too weak, ambiguous, or no keys at all.
    pub(crate) skipped: usize,
    /// Changes when the keys do: what an earlier set has verified is not verified any more.
    pub(crate) generation: u64,
}

#[derive(serde::Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads the keys one by one: one that cannot be used does not spoil the others, and two of one name are none.
    fn read(body: &[u8]) -> Result<(KeySet, Vec<String>), String> {
        let document: Document =
            serde_json::from_slice(body).map_err(|error| format!("they are no key set: {error}"))?;
        let published = document.keys.len();
        let mut by_id: BTreeMap<Option<String>, Option<(Arc<Key>, String)>> = BTreeMap::new();
        for value in &document.keys {
            // A name counts also when the key that has it cannot be used: which was meant is not known then either.
            let named = match value.get("kid") {
                None => None,
                Some(Value::String(name)) => Some(name.clone()),
                Some(_) => continue,
            };
            let key = Key::read(value).map(|(_, key)| (Arc::new(key), value.to_string()));
            match by_id.entry(named) {
                Entry::Vacant(place) => drop(place.insert(key)),
                Entry::Occupied(mut place) => drop(place.insert(None)),
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

    /// The key of a name. A token may leave the name out only where there is no choice.
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

/// Finds the keys, where the metadata say they are.
#[derive(Debug)]
pub(super) struct Keys {
    metadata: Arc<Kept<Discovery>>,
    trust: Trust,
    fetcher: Fetcher,
    /// The text of the keys that were found last, and their generation.
    last: Mutex<(Vec<String>, u64)>,
}

impl Keys {
    pub(super) fn new(metadata: Arc<Kept<Discovery>>, trust: Trust, fetcher: Fetcher) -> Keys {
        Keys { metadata, trust, fetcher, last: Mutex::default() }
    }

    fn generation(&self, texts: Vec<String>) -> u64 {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != texts {
            *last = (texts, last.1 + 1);
        }
        last.1
    }
}

impl Source for Keys {
    type Document = KeySet;
    const NAME: &'static str = "signing keys";

    async fn fetch(&self) -> Result<(KeySet, Option<Duration>), String> {
        let metadata = self.metadata.get().await.map_err(|unavailable| unavailable.to_string())?;
        let place = self.trust.endpoint(&metadata.jwks_uri)?;
        let fetched = self.fetcher.get(place).await.map_err(|refused| match refused {
            Refused::NotFound => "it answers 404".to_owned(),
            Refused::Failed(why) => why,
        })?;
        let (keys, texts) = KeySet::read(&fetched.body)?;
        if keys.skipped > 0 {
            tracing::warn!(
                skipped = keys.skipped,
                usable = keys.len(),
                "some of the provider's keys cannot be used"
            );
        }
        let generation = self.generation(texts);
        Ok((KeySet { generation, ..keys }, fetched.max_age))
    }
}
