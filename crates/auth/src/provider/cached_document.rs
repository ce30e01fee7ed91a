//! A cache for one document of the identity provider.
//!
//! Concurrent callers share one fetch (single-flight). The document is refreshed when it is due, and an old document
//! stays in use for a limited time while the provider does not answer.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use passbook_domain::outage::Outage;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::clock::Clock;

/// Minimum and maximum time between two regular fetches, in seconds. They limit the `max-age` that the provider sends.
const REFRESH_SECONDS_MIN: u64 = 60;
const REFRESH_SECONDS_MAX: u64 = 10 * 60;
/// A refresh starts early by a random time of up to one tenth of the interval, so that many instances do not fetch at
/// the same moment.
const JITTER_DIVISOR: u32 = 10;
/// Minimum time between a failed fetch and the next fetch, in seconds.
const RETRY_SECONDS: u64 = 5;

/// Fetches one kind of document.
pub(super) trait Source: Send + Sync + fmt::Debug + 'static {
    /// Type of the parsed document.
    type Document: Send + Sync + fmt::Debug + 'static;
    /// Name of the document in messages and logs.
    const NAME: &'static str;

    /// Fetches the document. Returns it with the `max-age` that the provider sent.
    ///
    /// # Errors
    /// The reason, for the log and the operator.
    fn fetch(&self) -> impl Future<Output = Result<(Self::Document, Option<Duration>), String>> + Send;
}

/// Name of the key set in messages and logs.
pub(super) const KEYS: &str = "signing keys";

/// A document of the identity provider is not available: every fetch failed, or the last good document is too old.
///
/// An outage, which says nothing about the validity of a token. The caller may repeat the request later.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the identity provider's {document} cannot be used: {why}")]
pub struct Unavailable {
    document: &'static str,
    why: Arc<str>,
    wait: Duration,
}

impl Unavailable {
    /// A key set that does not have the key of a token, and that is not fetched again before `wait` has passed.
    pub(super) fn key_may_be_new(wait: Duration) -> Unavailable {
        let why = "the token's key may be newer than the last fetch".into();
        Unavailable { document: KEYS, why, wait }
    }

    /// Returns the number of seconds after which the document is fetched again for a request, at least 1.
    pub fn retry_after_seconds(&self) -> u64 {
        u64::try_from(self.wait.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX).max(1)
    }
}

/// The document for a caller that missed something, such as a key, in an earlier one.
#[derive(Debug)]
pub(super) enum Newer<D> {
    /// A document that was fetched after the earlier one.
    Document(Arc<D>),
    /// There is no later document, and none is fetched for such callers before this time has passed.
    Wait(Duration),
}

/// The state of a cached document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The last fetch succeeded.
    Fresh,
    /// The last fetch failed, and an older document is in use.
    Stale {
        /// Age of the older document: time since it was fetched.
        age: Duration,
        /// Reason why the last fetch failed.
        why: Arc<str>,
    },
    /// There is no usable document.
    Absent {
        /// Reason why the last fetch failed; `None` before the first fetch.
        why: Option<Arc<str>>,
    },
}

/// A document that is cached and refreshed.
pub(super) struct CachedDocument<S: Source> {
    source: S,
    stale_max: Duration,
    clock: Arc<dyn Clock>,
    cache: RwLock<Cache<S::Document>>,
    /// Lock that a fetch holds, so that only one fetch runs at a time.
    fetch_lock: Arc<Mutex<()>>,
}

/// The content of the cache. Its times are read from the monotonic clock.
struct Cache<D> {
    entry: Option<Entry<D>>,
    /// Number of fetches that have ended, with success or failure.
    fetches: u64,
    last_fetch: Option<Duration>,
    /// Start of the last fetch for a caller that missed something in the document.
    last_requested: Option<Duration>,
    /// Reason why the last fetch failed; `None` if the last fetch succeeded.
    failure: Option<Arc<str>>,
    outage: Outage,
}

struct Entry<D> {
    document: Arc<D>,
    fetched: Duration,
    refresh_after: Duration,
}

impl<S: Source> fmt::Debug for CachedDocument<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedDocument").field("source", &self.source).finish_non_exhaustive()
    }
}

