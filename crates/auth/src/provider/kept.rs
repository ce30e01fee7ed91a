//! A document that is fetched once for all who ask, refreshed when its time has come, and kept while the provider does
//! not answer.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tokio::sync::Mutex;

use crate::clock::Clock;

/// The shortest and the longest time before a document is fetched again, whatever the provider says, in seconds.
const REFRESH_SECONDS_MIN: u64 = 60;
const REFRESH_SECONDS_MAX: u64 = 10 * 60;
/// The share of that time, as a divisor, by which a refresh may come early: many instances must not ask at once.
const JITTER_DIVISOR: u32 = 10;
/// Seconds of rest after a fetch that failed.
const RETRY_SECONDS: u64 = 5;

/// Where a document comes from.
pub(super) trait Source: Send + Sync + fmt::Debug + 'static {
    /// What it becomes.
    type Document: Send + Sync + fmt::Debug + 'static;
    /// What it is, for messages.
    const NAME: &'static str;

    /// Fetches it; how long it may be kept, if the provider says so; or why there is none.
    fn fetch(&self) -> impl Future<Output = Result<(Self::Document, Option<Duration>), String>> + Send;
}

/// There is nothing that may be used: the provider has not answered rightly, or not for too long. Says nothing of any
/// token: it is to be tried again.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the identity provider's {document} cannot be used: {why}")]
pub struct Unavailable {
    document: &'static str,
    why: Arc<str>,
}

/// What is known of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It was there when it was last looked for.
    Fresh,
    /// The last fetch failed for this reason; what was fetched before, this long ago, is in use.
    Stale {
        /// How old it is.
        age: Duration,
        /// Why there is no newer one.
        why: Arc<str>,
    },
    /// There is none that may be used.
    Absent {
        /// Why; none when it has not been looked for.
        why: Option<Arc<str>>,
    },
}

/// A document that is kept.
pub(super) struct Kept<S: Source> {
    source: S,
    stale_max: Duration,
    clock: Arc<dyn Clock>,
    memory: RwLock<Memory<S::Document>>,
    flight: Arc<Mutex<()>>,
}

struct Memory<D> {
    current: Option<Current<D>>,
    /// Attempts that have ended.
    attempts: u64,
    last_attempt: Option<Duration>,
    /// Why the last attempt failed, if it did.
    failure: Option<Arc<str>>,
}

struct Current<D> {
    document: Arc<D>,
    fetched: Duration,
    refresh_after: Duration,
}

impl<S: Source> fmt::Debug for Kept<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("source", &self.source).finish_non_exhaustive()
    }
}

impl<S: Source> Kept<S> {
    pub(super) fn new(source: S, stale_max: Duration, clock: Arc<dyn Clock>) -> Kept<S> {
        let memory = Memory { current: None, attempts: 0, last_attempt: None, failure: None };
        Kept { source, stale_max, clock, memory: RwLock::new(memory), flight: Arc::default() }
    }

    /// The document. Who asks while it is being fetched waits for that one fetch, unless there is an older one that
    /// may be used and the provider has just failed: a provider that hangs costs nobody time.
    pub(super) async fn get(self: &Arc<Self>) -> Result<Arc<S::Document>, Unavailable> {
        let (usable, failing, attempts) = {
            let memory = self.memory();
            let usable = self.usable(&memory);
            if !self.due_in_of(&memory).is_zero() {
                return usable.ok_or_else(|| self.unavailable(&memory));
            }
            (usable, memory.failure.is_some(), memory.attempts)
        };
        match usable {
            Some(document) if failing => {
                if let Ok(turn) = self.flight.clone().try_lock_owned() {
                    let this = self.clone();
                    tokio::spawn(async move {
                        this.attempt(attempts).await;
                        drop(turn);
                    });
                }
                Ok(document)
            }
            _ => {
                self.refresh(attempts).await;
                self.held()
            }
        }
    }

