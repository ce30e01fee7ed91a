//! The store with its connection pool.

use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use jiff::civil::Date;
use tokio::sync::Notify;

use crate::cluster::{Cluster, Host};
use crate::connection_settings::ConnectionSettings;
use crate::error::Error;
use crate::last_check::LastCheck;
use crate::lifetime::Lifetime;
use crate::observed_connect::{CONNECT_SECONDS_MAX, ObservedConnect};
use crate::open_transaction::OpenTransaction;
use crate::parameter_types::ParameterTypes;
use crate::tls::Connector;
use crate::upkeep::Upkeep;

/// Maximum time that a request waits for a free connection, in seconds.
pub(crate) const WAIT_SECONDS_MAX: u64 = 2;
/// Time after which a connection ends if the database's machine does not acknowledge sent data, in seconds. PostgreSQL's
/// work does not count: its machine acknowledges a statement before PostgreSQL runs it.
const UNACKNOWLEDGED_SECONDS_MAX: u64 = 5;
/// Time without traffic after which the system probes a connection, in seconds. The default of the library is 2 hours.
const KEEPALIVE_IDLE_SECONDS: u64 = 30;
/// Time between two such probes, in seconds.
const KEEPALIVE_INTERVAL_SECONDS: u64 = 5;
/// Number of such probes without a response after which a connection ends.
const KEEPALIVE_PROBES: u32 = 3;

/// The connection settings of a [`Store`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Address, role, database and TLS of the store's connections. Parsed from a URL, or converted from settings of the
    /// driver.
    pub connection: ConnectionSettings,
    /// Maximum number of connections for requests, to each host. The readiness check has one more; with several hosts, the
    /// search for the primary has another one.
    pub connections_max: usize,
    /// Age at which a connection is closed after its request. A random part of up to an eighth is subtracted, so that
    /// connections that were opened together end apart.
    pub connection_age: Duration,
    /// Day that all queries use as today, for tests and reproducible demonstrations. `None` for the real day in each
    /// user's time zone.
    pub today: Option<Date>,
}

impl Config {
    /// Maximum number of connections in the pool if a host sets no other.
    pub const CONNECTIONS_MAX_DEFAULT: usize = 8;
    /// Age of a connection if a host sets no other: half an hour.
    pub const CONNECTION_AGE_DEFAULT: Duration = Duration::from_secs(30 * 60);

    /// Creates settings with at most 8 connections of up to half an hour and the real day. `connection` also has the name
    /// by which PostgreSQL lists the connections (`application_name`), which is the host's.
    pub fn new(connection: ConnectionSettings) -> Config {
        Config {
            connection,
            connections_max: Config::CONNECTIONS_MAX_DEFAULT,
            connection_age: Config::CONNECTION_AGE_DEFAULT,
            today: None,
        }
    }

    /// Sets the maximum number of connections in the pool.
    #[must_use]
    pub fn with_connections_max(self, connections_max: usize) -> Config {
        Config { connections_max, ..self }
    }

    /// Sets the age at which a connection is closed after its request.
    #[must_use]
    pub fn with_connection_age(self, connection_age: Duration) -> Config {
        Config { connection_age, ..self }
    }

    /// Sets the day that all queries use as today, for tests and reproducible demonstrations.
    #[must_use]
    pub fn with_today(self, today: Date) -> Config {
        Config { today: Some(today), ..self }
    }
}

/// The state of the connection pool at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatus {
    /// Maximum number of connections.
    pub connections_max: usize,
    /// Number of open connections.
    pub connections: usize,
    /// Number of open connections that no request uses.
    pub idle: usize,
    /// Number of requests that wait for a connection.
    pub waiting: usize,
}

/// Read access to a Passbook database. Cheap to clone; clones share the connection pool.
#[derive(Clone, Debug)]
pub struct Store {
    /// The connections of requests; with several hosts those of the first.
    pool: Pool,
    /// The hosts, if there are several.
    cluster: Option<Arc<Cluster>>,
    /// One connection for the readiness check.
    check_pool: Pool,
    /// The pools of all hosts. Empty if the host of the store made the pool.
    upkeep: Arc<[Upkeep]>,
    /// Notified when a request returns a connection.
    returned: Arc<Notify>,
    connector: Connector,
    today: Option<Date>,
    /// Cache of parameter types; `None` if the store uses prepared statements.
    parameter_types: Option<ParameterTypes>,
    last_check: LastCheck,
    /// The open transaction of a snapshot, in which this store then reads; `None` if each read is a transaction.
    snapshot: Option<Arc<OpenTransaction>>,
}

