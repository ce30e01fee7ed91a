//! Errors of database queries, and their classification for callers.

use deadpool_postgres::PoolError;
use domain::ports::ReadError;
use tokio_postgres::error::SqlState;

/// The reason why a query returned no usable result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No connection to the database is available.
    #[error("no connection to the database")]
    Connection(#[source] PoolError),
    /// The database rejected a query, or the connection was lost during the query.
    #[error("the query {query} failed")]
    Query {
        /// Name of the query.
        query: &'static str,
        /// The error of the PostgreSQL driver.
        #[source]
        source: tokio_postgres::Error,
    },
    /// A column has a value that the contract does not allow.
    #[error("the column {query}.{column} breaks the contract of the schema")]
    Inconsistent {
        /// Name of the query.
        query: &'static str,
        /// Name of the column.
        column: &'static str,
        /// The rule that the value breaks.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The connection pool cannot be created with the given settings.
    #[error("the connection settings are not usable")]
    Settings(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub(crate) fn query(query: &'static str) -> impl FnOnce(tokio_postgres::Error) -> Error {
        move |source| Error::Query { query, source }
    }

    /// Returns true if the database is temporarily not available.
    fn is_outage(source: &tokio_postgres::Error) -> bool {
        let Some(state) = source.code() else {
            // An error without a code comes from the driver: the connection is closed, or a row cannot be decoded.
            return source.is_closed()
                || std::error::Error::source(source).is_some_and(|cause| cause.is::<std::io::Error>());
        };
        let class = &state.code()[..2];
        // Migrations and restores lock tables, and a waiting query then fails at the lock timeout of the role, which is
        // shorter than its statement timeout.
        class == "08"
            || class == "53"
            || matches!(
                *state,
                SqlState::ADMIN_SHUTDOWN
                    | SqlState::CRASH_SHUTDOWN
                    | SqlState::CANNOT_CONNECT_NOW
                    | SqlState::DATABASE_DROPPED
                    | SqlState::INVALID_CATALOG_NAME
                    | SqlState::LOCK_NOT_AVAILABLE
            )
    }
}

impl From<Error> for ReadError {
    fn from(error: Error) -> ReadError {
        match &error {
            Error::Connection(_) => ReadError::Unavailable(Box::new(error)),
            Error::Query { source, .. } if Error::is_outage(source) => {
                ReadError::Unavailable(Box::new(error))
            }
            Error::Query { source, .. } if source.code() == Some(&SqlState::QUERY_CANCELED) => {
                ReadError::TimedOut(Box::new(error))
            }
            Error::Query { .. } | Error::Inconsistent { .. } | Error::Settings(_) => {
                ReadError::Broken(Box::new(error))
            }
        }
    }
}
