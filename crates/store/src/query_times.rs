//! The duration of each query, as events for the log and for programs that collect metrics.
//!
//! The statements of a transaction are sent together, and PostgreSQL executes them one after the other. So the duration
//! of a query is the time between the end of the statement before and its own end.

use std::future::Future;
use std::time::{Duration, Instant};

use deadpool_postgres::PoolError;
use futures_util::FutureExt as _;
use tokio_postgres::error::SqlState;

use crate::error::Error;

/// Target of the events about queries. Each event has level `trace` and the fields `query` (the query's name), `seconds`,
/// and `error` for a query that failed: `timeout`, `unavailable` or `failed`. A failure to get a connection has the query
/// `connect` and the error `busy` or `unreachable`.
pub const QUERY_EVENTS: &str = "passbook_store::query";

/// Duration from which a query is logged as slow, in milliseconds.
pub const SLOW_QUERY_MILLISECONDS: u64 = 500;

/// The end of one statement.
pub(crate) struct End<'a> {
    query: &'static str,
    at: Instant,
    error: Option<&'a tokio_postgres::Error>,
}

impl<'a> End<'a> {
    /// Creates the end of a query from the output of [`timed`].
    pub(crate) fn new<T>(
        query: &'static str,
        (at, result): &'a (Instant, Result<T, tokio_postgres::Error>),
    ) -> End<'a> {
        End { query, at: *at, error: result.as_ref().err() }
    }
}

/// Runs a future and returns its end beside its output. Not an `async` function, which would contain `work` twice: as its
/// argument, and while it awaits it.
pub(crate) fn timed<T>(work: impl Future<Output = T>) -> impl Future<Output = (Instant, T)> {
    work.map(|output| (Instant::now(), output))
}

/// Reports statements that were sent together at `sent`, in the order in which they were sent.
pub(crate) fn report<'a>(sent: Instant, ends: impl Iterator<Item = End<'a>>) {
    let mut previous = sent;
    for End { query, at, error } in ends {
        let duration = at.saturating_duration_since(previous);
        previous = previous.max(at);
        let error = error.map(kind);
        // A statement after a failed one was not executed.
        if error == Some(NOT_EXECUTED) {
            continue;
        }
        tracing::trace!(target: QUERY_EVENTS, query, seconds = duration.as_secs_f64(), error);
        if duration >= Duration::from_millis(SLOW_QUERY_MILLISECONDS) {
            let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
            tracing::warn!(query, duration_ms, "slow query");
        }
    }
}

/// Reports a failure to get a connection.
pub(crate) fn report_connection(failure: &PoolError) {
    let error = match failure {
        PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => "busy",
        _ => "unreachable",
    };
    tracing::trace!(target: QUERY_EVENTS, query = "connect", error);
}

const NOT_EXECUTED: &str = "not executed";

fn kind(error: &tokio_postgres::Error) -> &'static str {
    match error.code() {
        Some(&SqlState::IN_FAILED_SQL_TRANSACTION) => NOT_EXECUTED,
        Some(&SqlState::QUERY_CANCELED) => "timeout",
        _ if Error::is_outage(error) => "unavailable",
        _ => "failed",
    }
}