impl Store {
    /// Creates a store without the start-up check and without connecting. Connections that nobody uses are not closed at
    /// their age. Hosts use [`Store::connect`] instead.
    ///
    /// # Errors
    /// [`Error::Settings`] if the pool cannot be created.
    pub fn new(config: Config) -> Result<Store, Error> {
        let connector = config.connection.connector().clone();
        // Several hosts are looked at often, to find the primary. A slow readiness check must not delay a look.
        let check_connections_max = if config.connection.hosts().len() > 1 { 2 } else { 1 };
        let mut upkeep = Vec::new();
        let open = |settings: tokio_postgres::Config| -> Result<Host, Error> {
            let settings = with_network_limits(settings);
            let lifetime = Arc::new(Lifetime::new(config.connection_age));
            let check_pool = pool(settings.clone(), &connector, check_connections_max, &lifetime)?;
            let pool = pool(settings.clone(), &connector, config.connections_max, &lifetime)?;
            upkeep.push(Upkeep {
                pools: [pool.weak(), check_pool.weak()],
                connect: ObservedConnect::new(connector.clone(), lifetime.clone()),
                lifetime,
                config: settings,
            });
            Ok(Host { pool, check_pool })
        };
        let mut hosts =
            config.connection.hosts().into_iter().map(open).collect::<Result<Vec<Host>, Error>>()?;
        let (pool, check_pool) = (hosts[0].pool.clone(), hosts[0].check_pool.clone());
        let standby_lag_max = config.connection.standby_lag_max();
        let cluster = (hosts.len() > 1)
            .then(|| Arc::new(Cluster::new(std::mem::take(&mut hosts), connector.clone(), standby_lag_max)));
        Ok(Store {
            check_pool,
            upkeep: upkeep.into(),
            cluster,
            today: config.today,
            ..Store::from_pool(pool, connector.clone())
        })
    }

    /// Creates a store over a pool of the host, without the start-up check. `connector` opens the connections on which
    /// statements are cancelled: [`ConnectionSettings::connector`] of the settings with which the pool connects. The
    /// readiness check uses a connection of the pool.
    ///
    /// A pool that hands out the connection returned last (`QueueMode::Lifo`) lets the slow queries of one user, which follow
    /// each other, disturb others least.
    #[must_use]
    pub fn from_pool(pool: Pool, connector: Connector) -> Store {
        Store {
            check_pool: pool.clone(),
            pool,
            upkeep: Arc::default(),
            cluster: None,
            returned: Arc::default(),
            connector,
            today: None,
            parameter_types: None,
            last_check: LastCheck::default(),
            snapshot: None,
        }
    }

    /// Sends each query as text instead of preparing statements, in the same single round trip. PostgreSQL then plans
    /// each query every time.
    ///
    /// Needed behind a pooler that gives each transaction another connection and does not support prepared statements,
    /// such as `PgBouncer` before 1.21 in transaction mode.
    #[must_use]
    pub fn without_prepared_statements(self) -> Store {
        Store { parameter_types: Some(ParameterTypes::default()), ..self }
    }

    /// Returns the cache of parameter types; `None` if the store uses prepared statements.
    pub(crate) fn parameter_types(&self) -> Option<&ParameterTypes> {
        self.parameter_types.as_ref()
    }

    /// Returns the last repetition of the start-up check.
    pub(crate) fn last_check(&self) -> &LastCheck {
        &self.last_check
    }

