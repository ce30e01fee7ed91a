//! Errors of database queries, and their classification for callers.

use deadpool_postgres::{PoolError, TimeoutType};
use passbook_domain::ports::ReadError;
use tokio_postgres::error::SqlState;

/// The reason why a query returned no usable result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    /// A query that always has a row returned none.
    #[error("the query {query} returned no row")]
    NoRow {
        /// Name of the query.
        query: &'static str,
    },
    /// The person chose another preferred currency between two readings of one request.
    #[error("the preferred currency has changed meanwhile; try again")]
    CurrencyChanged,
    /// No host of the settings is a primary that answers.
    #[error("none of the hosts is a primary that answers; start one, or promote a standby")]
    NoPrimary,
    /// A snapshot has ended, because an earlier query in it failed.
    #[error("the snapshot has ended because a query in it failed; open another snapshot")]
    SnapshotEnded,
    /// The connection pool cannot be created with the given settings.
    #[error("the connection settings are not usable")]
    Settings(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub(crate) fn query(query: &'static str) -> impl FnOnce(tokio_postgres::Error) -> Error {
        move |source| Error::Query { query, source }
    }

    /// Returns true if the connection ended before the statement had a result: PostgreSQL was stopped, or had ended the
    /// session while it was idle.
    pub(crate) fn is_lost(&self) -> bool {
        let Error::Query { source, .. } = self else { return false };
        match source.code() {
            Some(state) => matches!(
                *state,
                SqlState::ADMIN_SHUTDOWN
                    | SqlState::CRASH_SHUTDOWN
                    | SqlState::IDLE_SESSION_TIMEOUT
                    | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            ),
            None => Error::is_closed(source),
        }
    }

    /// Returns true if a migration has changed the result of a statement that the connection had prepared before. The
    /// message of PostgreSQL may be translated, so the error is known by the function that reports it.
    pub(crate) fn is_outdated_plan(&self) -> bool {
        let Error::Query { source, .. } = self else { return false };
        source.as_db_error().is_some_and(|error| {
            *error.code() == SqlState::FEATURE_NOT_SUPPORTED
                && error.routine() == Some("RevalidateCachedQuery")
        })
    }

    /// Returns true if the role lacks a right, or the schema lacks an object: the start-up check would find a problem.
    pub(crate) fn is_missing_right_or_object(&self) -> bool {
        let Error::Query { source, .. } = self else { return false };
        source.code().is_some_and(|state| {
            matches!(
                *state,
                SqlState::INSUFFICIENT_PRIVILEGE
                    | SqlState::INVALID_SCHEMA_NAME
                    | SqlState::UNDEFINED_FUNCTION
                    | SqlState::UNDEFINED_TABLE
                    | SqlState::UNDEFINED_COLUMN
            )
        })
    }

    /// Returns true if the database answers, but has no free connection or no time for the statement.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Error::Connection(error) => {
                matches!(error, PoolError::Timeout(TimeoutType::Wait)) || is_at_limit(error)
            }
            Error::Query { source, .. } => source.code().is_some_and(|state| {
                state.code().starts_with("53")
                    || matches!(*state, SqlState::LOCK_NOT_AVAILABLE | SqlState::QUERY_CANCELED)
            }),
            Error::CurrencyChanged
            | Error::NoPrimary
            | Error::SnapshotEnded
            | Error::Inconsistent { .. }
            | Error::NoRow { .. }
            | Error::Settings(_) => false,
        }
    }

    /// Returns true if the statement exceeded its time limit, or was cancelled.
    pub(crate) fn is_statement_timeout(&self) -> bool {
        matches!(self, Error::Query { source, .. } if source.code() == Some(&SqlState::QUERY_CANCELED))
    }

    /// Returns true if the driver reports that the connection is closed.
    fn is_closed(source: &tokio_postgres::Error) -> bool {
        source.is_closed()
            || std::error::Error::source(source).is_some_and(|cause| cause.is::<std::io::Error>())
    }

    /// Returns true if the database is temporarily not available.
    pub(crate) fn is_outage(source: &tokio_postgres::Error) -> bool {
        let Some(state) = source.code() else {
            // An error without a code comes from the driver: the connection is closed, or a row cannot be decoded.
            return Error::is_closed(source);
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
            Error::Connection(_) | Error::CurrencyChanged | Error::NoPrimary | Error::SnapshotEnded => {
                ReadError::Unavailable(Box::new(error))
            }
            Error::Query { source, .. } if Error::is_outage(source) => {
                ReadError::Unavailable(Box::new(error))
            }
            // The database is being restored, or the operator must repair it. It is no defect of this program.
            Error::Query { .. } if error.is_missing_right_or_object() => {
                ReadError::Unavailable(Box::new(error))
            }
            Error::Query { .. } if error.is_statement_timeout() => ReadError::TimedOut(Box::new(error)),
            Error::Query { .. } | Error::Inconsistent { .. } | Error::NoRow { .. } | Error::Settings(_) => {
                ReadError::Broken(Box::new(error))
            }
        }
    }
}

/// Returns true if PostgreSQL has reached a limit of connections: of the server, the role or the database.
pub(crate) fn is_at_limit(error: &PoolError) -> bool {
    matches!(error, PoolError::Backend(error) if error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS))
}
