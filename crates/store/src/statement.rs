//! Two ways to execute a query: as a statement that is prepared on the connection, or as text with parameter types.
//!
//! Some poolers give each transaction another connection and do not support prepared statements. Behind them each
//! query is sent as text, and PostgreSQL plans the query each time.

use std::sync::{Arc, PoisonError};

use deadpool_postgres::Object;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Row, Statement};

use crate::error::Error;
use crate::pool::Store;
use crate::query::Query;
use crate::transaction::{BEGIN, COMMIT};

/// A query that can be executed on the connection it was made for.
pub(crate) enum ExecutableQuery {
    /// Prepared on the connection.
    Prepared(Statement),
    /// SQL text with the types of the parameters.
    Text(&'static str, Arc<[Type]>),
}

impl ExecutableQuery {
    /// Executes the query. There must be a value for each parameter.
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
    /// Prepares a query on a connection. Without prepared statements, fetches the parameter types at the first use.
    pub(crate) async fn prepare(&self, connection: &Object, query: &Query) -> Result<ExecutableQuery, Error> {
        let failed = |error| Error::query(query.name)(error);
        let Some(cache) = self.parameter_types() else {
            return connection.prepare_cached(query.sql).await.map(ExecutableQuery::Prepared).map_err(failed);
        };
        let known = cache.lock().unwrap_or_else(PoisonError::into_inner).get(query.name).cloned();
        let types = match known {
            Some(types) => types,
            None => {
                let types = fetch_parameter_types(connection, query).await.map_err(failed)?;
                let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
                cache.entry(query.name).or_insert(types).clone()
            }
        };
        Ok(ExecutableQuery::Text(query.sql, types))
    }
}

/// Prepares a query in one transaction, which leaves nothing behind on the connection, and returns its parameter
/// types.
async fn fetch_parameter_types(
    connection: &Object,
    query: &Query,
) -> Result<Arc<[Type]>, tokio_postgres::Error> {
    connection.batch_execute(BEGIN).await?;
    // Another server that uses prepared statements may have left one with the name that the driver uses next.
    connection.batch_execute("deallocate all").await?;
    let prepared = connection.prepare(query.sql).await;
    let types = prepared.map(|statement| Arc::from(statement.params()));
    // The statement is dropped at this point, so its deallocation is sent before the commit.
    connection.batch_execute(COMMIT).await?;
    types
}
