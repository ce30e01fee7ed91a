//! The store: its settings, and the connections that it takes from the pools of its hosts. If PostgreSQL grants fewer
//! connections than a pool may have, requests share those that exist.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use deadpool_postgres::Pool;
use jiff::civil::Date;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_postgres::types::Type;

use crate::cluster::Cluster;
use crate::connection::{CancelOnDrop, Host, OpenTransaction, WAIT_SECONDS_MAX, pool, with_network_limits};
use crate::connection_settings::ConnectionSettings;
use crate::error::{Error, is_at_limit};
use crate::last_check::LastCheck;
use crate::lifetime::{Lifetime, ObservedConnect, Upkeep};
use crate::query_times;
use crate::tls::Connector;

/// Time after which a request that waits for a returned connection tries to open one again, in milliseconds. PostgreSQL may
/// grant one meanwhile.
const RETRY_MILLISECONDS: u64 = 100;

/// Parameter types of each query, by the name of the query. They stay valid while the process runs, because queries are
/// constants.
type ParameterTypes = Arc<Mutex<HashMap<&'static str, Arc<[Type]>>>>;

/// The connection settings of a [`Store`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoreConfig {
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

impl StoreConfig {
    /// Maximum number of connections in the pool if a host sets no other.
    pub const CONNECTIONS_MAX_DEFAULT: usize = 8;
    /// Age of a connection if a host sets no other: half an hour.
    pub const CONNECTION_AGE_DEFAULT: Duration = Duration::from_secs(30 * 60);

    /// Creates settings with at most 8 connections of up to half an hour and the real day. `connection` also has the name
    /// by which PostgreSQL lists the connections (`application_name`), which is the host's.
    pub fn new(connection: ConnectionSettings) -> StoreConfig {
        StoreConfig {
            connection,
            connections_max: StoreConfig::CONNECTIONS_MAX_DEFAULT,
            connection_age: StoreConfig::CONNECTION_AGE_DEFAULT,
            today: None,
        }
    }

    /// Sets the maximum number of connections in the pool.
    #[must_use]
    pub fn with_connections_max(self, connections_max: usize) -> StoreConfig {
        StoreConfig { connections_max, ..self }
    }

    /// Sets the age at which a connection is closed after its request.
    #[must_use]
    pub fn with_connection_age(self, connection_age: Duration) -> StoreConfig {
        StoreConfig { connection_age, ..self }
    }

    /// Sets the day that all queries use as today, for tests and reproducible demonstrations.
    #[must_use]
    pub fn with_today(self, today: Date) -> StoreConfig {
        StoreConfig { today: Some(today), ..self }
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
    pub(crate) pool: Pool,
    /// The hosts, if there are several.
    pub(crate) cluster: Option<Arc<Cluster>>,
    /// One connection for the readiness check.
    check_pool: Pool,
    /// The pools of all hosts. Empty if the host of the store made the pool.
    pub(crate) upkeep: Arc<[Upkeep]>,
    /// Notified when a request returns a connection.
    returned: Arc<Notify>,
    connector: Connector,
    /// Day that all queries use as today; `None` for the real day.
    pub(crate) today: Option<Date>,
    /// Cache of parameter types; `None` if the store uses prepared statements.
    pub(crate) parameter_types: Option<ParameterTypes>,
    /// The last repetition of the start-up check.
    pub(crate) last_check: LastCheck,
    /// The open transaction of a snapshot, in which this store then reads; `None` if each read is a transaction.
    pub(crate) snapshot: Option<Arc<OpenTransaction>>,
}

impl Store {
    /// Creates a store without the start-up check and without connecting. Connections that nobody uses are not closed at
    /// their age. Hosts use [`Store::connect`] instead.
    ///
    /// # Errors
    /// [`Error::Settings`] if the pool cannot be created.
    pub fn new(config: StoreConfig) -> Result<Store, Error> {
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

    /// Takes a connection from the pool, with several hosts from that of the primary, for statements that are cancelled if
    /// their caller goes away.
    pub(crate) async fn lease(&self) -> Result<CancelOnDrop, Error> {
        match &self.cluster {
            None => self.lease_from(&self.pool).await,
            Some(cluster) => self.lease_from(&cluster.host(cluster.primary().await?).pool).await,
        }
    }

    /// Takes a connection from a pool, as [`Store::lease`] does.
    ///
    /// If PostgreSQL refuses a further connection because of a limit, waits for one that another request returns, as
    /// long as for a free connection.
    pub(crate) async fn lease_from(&self, pool: &Pool) -> Result<CancelOnDrop, Error> {
        let deadline = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
        loop {
            let error = match pool.get().await {
                Ok(connection) => return Ok(CancelOnDrop::new(connection, &self.connector, &self.returned)),
                Err(error) => error,
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if !is_at_limit(&error) || left.is_zero() {
                query_times::report_connection(&error);
                return Err(Error::Connection(error));
            }
            // Elapses if no connection is returned.
            let _ =
                timeout(left.min(Duration::from_millis(RETRY_MILLISECONDS)), self.returned.notified()).await;
        }
    }

    /// Closes the idle connections: one of them was found dead or outdated, so the others probably are, too.
    pub(crate) fn close_idle(&self) {
        match &self.cluster {
            None => drop(self.pool.retain(|_, _| false)),
            Some(cluster) => cluster.hosts().iter().for_each(|host| drop(host.pool.retain(|_, _| false))),
        }
    }

    /// Takes the connection of the readiness check, which requests do not use. If PostgreSQL refuses it because of a limit,
    /// takes one of the pool: the check must not fail while requests succeed.
    pub(crate) async fn check_lease(&self) -> Result<CancelOnDrop, Error> {
        let (check_pool, pool) = match &self.cluster {
            None => (&self.check_pool, &self.pool),
            Some(cluster) => {
                let primary = cluster.host(cluster.primary().await?);
                (&primary.check_pool, &primary.pool)
            }
        };
        match check_pool.get().await {
            Ok(connection) => Ok(CancelOnDrop::new(connection, &self.connector, &self.returned)),
            Err(error) if is_at_limit(&error) => self.lease_from(pool).await,
            Err(error) => Err(Error::Connection(error)),
        }
    }
}
