//! A query as it is executed on one connection.

use std::sync::Arc;

use deadpool_postgres::Object;
use tokio_postgres::Statement;
use tokio_postgres::types::{ToSql, Type};

use crate::connection::{BEGIN, COMMIT};
use crate::query::Query;
use crate::read::Span;

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
    ) -> Result<Vec<tokio_postgres::Row>, tokio_postgres::Error> {
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

/// Finds the parameter types of a query by preparing it in one transaction, which leaves nothing behind on the
/// connection.
pub(crate) async fn fetch_parameter_types(
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