    /// Returns the hosts; `None` if there is only one.
    pub(crate) fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.cluster.as_ref()
    }

    /// Returns the pools whose connections are closed when their time is over.
    pub(crate) fn upkeep(&self) -> &Arc<[Upkeep]> {
        &self.upkeep
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Returns the pool of the readiness check.
    pub(crate) fn check_pool(&self) -> &Pool {
        &self.check_pool
    }

    pub(crate) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Returns the notification that a request has returned a connection.
    pub(crate) fn returned(&self) -> &Arc<Notify> {
        &self.returned
    }

    /// Returns the state of the connection pool; with several hosts the sums over their pools.
    pub fn pool_status(&self) -> PoolStatus {
        let pools: Vec<&Pool> = match &self.cluster {
            None => vec![&self.pool],
            Some(cluster) => cluster.hosts().iter().map(|host| &host.pool).collect(),
        };
        let mut sums = PoolStatus { connections_max: 0, connections: 0, idle: 0, waiting: 0 };
        for status in pools.into_iter().map(Pool::status) {
            sums.connections_max += status.max_size;
            sums.connections += status.size;
            sums.idle += status.available;
            sums.waiting += status.waiting;
        }
        sums
    }

    /// Returns a store that reads in an open transaction.
    pub(crate) fn in_snapshot(&self, transaction: OpenTransaction) -> Store {
        Store { snapshot: Some(Arc::new(transaction)), ..self.clone() }
    }

    /// Returns the open transaction of a snapshot; `None` if each read is a transaction.
    pub(crate) fn open_transaction(&self) -> Option<&OpenTransaction> {
        self.snapshot.as_deref()
    }

    /// Returns the day that all queries use as today; `None` for the real day.
    pub(crate) fn today(&self) -> Option<Date> {
        self.today
    }
}

fn pool(
    connection: tokio_postgres::Config,
    connector: &Connector,
    connections_max: usize,
    lifetime: &Arc<Lifetime>,
) -> Result<Pool, Error> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let connect = ObservedConnect::new(connector.clone(), lifetime.clone());
    let lifetime = lifetime.clone();
    let is_usable =
        Hook::sync_fn(move |_, metrics| match lifetime.has_ended(metrics.created, Instant::now()) {
            false => Ok(()),
            true => Err(HookError::message("the connection is too old, or its host is stopping")),
        });
    Pool::builder(Manager::from_connect(connection, connect, recycling))
        .pre_recycle(is_usable)
        .max_size(connections_max)
        // The slow queries of one user, which follow each other, then run in one process of PostgreSQL. The system's
        // scheduler lets a process that was idle for long run before others; a process that computes all the time yields.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(Duration::from_secs(WAIT_SECONDS_MAX)))
        .create_timeout(Some(Duration::from_secs(CONNECT_SECONDS_MAX)))
        .build()
        .map_err(|source| Error::Settings(Box::new(source)))
}

/// Adds the limits by which a connection to a machine that has disappeared ends. Limits that `connection` sets already are
/// unchanged. They have no effect on Unix sockets.
fn with_network_limits(mut connection: tokio_postgres::Config) -> tokio_postgres::Config {
    let unset = tokio_postgres::Config::new();
    connection.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
    if connection.get_tcp_user_timeout().is_none() {
        connection.tcp_user_timeout(Duration::from_secs(UNACKNOWLEDGED_SECONDS_MAX));
    }
    if connection.get_keepalives_idle() == unset.get_keepalives_idle() {
        connection.keepalives_idle(Duration::from_secs(KEEPALIVE_IDLE_SECONDS));
    }
    if connection.get_keepalives_interval().is_none() {
        connection.keepalives_interval(Duration::from_secs(KEEPALIVE_INTERVAL_SECONDS));
    }
    if connection.get_keepalives_retries().is_none() {
        connection.keepalives_retries(KEEPALIVE_PROBES);
    }
    connection
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(url: &str) -> [Option<u64>; 4] {
        let config = with_network_limits(url.parse().expect("a URL"));
        let seconds = |limit: Option<&Duration>| limit.map(Duration::as_secs);
        let idle = config.get_keepalives_idle();
        let interval = config.get_keepalives_interval();
        let probes = config.get_keepalives_retries().map(u64::from);
        [
            seconds(config.get_tcp_user_timeout()),
            Some(idle.as_secs()),
            interval.map(|limit| limit.as_secs()),
            probes,
        ]
    }

    #[test]
    fn connection_to_a_lost_machine_ends_within_the_limits() {
        assert_eq!(limits("postgresql://reader@db/money"), [Some(5), Some(30), Some(5), Some(3)]);
    }

    #[test]
    fn limits_in_the_database_url_take_precedence() {
        let url = "postgresql://reader@db/money?tcp_user_timeout=9&keepalives_idle=8&keepalives_interval=7&keepalives_retries=6";
        assert_eq!(limits(url), [Some(9), Some(8), Some(7), Some(6)]);
    }
}
