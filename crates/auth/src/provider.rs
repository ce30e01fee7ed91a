//! The identity provider: the OpenID Connect service that signs users in and signs their access tokens.
//!
//! [`Provider`] fetches two documents, checks them, caches them and refreshes them: the discovery document and the
//! JSON Web Key Set (JWKS). Documents are fetched only from the issuer's host and from hosts in the settings. No text
//! of a request decides which address is fetched.

mod cached_document;
mod code_exchange;
mod discovery;
mod fetch;
pub(crate) mod key;
mod key_set;
mod settings;
pub(crate) mod url_policy;

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use cached_document::{CachedDocument, Newer};
use discovery::DiscoverySource;
use fetch::Fetcher;
use key::Key;
use key_set::{KeySet, KeySetSource, UnknownKeyIds};

pub use cached_document::{State, Unavailable};
pub use code_exchange::{CodeExchange, ExchangeError};
pub use discovery::DiscoveryDocument;
pub use settings::{Settings, SettingsError, check_issuer};

/// Minimum time between two fetches of the key set that are caused by tokens with unknown key identifiers or signatures
/// that do not verify.
const REQUESTED_FETCH_PAUSE: Duration = Duration::from_secs(30);

/// Minimum time that [`Provider::keep_fresh`] waits between two refreshes. It prevents a busy loop if the clock jumps.
const REFRESH_WAIT_MIN: Duration = Duration::from_secs(1);

/// An identity provider. Cheap to clone; clones share the cached documents.
#[derive(Clone, Debug)]
pub struct Provider {
    issuer: Arc<str>,
    discovery: Arc<CachedDocument<DiscoverySource>>,
    keys: Arc<CachedDocument<KeySetSource>>,
    unknown: Arc<UnknownKeyIds>,
    fetcher: Fetcher,
    clock: Arc<dyn Clock>,
}

/// The state of both cached documents: discovery document and key set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// State of the cached discovery document.
    pub discovery: State,
    /// State of the cached key set.
    pub keys: State,
    /// Number of keys that can verify access tokens.
    pub keys_usable: usize,
    /// Number of published keys that cannot verify access tokens: of another kind, too weak, or with an identifier that
    /// several keys have.
    pub keys_skipped: usize,
}

/// The reason why there is no key to verify a token.
#[derive(Debug)]
pub(crate) enum KeyError {
    /// The provider publishes no key with this identifier.
    Unknown,
    /// The key set is not available, or not recent enough to say whether the provider has the key.
    Unavailable(Unavailable),
}

impl Provider {
    /// Creates a provider. Fetches nothing: the first request or [`Provider::keep_fresh`] does.
    ///
    /// # Errors
    /// [`SettingsError`] if the issuer is not an acceptable address, or the system has no root certificates.
    pub fn new(settings: Settings) -> Result<Provider, SettingsError> {
        let issuer = Arc::from(settings.issuer.as_str());
        let policy = settings.url_policy()?;
        let fetcher = Fetcher::new(&policy, settings.timeout)?;
        let clock = settings.clock;
        let discovery = DiscoverySource::new(&settings.issuer, policy.clone(), fetcher.clone());
        let discovery = Arc::new(CachedDocument::new(discovery, settings.stale_max, clock.clone()));
        let keys = KeySetSource::new(discovery.clone(), policy, fetcher.clone());
        let keys = Arc::new(CachedDocument::new(keys, settings.stale_max, clock.clone()));
        Ok(Provider { issuer, discovery, keys, unknown: Arc::default(), fetcher, clock })
    }

    /// Returns the issuer identifier, byte for byte as configured.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns the discovery document. Fetches it if it is missing or due. While the provider does not answer, the
    /// last document is returned for up to [`Settings::stale_max`].
    ///
    /// # Errors
    /// [`Unavailable`] if there is no usable document.
    pub async fn discovery_document(&self) -> Result<Arc<DiscoveryDocument>, Unavailable> {
        self.discovery.get().await
    }

    /// Exchanges an authorization code for an access token at the token endpoint, as a public client with PKCE. The token is
    /// not verified.
    ///
    /// # Errors
    /// [`ExchangeError`] if the provider rejects the exchange or cannot be reached.
    pub async fn exchange_code(&self, exchange: &CodeExchange<'_>) -> Result<String, ExchangeError> {
        let discovery = self.discovery_document().await;
        let discovery = discovery.map_err(|error| ExchangeError::Unavailable(error.to_string()))?;
        code_exchange::access_token(&self.fetcher, &discovery.token_endpoint, exchange).await
    }