impl<S: Source> CachedDocument<S> {
    pub(super) fn new(source: S, stale_max: Duration, clock: Arc<dyn Clock>) -> CachedDocument<S> {
        let cache = Cache {
            entry: None,
            fetches: 0,
            last_fetch: None,
            last_requested: None,
            failure: None,
            outage: Outage::default(),
        };
        CachedDocument { source, stale_max, clock, cache: RwLock::new(cache), fetch_lock: Arc::default() }
    }

    /// Returns the cached document. Fetches the document first if it is missing or its refresh is due.
    ///
    /// Callers during a fetch wait for that fetch. If the last fetch failed and an older document is usable, the older
    /// document is returned at once and the fetch runs in the background: a provider that hangs delays no request.
    pub(super) async fn get(self: &Arc<Self>) -> Result<Arc<S::Document>, Unavailable> {
        let (usable, failing, fetches) = {
            let cache = self.cache();
            let usable = self.usable(&cache);
            if !self.time_until_due(&cache).is_zero() {
                return usable.ok_or_else(|| self.unavailable(&cache));
            }
            (usable, cache.failure.is_some(), cache.fetches)
        };
        match usable {
            Some(document) if failing => {
                if let Ok(guard) = self.fetch_lock.clone().try_lock_owned() {
                    let this = self.clone();
                    tokio::spawn(async move {
                        this.fetch(fetches).await;
                        drop(guard);
                    });
                }
                Ok(document)
            }
            _ => {
                self.refresh(fetches).await;
                self.cached()
            }
        }
    }

    /// Returns a later document to a caller that missed something in the document `earlier`, such as a key. Waits for the
    /// current fetch. Without a current fetch, the document is fetched, at most once in `pause` for all such callers.
    ///
    /// # Errors
    /// [`Unavailable`] if the last fetch failed, because a later document might contain what the caller misses.
    pub(super) async fn get_newer(
        self: &Arc<Self>,
        earlier: &Arc<S::Document>,
        pause: Duration,
    ) -> Result<Newer<S::Document>, Unavailable> {
        let guard = self.fetch_lock.clone().lock_owned().await;
        let fetches = {
            let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
            let wait = cache.last_requested.map_or(Duration::ZERO, |at| pause.saturating_sub(self.since(at)));
            if !wait.is_zero() || self.is_newer(&cache, earlier) {
                return self.newer(&cache, earlier, wait);
            }
            cache.last_requested = Some(self.clock.elapsed());
            cache.fetches
        };
        self.fetch_in_task(fetches, guard).await;
        self.newer(&self.cache(), earlier, pause)
    }

    fn is_newer(&self, cache: &Cache<S::Document>, earlier: &Arc<S::Document>) -> bool {
        cache.entry.as_ref().is_some_and(|entry| !Arc::ptr_eq(&entry.document, earlier))
    }

    /// Returns the cached document if it is not `earlier`, else the time to wait.
    fn newer(
        &self,
        cache: &Cache<S::Document>,
        earlier: &Arc<S::Document>,
        wait: Duration,
    ) -> Result<Newer<S::Document>, Unavailable> {
        match self.usable(cache) {
            Some(document) if self.is_newer(cache, earlier) => Ok(Newer::Document(document)),
            _ if cache.failure.is_some() => Err(self.unavailable(cache)),
            _ => Ok(Newer::Wait(wait)),
        }
    }

    /// Returns the cached document without fetching it.
    pub(super) fn cached(&self) -> Result<Arc<S::Document>, Unavailable> {
        let cache = self.cache();
        self.usable(&cache).ok_or_else(|| self.unavailable(&cache))
    }

    pub(super) fn state(&self) -> State {
        let cache = self.cache();
        let usable = self.usable(&cache).and(cache.entry.as_ref());
        match (usable, &cache.failure) {
            (Some(_), None) => State::Fresh,
            (Some(entry), Some(why)) => State::Stale { age: self.since(entry.fetched), why: why.clone() },
            (None, why) => State::Absent { why: why.clone() },
        }
    }

    /// Returns the time until the next fetch is due; zero if a fetch is due now.
    pub(super) fn due_in(&self) -> Duration {
        self.time_until_due(&self.cache())
    }

