//! The connections: a pool with limits.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use jiff::civil::Date;
use tokio_postgres::NoTls;

use crate::error::Error;
use crate::statement::Learned;

/// Seconds a request waits for a connection that others hold.
const WAIT_SECONDS_MAX: u64 = 2;
/// Seconds that opening a connection may take.
const CONNECT_SECONDS_MAX: u64 = 3;

/// Where the database is and how much of it to use.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address, role and database.
    pub connection: tokio_postgres::Config,
    /// Connections at most.
    pub connections_max: usize,
    /// A day to take for today in every question: for tests and reproducible demonstrations.
    pub today: Option<Date>,
}

/// The database, as the server reads it.
#[derive(Clone, Debug)]
pub struct Store {
    pool: Pool,
    today: Option<Date>,
    learned: Option<Learned>,
}

impl Store {
    /// A store that connects when it is first asked, and is not examined: [`Store::connect`] does.
    pub fn new(config: Config) -> Result<Store, Error> {
        let mut connection = config.connection;
        connection.application_name("passbook-server");
        connection.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(connection, NoTls, recycling))
            .max_size(config.connections_max)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(Duration::from_secs(WAIT_SECONDS_MAX)))
            .create_timeout(Some(Duration::from_secs(CONNECT_SECONDS_MAX)))
            .build()
            .map_err(|source| Error::Settings(Box::new(source)))?;
        Ok(Store { pool, today: config.today, learned: None })
    }

    /// The same store for a pooler that gives each transaction another connection and knows nothing of prepared
    /// statements, such as `PgBouncer` before 1.21 in transaction mode: each question is sent as text, in the same one
    /// exchange, and planned anew.
    #[must_use]
    pub fn without_prepared_statements(self) -> Store {
        Store { learned: Some(Learned::default()), ..self }
    }

    /// The types of parameters learned so far; none where statements are prepared.
    pub(crate) fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    /// A connection of its own for the caller, until it is dropped.
    pub(crate) async fn connection(&self) -> Result<Object, Error> {
        self.pool.get().await.map_err(Error::Connection)
    }

    /// The day to take for today, if one is fixed.
    pub(crate) fn today(&self) -> Option<Date> {
        self.today
    }
}
