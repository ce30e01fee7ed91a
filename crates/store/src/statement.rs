//! The two ways in which the store executes a query: as a statement that is prepared on the connection, or as text with
//! parameter types.
//!
//! Some poolers give each transaction another connection and do not support prepared statements. Behind them each
//! query is sent as text, and PostgreSQL plans the query each time.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use deadpool_postgres::Object;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Row, Statement};

use crate::error::Error;
use crate::pool::Store;
use crate::query::Query;
use crate::query_times::{self, End};
use crate::transaction::{BEGIN, COMMIT, Span};

/// A query that is ready to be executed on one connection.
pub(crate) enum ExecutableQuery {
    /// A statement that was prepared on the connection.
    Prepared(Statement),
    /// The SQL text of the query and the types of its parameters.
    Text(&'static str, Arc<[Type]>),
}

impl ExecutableQuery {
    /// Executes the query with `values`, one for each of its parameters.
    pub(crate) async fn execute(
        &self,
        connection: &Object,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        match self {
            ExecutableQuery::Prepared(statement) => connection.query(statement, parameters).await,
            ExecutableQuery::Text(sql, types) => {
                let typed: Vec<(&(dyn ToSql + Sync), Type)> =
                    parameters.iter().copied().zip(types.iter().cloned()).collect();
                connection.query_typed(sql, &typed).await
            }
        }
    }
}

impl Store {
    /// Prepares a query on a connection. If the store does not use prepared statements, fetches the parameter types of
    /// the query at its first use.
    pub(crate) async fn prepare(
        &self,
        connection: &Object,
        query: &Query,
        span: Span,
    ) -> Result<ExecutableQuery, Error> {
        let failed = |error| Error::query(query.name)(error);
        let Some(cache) = self.parameter_types() else {
            let sent = Instant::now();
            let prepared = query_times::timed(connection.prepare_cached(query.sql)).await;
            // Nothing is executed after a failure, so no later report names it.
            if prepared.1.is_err() {
                query_times::report(sent, std::iter::once(End::new(query.name, &prepared)));
            }
            return prepared.1.map(ExecutableQuery::Prepared).map_err(failed);
        };
        let known = cache.lock().unwrap_or_else(PoisonError::into_inner).get(query.name).cloned();
        let types = match known {
            Some(types) => types,
            None => {
                let types = fetch_parameter_types(connection, query, span).await.map_err(failed)?;
                let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
                cache.entry(query.name).or_insert(types).clone()
            }
        };
        Ok(ExecutableQuery::Text(query.sql, types))
    }
}

/// Finds the parameter types of a query by preparing it in one transaction, which leaves nothing behind on the
/// connection.
async fn fetch_parameter_types(
    connection: &Object,
    query: &Query,
    span: Span,
) -> Result<Arc<[Type]>, tokio_postgres::Error> {
    span.execute(connection, BEGIN).await?;
    // Another server that uses the same pooled connection may have left a prepared statement with the name that the
    // driver uses next.
    connection.batch_execute("deallocate all").await?;
    let prepared = connection.prepare(query.sql).await;
    let types = prepared.map(|statement| Arc::from(statement.params()));
    // The statement is dropped here, so the message that removes it is sent before the commit.
    span.execute(connection, COMMIT).await?;
    types
}
