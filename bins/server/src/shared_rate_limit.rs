//! Rate limits that several servers share, with the cargo feature `shared-rate-limit`: counts requests in Redis or Valkey by
//! one script.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use passbook_domain::outage::Outage;
use passbook_rest::rate_limit::{SharedCharge, SharedCharges, SharedLimit, SharedRateLimits};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, IntoConnectionInfo as _, RedisError, Script};
use tokio::sync::Notify;

/// The script, which the store runs as one step.
const CHARGE: &str = include_str!("shared_rate_limit/charge.lua");
/// Time limit of one count, in milliseconds. A request waits this long for a store that does not answer, once: then the
/// connection counts as lost.
const CHARGE_MILLISECONDS_MAX: u64 = 250;
/// Time limit of a connection attempt, in seconds.
const CONNECT_SECONDS_MAX: u64 = 2;
/// Time between two connection attempts, in milliseconds.
const RECONNECT_MILLISECONDS: u64 = 500;

/// The address of a store.
#[derive(Clone, Debug)]
pub struct RateLimitStore(Client);

impl RateLimitStore {
    /// Parses an address such as `redis://:password@10.0.0.5:6379/0`.
    ///
    /// # Errors
    /// The rule, without the address, which may contain a password.
    pub fn parse(text: &str) -> Result<RateLimitStore, String> {
        let rule = "must be redis://:password@host:port/number or unix:///path, without TLS";
        let has_scheme = ["redis://", "unix://"].iter().any(|scheme| text.starts_with(scheme));
        let info = text.into_connection_info().ok().filter(|_| has_scheme);
        info.and_then(|info| Client::open(info).ok()).map(RateLimitStore).ok_or_else(|| rule.to_owned())
    }
}

/// Returns the limits that all servers with this store share. A task connects, and connects again after a failure, so
/// a request never waits for a connection. Needs a Tokio runtime.
pub fn shared(store: &RateLimitStore) -> Arc<dyn SharedRateLimits> {
    let limits = Arc::new(StoredRateLimits::new(store.0.clone()));
    let connecting = Arc::downgrade(&limits);
    let lost = limits.lost.clone();
    tokio::spawn(async move {
        while let Some(limits) = connecting.upgrade() {
            let is_connected = limits.is_connected() || limits.connect().await;
            drop(limits);
            if is_connected {
                // Several requests may have noticed one loss, so the connection may exist again.
                lost.notified().await;
            } else {
                tokio::time::sleep(Duration::from_millis(RECONNECT_MILLISECONDS)).await;
            }
        }
    });
    limits
}

struct StoredRateLimits {
    client: Client,
    script: Script,
    started: Instant,
    state: Mutex<State>,
    /// Notified when the connection is lost.
    lost: Arc<Notify>,
}

#[derive(Default)]
struct State {
    connection: Option<MultiplexedConnection>,
    outage: Outage,
}

impl std::fmt::Debug for StoredRateLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredRateLimits").finish_non_exhaustive()
    }
}

impl SharedRateLimits for StoredRateLimits {
    fn charge<'a>(&'a self, limits: &'a [SharedLimit]) -> SharedCharges<'a> {
        Box::pin(async move {
            let mut connection = self.state().connection.clone()?;
            let limit = Duration::from_millis(CHARGE_MILLISECONDS_MAX);
            match tokio::time::timeout(limit, self.invoke(&mut connection, limits)).await {
                Ok(Ok(charges)) => return Some(charges),
                Ok(Err(error)) => self.fail(&error.to_string()),
                Err(_elapsed) => self.fail("it does not answer in time"),
            }
            self.lost.notify_one();
            None
        })
    }
}

impl StoredRateLimits {
    fn new(client: Client) -> StoredRateLimits {
        StoredRateLimits {
            client,
            script: Script::new(CHARGE),
            started: Instant::now(),
            state: Mutex::default(),
            lost: Arc::default(),
        }
    }

    async fn invoke(
        &self,
        connection: &mut MultiplexedConnection,
        limits: &[SharedLimit],
    ) -> Result<Vec<SharedCharge>, RedisError> {
        let mut invocation = self.script.prepare_invoke();
        for SharedLimit { key, interval, burst } in limits {
            let microseconds = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX);
            invocation.key(key).arg(microseconds).arg(*burst);
        }
        let results: Vec<(u8, u32, u64)> = invocation.invoke_async(connection).await?;
        let charge = |(is_exceeded, remaining, microseconds): (u8, u32, u64)| SharedCharge {
            is_exceeded: is_exceeded == 1,
            remaining,
            wait: Duration::from_micros(microseconds),
        };
        Ok(results.into_iter().map(charge).collect())
    }

    fn is_connected(&self) -> bool {
        self.state().connection.is_some()
    }

    /// Opens a connection. Returns false if that fails.
    async fn connect(&self) -> bool {
        let limit = Duration::from_secs(CONNECT_SECONDS_MAX);
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(limit))
            .set_response_timeout(Some(Duration::from_millis(CHARGE_MILLISECONDS_MAX)));
        match self.client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(connection) => {
                let mut state = self.state();
                state.connection = Some(connection);
                if let Some(report) = state.outage.record_success(self.started.elapsed()) {
                    tracing::info!(seconds = report.seconds, "the rate-limit store is in use again");
                }
                true
            }
            Err(error) => {
                self.fail(&error.to_string());
                false
            }
        }
    }

    /// Gives up the connection, and writes the log line of an outage.
    fn fail(&self, cause: &str) {
        let mut state = self.state();
        state.connection = None;
        if let Some(report) = state.outage.record_failure(self.started.elapsed()) {
            tracing::warn!(
                cause,
                failures = report.failures,
                "the rate-limit store cannot be used, and this server counts requests alone"
            );
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_without_a_scheme_of_the_store_is_refused_without_its_password() {
        for address in
            ["redis://:hunter2@10.0.0.5:6379/0", "redis://localhost", "unix:///run/redis/redis.sock"]
        {
            RateLimitStore::parse(address).unwrap_or_else(|error| panic!("{address}: {error}"));
        }
        for address in ["rediss://:hunter2@10.0.0.5", "http://hunter2", "10.0.0.5:6379", ""] {
            let error = RateLimitStore::parse(address).expect_err("no address");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }
}
