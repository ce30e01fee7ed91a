//! What can go wrong between a question and its answer, and what it means to the caller.

use deadpool_postgres::PoolError;
use domain::ports::ReadError;
use tokio_postgres::error::SqlState;

/// A question that got no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No connection to the database can be had now.
    #[error("no connection to the database")]
    Connection(#[source] PoolError),
    /// The database refused a query, or was lost while it ran.
    #[error("the query {question} failed")]
    Query {
        /// The question's name.
        question: &'static str,
        /// The driver's error.
        #[source]
        source: tokio_postgres::Error,
    },
    /// A row holds what the contract does not allow.
    #[error("{question}.{column} holds what it must not")]
    Inconsistent {
        /// The question's name.
        question: &'static str,
        /// The column.
        column: &'static str,
        /// What is wrong with it.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The settings of the connection are unusable.
    #[error("the database address cannot be used")]
    Settings(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub(crate) fn query(question: &'static str) -> impl FnOnce(tokio_postgres::Error) -> Error {
        move |source| Error::Query { question, source }
    }

    fn is_outage(source: &tokio_postgres::Error) -> bool {
        let Some(state) = source.code() else {
            // Without a code the failure is the driver's: the connection is gone, or the row cannot be read.
            return source.is_closed()
                || std::error::Error::source(source).is_some_and(|cause| cause.is::<std::io::Error>());
        };
        let class = &state.code()[..2];
        // A table is locked while it is migrated or restored; the lock's time is shorter than a statement's.
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
