//! The values that are read when metrics are collected: connections, database pool, rate limits and signing keys.

use std::time::{SystemTime, UNIX_EPOCH};

use passbook_auth::Provider;
use passbook_auth::provider::State;
use passbook_rest::RateLimiter;
use passbook_store::Store;
use passbook_transport::Statistics;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// The parts of the server with values of their own.
pub(crate) struct Sources {
    pub(crate) store: Store,
    pub(crate) rate_limiter: RateLimiter,
    pub(crate) provider: Option<Provider>,
    pub(crate) statistics: Statistics,
    /// The time at which the server started, in seconds since 1970.
    started: u64,
}

impl Sources {
    /// Collects the parts of a server that starts now.
    #[expect(clippy::disallowed_methods, reason = "a start has a time, not a day")]
    pub(crate) fn new(
        store: Store,
        rate_limiter: RateLimiter,
        provider: Option<Provider>,
        statistics: Statistics,
    ) -> Sources {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let started = now.map_or(0, |since| since.as_secs());
        Sources { store, rate_limiter, provider, statistics, started }
    }
}

impl std::fmt::Debug for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

impl Collector for Sources {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let mut writer = Writer { encoder };
        writer.gauge("start_time_seconds", "Start of the server, in seconds since 1970", self.started)?;
        self.connections(&mut writer)?;
        self.pool(&mut writer)?;
        let users = self.rate_limiter.users_active() as u64;
        writer.gauge("users_active", "Users with a request in progress or waiting for a permit", users)?;
        writer.counter(
            "rate_limit_store_failures",
            "Requests that only this server counted, because the rate-limit store could not be used",
            self.rate_limiter.requests_unshared(),
        )?;
        self.signing_keys(&mut writer)
    }
}

impl Sources {
    fn connections(&self, writer: &mut Writer<'_>) -> Result<(), std::fmt::Error> {
        let now = self.statistics.snapshot();
        writer.gauge("connections_open", "Open connections of clients", now.open)?;
        writer.gauge("requests_in_progress", "Requests in progress", now.requests_in_progress)?;
        writer.counter("connections_accepted", "Accepted connections", now.accepted)?;
        writer.counter(
            "connections_refused",
            "Connections refused by the limit of one address",
            now.refused,
        )?;
        writer.counter(
            "connections_evicted",
            "Waiting connections closed because all places were taken",
            now.evicted,
        )?;
        writer.counter("connections_late", "Connections closed because they missed a deadline", now.late)?;
        writer.counter("accept_errors", "Failures to accept a connection", now.accept_errors)?;
        writer.counter(
            "requests_shed",
            "Requests answered with 503 because too many were in progress",
            now.requests_shed,
        )?;
        let shed = now.client_requests_shed;
        writer.counter(
            "client_requests_shed",
            "Requests answered with 429 because their client had too many in progress",
            shed,
        )
    }

    fn pool(&self, writer: &mut Writer<'_>) -> Result<(), std::fmt::Error> {
        let pool = self.store.pool_status();
        writer.gauge(
            "database_connections_max",
            "Maximum number of database connections",
            pool.connections_max as u64,
        )?;
        writer.gauge("database_connections_open", "Open database connections", pool.connections as u64)?;
        writer.gauge(
            "database_connections_idle",
            "Open database connections that no request uses",
            pool.idle as u64,
        )?;
        writer.gauge(
            "database_connections_waiting",
            "Requests that wait for a database connection",
            pool.waiting as u64,
        )
    }

    /// The cached signing keys; nothing without an identity provider.
    fn signing_keys(&self, writer: &mut Writer<'_>) -> Result<(), std::fmt::Error> {
        let Some(provider) = &self.provider else { return Ok(()) };
        let status = provider.status();
        let stale = match &status.keys {
            State::Stale { age, .. } => age.as_secs(),
            State::Fresh | State::Absent { .. } => 0,
        };
        writer.gauge(
            "signing_keys_usable",
            "Signing keys of the identity provider that can verify tokens",
            status.keys_usable as u64,
        )?;
        writer.gauge(
            "signing_keys_stale_seconds",
            "Age of the signing keys while the identity provider does not answer; otherwise 0",
            stale,
        )
    }
}

/// Writes metrics without labels.
struct Writer<'a> {
    encoder: DescriptorEncoder<'a>,
}

impl Writer<'_> {
    fn gauge(&mut self, name: &str, help: &str, value: u64) -> Result<(), std::fmt::Error> {
        let metric = self.encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        ConstGauge::new(value).encode(metric)
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) -> Result<(), std::fmt::Error> {
        let metric = self.encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        ConstCounter::new(value).encode(metric)
    }
}