    /// Fetches the documents that are due, and returns the state afterwards.
    pub async fn check(&self) -> Status {
        // Ignore the result: `status` reports a failed fetch.
        let _ = self.keys.get().await;
        let _ = self.discovery.get().await;
        self.status()
    }

    /// Measures the difference between this machine's clock and the provider's, in seconds: positive if this machine is
    /// ahead. Returns `None` if the key set cannot be fetched or its response has no `Date` header.
    ///
    /// Tokens are checked with this machine's clock. A large difference makes valid tokens look expired or not yet
    /// valid.
    ///
    /// # Errors
    /// [`Unavailable`] if the discovery document is not available.
    pub async fn clock_ahead_seconds(&self) -> Result<Option<i64>, Unavailable> {
        let discovery = self.discovery_document().await?;
        let Ok(keys) = reqwest::Url::parse(&discovery.jwks_uri) else { return Ok(None) };
        // Ignore the error: `status` reports a failed fetch of the key set.
        let fetched = self.fetcher.get(keys).await.ok();
        Ok(fetched.and_then(|fetched| fetched.date).map(|date| self.clock.unix_seconds() - date))
    }

    /// Returns the state of the cached documents. Fetches nothing.
    pub fn status(&self) -> Status {
        let keys = self.keys.cached().ok();
        Status {
            discovery: self.discovery.state(),
            keys: self.keys.state(),
            keys_usable: keys.as_ref().map_or(0, |keys| keys.len()),
            keys_skipped: keys.as_ref().map_or(0, |keys| keys.skipped),
        }
    }

    /// Returns the clock for token lifetimes and document ages.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Returns the key set, and fetches it if it is missing or due.
    pub(crate) async fn keys(&self) -> Result<Arc<KeySet>, Unavailable> {
        self.keys.get().await
    }

    /// Returns the key with the identifier `id`, and the key set that contains it.
    ///
    /// An unknown identifier may belong to a new key, so it causes a fetch. Attackers can invent identifiers, so these
    /// fetches happen at most once in [`REQUESTED_FETCH_PAUSE`]. In between, nobody knows whether the key exists:
    /// the caller may repeat the request after the pause.
    pub(crate) async fn key(&self, id: Option<&str>) -> Result<(Arc<Key>, Arc<KeySet>), KeyError> {
        let before = self.keys.cached().ok();
        let keys = self.keys().await.map_err(KeyError::Unavailable)?;
        if let Some(key) = keys.key(id) {
            return Ok((key, keys));
        }
        let now = self.clock.elapsed();
        if before.is_none_or(|before| !Arc::ptr_eq(&before, &keys)) {
            // The key set was fetched for this request, so it is not fetched a second time.
            self.unknown.insert(id, now);
        }
        if self.unknown.contains(id, now) {
            return Err(KeyError::Unknown);
        }
        match self.keys.get_newer(&keys, REQUESTED_FETCH_PAUSE).await.map_err(KeyError::Unavailable)? {
            Newer::Wait(wait) => Err(KeyError::Unavailable(Unavailable::key_may_be_new(wait))),
            Newer::Document(keys) => match keys.key(id) {
                Some(key) => Ok((key, keys)),
                None => {
                    self.unknown.insert(id, self.clock.elapsed());
                    Err(KeyError::Unknown)
                }
            },
        }
    }

    /// Returns the key that has replaced a key of the key set `earlier` under the identifier `id`, and its key set. The
    /// caller has a token that the earlier key does not verify.
    ///
    /// Such a token causes a fetch, under the same limit as an unknown identifier. Returns `None` if the key is the same,
    /// or if the keys cannot be fetched now.
    pub(crate) async fn replacing_key(
        &self,
        id: Option<&str>,
        earlier: &Arc<KeySet>,
    ) -> Option<(Arc<Key>, Arc<KeySet>)> {
        match self.keys.get_newer(earlier, REQUESTED_FETCH_PAUSE).await {
            Ok(Newer::Document(keys)) if keys.generation != earlier.generation => {
                keys.key(id).map(|key| (key, keys.clone()))
            }
            _ => None,
        }
    }

    /// Refreshes the documents before they are due, and never returns. A host runs this future beside its server and
    /// drops it at shutdown.
    ///
    /// Optional: without it, results are the same, but the first request after a document is due waits for the fetch.
    pub async fn keep_fresh(&self) {
        loop {
            // Ignore the result: a failed fetch is logged, and `status` reports it.
            let _ = self.discovery.get().await;
            let _ = self.keys.get().await;
            let due = self.discovery.due_in().min(self.keys.due_in());
            tokio::time::sleep(due.max(REFRESH_WAIT_MIN)).await;
        }
    }
}

#[cfg(test)]
mod tests;