    /// The document, fetched again if the last attempt ended at least `pause` ago: for who misses something in it.
    pub(super) async fn get_newer(
        self: &Arc<Self>,
        pause: Duration,
    ) -> Result<Arc<S::Document>, Unavailable> {
        let (attempts, last_attempt) = {
            let memory = self.memory();
            (memory.attempts, memory.last_attempt)
        };
        if last_attempt.is_none_or(|at| self.since(at) >= pause) {
            self.refresh(attempts).await;
        }
        let memory = self.memory();
        match (self.usable(&memory), &memory.failure) {
            (Some(document), None) => Ok(document),
            // Whether the provider has it by now cannot be known.
            _ => Err(self.unavailable(&memory)),
        }
    }

    /// The document as far as it is known, without fetching anything.
    pub(super) fn held(&self) -> Result<Arc<S::Document>, Unavailable> {
        let memory = self.memory();
        self.usable(&memory).ok_or_else(|| self.unavailable(&memory))
    }

    pub(super) fn state(&self) -> State {
        let memory = self.memory();
        let usable = self.usable(&memory).and(memory.current.as_ref());
        match (usable, &memory.failure) {
            (Some(_), None) => State::Fresh,
            (Some(current), Some(why)) => State::Stale { age: self.since(current.fetched), why: why.clone() },
            (None, why) => State::Absent { why: why.clone() },
        }
    }

    /// How long until it is to be fetched again; zero when it is due.
    pub(super) fn due_in(&self) -> Duration {
        self.due_in_of(&self.memory())
    }

    fn due_in_of(&self, memory: &Memory<S::Document>) -> Duration {
        let wait = match (&memory.failure, &memory.current) {
            (Some(_), _) => memory.last_attempt.map(|at| (at, Duration::from_secs(RETRY_SECONDS))),
            (None, Some(current)) => Some((current.fetched, current.refresh_after)),
            (None, None) => None,
        };
        wait.map_or(Duration::ZERO, |(at, wait)| wait.saturating_sub(self.since(at)))
    }

    /// One attempt, unless another has ended since `seen` attempts had. It goes on when the caller goes away.
    async fn refresh(self: &Arc<Self>, seen: u64) {
        let this = self.clone();
        let flight = tokio::spawn(async move {
            let _turn = this.flight.lock().await;
            this.attempt(seen).await;
        });
        if flight.await.is_err() {
            tracing::error!(
                document = S::NAME,
                "fetching from the identity provider panicked or was stopped"
            );
        }
    }

    /// Must be called by who holds the flight.
    async fn attempt(&self, seen: u64) {
        if self.memory().attempts != seen {
            return;
        }
        let outcome = self.source.fetch().await;
        let now = self.clock.elapsed();
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        memory.attempts += 1;
        memory.last_attempt = Some(now);
        match outcome {
            Ok((document, max_age)) => {
                if memory.failure.take().is_some() {
                    tracing::info!(document = S::NAME, "the identity provider answers again");
                }
                let document = Arc::new(document);
                memory.current =
                    Some(Current { document, fetched: now, refresh_after: refresh_after(max_age) });
            }
            Err(why) => {
                tracing::warn!(document = S::NAME, why, "the identity provider gives no usable document");
                memory.failure = Some(why.into());
            }
        }
    }

    fn usable(&self, memory: &Memory<S::Document>) -> Option<Arc<S::Document>> {
        let current = memory.current.as_ref()?;
        (self.since(current.fetched) <= self.stale_max).then(|| current.document.clone())
    }

    fn unavailable(&self, memory: &Memory<S::Document>) -> Unavailable {
        let why = memory.failure.clone().unwrap_or_else(|| "it was not fetched".into());
        Unavailable { document: S::NAME, why }
    }

    fn since(&self, at: Duration) -> Duration {
        self.clock.elapsed().saturating_sub(at)
    }

    fn memory(&self) -> RwLockReadGuard<'_, Memory<S::Document>> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When to fetch again: as the provider says, within bounds, and a little early.
fn refresh_after(max_age: Option<Duration>) -> Duration {
    let [low, high] = [REFRESH_SECONDS_MIN, REFRESH_SECONDS_MAX].map(Duration::from_secs);
    let whole = max_age.unwrap_or(high).clamp(low, high);
    // Without randomness every instance is early by the same time, which does no harm.
    let random = f64::from(getrandom::u32().unwrap_or_default()) / f64::from(u32::MAX);
    whole - (whole / JITTER_DIVISOR).mul_f64(random)
}
