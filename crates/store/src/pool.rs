//! The store with its connection pool.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use jiff::civil::Date;
use tokio_postgres::NoTls;

use crate::error::Error;
use crate::last_check::LastCheck;
use crate::parameter_types::ParameterTypes;

/// Maximum time that a request waits for a free connection, in seconds.
const WAIT_SECONDS_MAX: u64 = 2;
/// Maximum time for opening a connection, in seconds.
const CONNECT_SECONDS_MAX: u64 = 3;

/// The connection settings of a [`Store`].
#[derive(Clone, Debug)]
pub struct Config {
    /// Address, role and database to which the store connects.
    pub connection: tokio_postgres::Config,
    /// Maximum number of connections in the pool.
    pub connections_max: usize,
    /// Day that all queries use as today, for tests and reproducible demonstrations. `None` for the real day in each
    /// user's time zone.
    pub today: Option<Date>,
}

/// Read access to a Passbook database. Cheap to clone; clones share the connection pool.
#[derive(Clone, Debug)]
pub struct Store {
    pool: Pool,
    today: Option<Date>,
    /// Cache of parameter types; `None` if the store uses prepared statements.
    parameter_types: Option<ParameterTypes>,
    last_check: LastCheck,
}

impl Store {
    /// Creates a store without the start-up check and without connecting. Hosts use [`Store::connect`] instead.
    ///
    /// # Errors
    /// [`Error::Settings`] if the pool cannot be created.
    pub fn new(config: Config) -> Result<Store, Error> {
        let mut connection = config.connection;
        connection.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(connection, NoTls, recycling))
            .max_size(config.connections_max)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(Duration::from_secs(WAIT_SECONDS_MAX)))
            .create_timeout(Some(Duration::from_secs(CONNECT_SECONDS_MAX)))
            .build()
            .map_err(|source| Error::Settings(Box::new(source)))?;
        Ok(Store { pool, today: config.today, parameter_types: None, last_check: LastCheck::default() })
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

    /// Takes a connection from the pool. Dropping the connection returns it to the pool.
    pub(crate) async fn connection(&self) -> Result<Object, Error> {
        self.pool.get().await.map_err(Error::Connection)
    }

    /// Returns the day that all queries use as today; `None` for the real day.
    pub(crate) fn today(&self) -> Option<Date> {
        self.today
    }
}