    fn time_until_due(&self, cache: &Cache<S::Document>) -> Duration {
        let wait = match (&cache.failure, &cache.entry) {
            (Some(_), _) => cache.last_fetch.map(|at| (at, Duration::from_secs(RETRY_SECONDS))),
            (None, Some(entry)) => Some((entry.fetched, entry.refresh_after)),
            (None, None) => None,
        };
        wait.map_or(Duration::ZERO, |(at, wait)| wait.saturating_sub(self.since(at)))
    }

    /// Waits for the current fetch, then fetches unless the number of fetches has grown since the caller saw `seen`.
    async fn refresh(self: &Arc<Self>, seen: u64) {
        let guard = self.fetch_lock.clone().lock_owned().await;
        self.fetch_in_task(seen, guard).await;
    }

    /// Fetches in a task of its own, so that the fetch finishes even if the caller is cancelled.
    async fn fetch_in_task(self: &Arc<Self>, seen: u64, guard: OwnedMutexGuard<()>) {
        let this = self.clone();
        let task = tokio::spawn(async move {
            this.fetch(seen).await;
            drop(guard);
        });
        if task.await.is_err() {
            tracing::error!(
                document = S::NAME,
                "fetching from the identity provider panicked or was stopped"
            );
        }
    }

    /// Fetches the document unless the number of fetches differs from `seen`. The caller must hold `fetch_lock`.
    async fn fetch(&self, seen: u64) {
        if self.cache().fetches != seen {
            return;
        }
        let outcome = self.source.fetch().await;
        let now = self.clock.elapsed();
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        cache.fetches += 1;
        cache.last_fetch = Some(now);
        match outcome {
            Ok((document, max_age)) => {
                cache.failure = None;
                if let Some(ended) = cache.outage.record_success(now) {
                    tracing::info!(
                        document = S::NAME,
                        failures = ended.failures,
                        seconds = ended.seconds,
                        "the identity provider answers again"
                    );
                }
                let document = Arc::new(document);
                cache.entry = Some(Entry { document, fetched: now, refresh_after: refresh_after(max_age) });
            }
            Err(why) => {
                match cache.outage.record_failure(now) {
                    Some(report) => tracing::warn!(
                        document = S::NAME,
                        why,
                        failures = report.failures,
                        seconds = report.seconds,
                        "fetching a document from the identity provider failed; further failures are counted"
                    ),
                    None => tracing::debug!(
                        document = S::NAME,
                        why,
                        "fetching a document from the identity provider failed"
                    ),
                }
                cache.failure = Some(why.into());
            }
        }
    }

    /// Returns the cached document; `None` if there is none or it is older than `stale_max`.
    fn usable(&self, cache: &Cache<S::Document>) -> Option<Arc<S::Document>> {
        let entry = cache.entry.as_ref()?;
        (self.since(entry.fetched) <= self.stale_max).then(|| entry.document.clone())
    }

    fn unavailable(&self, cache: &Cache<S::Document>) -> Unavailable {
        let why = cache.failure.clone().unwrap_or_else(|| "it was not fetched".into());
        Unavailable { document: S::NAME, why, wait: self.time_until_due(cache) }
    }

    fn since(&self, at: Duration) -> Duration {
        self.clock.elapsed().saturating_sub(at)
    }

    fn cache(&self) -> RwLockReadGuard<'_, Cache<S::Document>> {
        self.cache.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the time until the next fetch: `max_age` limited to the bounds, minus a random part.
fn refresh_after(max_age: Option<Duration>) -> Duration {
    let [low, high] = [REFRESH_SECONDS_MIN, REFRESH_SECONDS_MAX].map(Duration::from_secs);
    let interval = max_age.unwrap_or(high).clamp(low, high);
    // If the system provides no random bytes, all instances fetch at the same moment, which is acceptable.
    let random = f64::from(getrandom::u32().unwrap_or_default()) / f64::from(u32::MAX);
    interval - (interval / JITTER_DIVISOR).mul_f64(random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_is_fetched_again_between_a_minute_and_ten_minutes_whatever_its_max_age() {
        for (max_age, expected) in [(Some(0), 60), (Some(300), 300), (Some(3_600), 600), (None, 600)] {
            let after = refresh_after(max_age.map(Duration::from_secs)).as_secs_f64();
            let expected = f64::from(expected);
            assert!((expected * 0.9..=expected).contains(&after), "{max_age:?}: {after}");
        }
    }
}
