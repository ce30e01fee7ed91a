//! Closes connections that nobody uses when their time is over, and notices that a host is stopping.
//!
//! PostgreSQL finishes a smart shutdown when the last client has disconnected. Open connections do not tell that it waits:
//! only new ones are rejected. So a connection is opened from time to time, and closed at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool_postgres::{Connect as _, Pool, WeakPool};
use tokio::time::{sleep, timeout};
use tokio_postgres::Config;

use crate::lifetime::Lifetime;
use crate::observed_connect::{CONNECT_SECONDS_MAX, ObservedConnect};

/// Maximum time between two looks at the connections to a host. A smart shutdown is noticed within it.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Minimum of this time, for a very small age.
const PAUSE_MIN: Duration = Duration::from_millis(100);

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
