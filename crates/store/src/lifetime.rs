//! The end of connections: at an age, and when their host stops.
//!
//! PostgreSQL finishes a smart shutdown when the last client has disconnected. Open connections do not tell that it waits:
//! only new ones are rejected. So a connection is opened from time to time, and closed at once.

use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::{ConfigConnectImpl, Connect, Pool, WeakPool};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error};

use crate::tls::Connector;

/// Maximum time for opening a connection, in seconds.
pub(crate) const CONNECT_SECONDS_MAX: u64 = 3;

/// Maximum time between two looks at the connections to a host. A smart shutdown is noticed within it.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Minimum of this time, for a very small age.
const PAUSE_MIN: Duration = Duration::from_millis(100);

/// The part of the age by which the ages of connections differ at most, as a divisor.
const VARIATION_DIVISOR: u32 = 8;
/// Number of different ages.
const VARIATIONS: u32 = 1000;

/// The rule for the connections to one host.
#[derive(Debug)]
pub(crate) struct Lifetime {
    age_max: Duration,
    /// Random keys, by which connections that were opened together end apart.
    keys: RandomState,
    /// The last moment at which the host rejected a connection because it was stopping or starting.
    rejected_at: Mutex<Option<Instant>>,
}

impl Lifetime {
    pub(crate) fn new(age_max: Duration) -> Lifetime {
        Lifetime { age_max, keys: RandomState::new(), rejected_at: Mutex::default() }
    }

    /// Returns the age that no connection exceeds while nobody uses it.
    pub(crate) fn age_max(&self) -> Duration {
        self.age_max
    }

    /// Records that the host rejected a connection because it was stopping or starting. A host that stops waits for the end
    /// of the connections that are open (smart shutdown).
    pub(crate) fn record_rejection(&self, now: Instant) {
        *self.rejected_at() = Some(now);
    }

    /// Returns true if a connection must not be used any more.
    pub(crate) fn has_ended(&self, opened: Instant, now: Instant) -> bool {
        self.rejected_at().is_some_and(|rejected| opened <= rejected)
            || now.saturating_duration_since(opened) >= self.age_of(opened)
    }

    /// Returns the age at which a connection ends: the maximum less a random part of up to an eighth.
    fn age_of(&self, opened: Instant) -> Duration {
        let random = self.keys.hash_one(opened) % u64::from(VARIATIONS);
        let random = u32::try_from(random).unwrap_or_default();
        self.age_max - self.age_max / VARIATION_DIVISOR / VARIATIONS * random
    }

    fn rejected_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.rejected_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens connections as the library does, and records when the host rejects one because it is stopping.
pub(crate) struct ObservedConnect {
    connect: ConfigConnectImpl<Connector>,
    lifetime: Arc<Lifetime>,
}

impl ObservedConnect {
    pub(crate) fn new(tls: Connector, lifetime: Arc<Lifetime>) -> ObservedConnect {
        ObservedConnect { connect: ConfigConnectImpl { tls }, lifetime }
    }
}

impl Connect for ObservedConnect {
    fn connect(
        &self,
        config: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + '_>> {
        let connecting = self.connect.connect(config);
        Box::pin(async move {
            let connected = connecting.await;
            if let Err(error) = &connected
                && error.code() == Some(&SqlState::CANNOT_CONNECT_NOW)
            {
                self.lifetime.record_rejection(Instant::now());
            }
            connected
        })
    }
}

/// The pools of a host, which are looked after until they are dropped.
pub(crate) struct Upkeep {
    pub(crate) pools: [WeakPool; 2],
    pub(crate) lifetime: Arc<Lifetime>,
    /// Opens the connection that shows if the host is stopping.
    pub(crate) connect: ObservedConnect,
    pub(crate) config: Config,
}

impl Upkeep {
    /// Looks after the pools of every host until they are dropped. Needs a Tokio runtime.
    pub(crate) fn start(hosts: &Arc<[Upkeep]>) {
        for number in 0..hosts.len() {
            let hosts = hosts.clone();
            tokio::spawn(async move {
                let upkeep = &hosts[number];
                let pause = upkeep.lifetime.age_max().clamp(PAUSE_MIN, PAUSE_MAX);
                loop {
                    sleep(pause).await;
                    let Some(pools) = upkeep.pools() else { break };
                    upkeep.look(&pools).await;
                }
            });
        }
    }

    /// Returns `None` if the pools were dropped.
    fn pools(&self) -> Option<Vec<Pool>> {
        self.pools.iter().map(WeakPool::upgrade).collect()
    }

    async fn look(&self, pools: &[Pool]) {
        // The result is recorded. Requests report other failures.
        let limit = Duration::from_secs(CONNECT_SECONDS_MAX);
        drop(timeout(limit, self.connect.connect(&self.config)).await);
        let now = Instant::now();
        for pool in pools {
            drop(pool.retain(|_, metrics| !self.lifetime.has_ended(metrics.created, now)));
        }
    }
}

impl std::fmt::Debug for Upkeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Upkeep").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGE: Duration = Duration::from_secs(800);
    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn connection_ends_in_the_last_eighth_of_the_age() {
        let opened = Instant::now();
        for _ in 0..100 {
            let lifetime = Lifetime::new(AGE);
            assert!(!lifetime.has_ended(opened, opened + AGE / 8 * 7));
            assert!(lifetime.has_ended(opened, opened + AGE));
        }
    }

    #[test]
    fn connections_that_were_opened_together_end_apart() {
        let lifetime = Lifetime::new(AGE);
        let first = Instant::now();
        let opened = (0..100).map(|number| first + Duration::from_nanos(number));
        let ended = opened.filter(|opened| lifetime.has_ended(*opened, first + AGE / 16 * 15)).count();
        assert!((10..=90).contains(&ended), "{ended} of 100 have ended");
    }

    #[test]
    fn rejection_ends_the_connections_that_were_open_and_no_later_one() {
        let lifetime = Lifetime::new(AGE);
        let start = Instant::now();
        lifetime.record_rejection(start + SECOND);
        let now = start + 3 * SECOND;
        assert!(lifetime.has_ended(start, now));
        assert!(!lifetime.has_ended(start + 2 * SECOND, now));
        lifetime.record_rejection(now);
        assert!(lifetime.has_ended(start + 2 * SECOND, now));
    }
}
