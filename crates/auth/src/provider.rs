//! The identity provider: who signs people in elsewhere, and signs the access tokens that they bring.
//!
//! What it says of itself is fetched, checked, kept, and refreshed. Nothing is taken from an address that the issuer
//! and the settings do not vouch for, and nothing that a caller sends decides what is fetched.

pub(crate) mod address;
mod fetch;
mod kept;
pub(crate) mod key;
mod key_set;
mod metadata;
mod settings;
mod unknown_keys;

use std::sync::Arc;
use std::time::Duration;

pub use kept::{State, Unavailable};
pub use metadata::Metadata;
pub use settings::{Settings, SettingsError, check_issuer};

use fetch::Fetcher;
use kept::Kept;
use key::Key;
use key_set::{KeySet, Keys};
use metadata::Discovery;
use unknown_keys::UnknownKeys;

use crate::clock::Clock;

/// Seconds between two fetches of the keys that tokens with unknown keys may cause.
const UNKNOWN_KEY_PAUSE_SECONDS: u64 = 30;

/// The shortest wait between two looks at what is due, so that a clock that jumps cannot make it spin.
const LOOK_WAIT_MIN: Duration = Duration::from_secs(1);

/// An identity provider. Cheap to clone; clones share what they have fetched.
#[derive(Clone, Debug)]
pub struct Provider {
    issuer: Arc<str>,
    metadata: Arc<Kept<Discovery>>,
    keys: Arc<Kept<Keys>>,
    unknown: Arc<UnknownKeys>,
    fetcher: Fetcher,
    clock: Arc<dyn Clock>,
}

/// What is known of the provider now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What it says of itself.
    pub metadata: State,
    /// Its signing keys.
    pub keys: State,
    /// How many of them may verify access tokens.
    pub keys_usable: usize,
    /// How many may not: of another kind, too weak, ambiguous.
    pub keys_skipped: usize,
}

/// Why there is no key to verify a token with.
#[derive(Debug)]
pub(crate) enum NoKey {
    /// The provider has none of that name.
    Unknown,
    /// Whether it has one cannot be known now.
    Unavailable(Unavailable),
}

impl Provider {
    /// A provider. Nothing is fetched yet: the first who asks, or [`Provider::keep_fresh`], does that.
    ///
    /// # Errors
    /// [`SettingsError`] when the issuer is no address that may be trusted, or the system has no root certificates.
    pub fn new(settings: Settings) -> Result<Provider, SettingsError> {
        let issuer = Arc::from(settings.issuer.as_str());
        let trust = settings.trust()?;
        let fetcher = Fetcher::new(&trust, settings.timeout)?;
        let clock = settings.clock;
        let discovery = Discovery::new(&settings.issuer, trust.clone(), fetcher.clone());
        let metadata = Arc::new(Kept::new(discovery, settings.stale_max, clock.clone()));
        let keys = Keys::new(metadata.clone(), trust, fetcher.clone());
        let keys = Arc::new(Kept::new(keys, settings.stale_max, clock.clone()));
        Ok(Provider { issuer, metadata, keys, unknown: Arc::default(), fetcher, clock })
    }

    /// Its identifier, byte for byte as configured.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// What it says of itself: fetched by the first who asks, refreshed when its time has come, and kept for as long
    /// as [`Settings::stale_max`] says while the provider does not answer.
    ///
    /// # Errors
    /// [`Unavailable`] when there is none that may be used.
    pub async fn metadata(&self) -> Result<Arc<Metadata>, Unavailable> {
        self.metadata.get().await
    }

    /// Looks at the provider where that is due, and says what is then known of it.
    pub async fn check(&self) -> Status {
        // The status says what failed.
        let _ = self.keys.get().await;
        let _ = self.metadata.get().await;
        self.status()
    }

    /// Seconds by which our clock is ahead of the provider's, negative when it is behind; none where the provider does
    /// not say what time it is. Tokens are checked by our clock, so a difference makes good ones look expired or not
    /// yet valid.
    ///
    /// # Errors
    /// [`Unavailable`] when the provider does not answer.
    pub async fn clock_ahead_seconds(&self) -> Result<Option<i64>, Unavailable> {
        let metadata = self.metadata().await?;
        let Ok(keys) = reqwest::Url::parse(&metadata.jwks_uri) else { return Ok(None) };
        // What is wrong with the keys, the status says.
        let fetched = self.fetcher.get(keys).await.ok();
        Ok(fetched.and_then(|fetched| fetched.date).map(|date| self.clock.unix_seconds() - date))
    }

    /// What is known of it now. Fetches nothing.
    pub fn status(&self) -> Status {
        let held = self.keys.held().ok();
        Status {
            metadata: self.metadata.state(),
            keys: self.keys.state(),
            keys_usable: held.as_ref().map_or(0, |keys| keys.len()),
            keys_skipped: held.as_ref().map_or(0, |keys| keys.skipped),
        }
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// The signing keys.
    pub(crate) async fn keys(&self) -> Result<Arc<KeySet>, Unavailable> {
        self.keys.get().await
    }

    /// The key of a name, and the generation of its set. A name that is not known is worth one look at the provider,
    /// but not often: whatever callers invent, it is asked at most once in [`UNKNOWN_KEY_PAUSE_SECONDS`].
    pub(crate) async fn key(&self, id: Option<&str>) -> Result<(Arc<Key>, u64), NoKey> {
        let found = |keys: &KeySet| keys.key(id).map(|key| (key, keys.generation));
        let keys = self.keys().await.map_err(NoKey::Unavailable)?;
        if let Some(found) = found(&keys) {
            return Ok(found);
        }
        if self.unknown.contains(id, self.clock.elapsed()) {
            return Err(NoKey::Unknown);
        }
        let pause = Duration::from_secs(UNKNOWN_KEY_PAUSE_SECONDS);
        let newer = self.keys.get_newer(pause).await.map_err(NoKey::Unavailable)?;
        if let Some(found) = found(&newer) {
            return Ok(found);
        }
        if !Arc::ptr_eq(&keys, &newer) {
            self.unknown.insert(id, self.clock.elapsed());
        }
        Err(NoKey::Unknown)
    }

    /// Keeps what is known fresh, for ever: the host runs it beside what it serves and drops it at the end. Without it
    /// all is as right, but the first request after a document's time waits for the next.
    pub async fn keep_fresh(&self) {
        loop {
            // What failed is in the log and in the status.
            let _ = self.metadata.get().await;
            let _ = self.keys.get().await;
            let due = self.metadata.due_in().min(self.keys.due_in());
            tokio::time::sleep(due.max(LOOK_WAIT_MIN)).await;
        }
    }
}
