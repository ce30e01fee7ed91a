//! How a question is sent: as a statement that its connection has prepared, or as text with the types of its parameters.
//!
//! A pooler that gives each transaction another connection to PostgreSQL, and knows nothing of prepared statements, loses
//! them between two requests. Then a question is text each time, and PostgreSQL plans it each time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use deadpool_postgres::Object;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Row, Statement};

use crate::error::Error;
use crate::pool::Store;
use crate::question::Question;
use crate::session::{BEGIN, COMMIT};

/// The parameter types of the questions asked so far, by name. Like the questions they never change while we run.
pub(crate) type Learned = Arc<Mutex<HashMap<&'static str, Arc<[Type]>>>>;

/// A question that can be asked on its connection.
pub(crate) enum Ready {
    /// Prepared there, under a name.
    Prepared(Statement),
    /// To be sent as it is, with the types of its parameters.
    Text(&'static str, Arc<[Type]>),
}

impl Ready {
    /// Asks with parameters, as many as the question has.
    pub(crate) async fn ask(
        &self,
        connection: &Object,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        match self {
            Ready::Prepared(statement) => connection.query(statement, parameters).await,
            Ready::Text(sql, types) => {
                let typed: Vec<(&(dyn ToSql + Sync), Type)> =
                    parameters.iter().copied().zip(types.iter().cloned()).collect();
                connection.query_typed(sql, &typed).await
            }
        }
    }
}

impl Store {
    /// Makes a question ready on a connection. Where statements are not prepared, its types are learned the first time,
    /// within one transaction, at whose end nothing is left behind.
    pub(crate) async fn ready(&self, connection: &Object, question: &Question) -> Result<Ready, Error> {
        let prepares = |error| Error::query(question.name)(error);
        let Some(learned) = self.learned() else {
            return connection.prepare_cached(question.sql).await.map(Ready::Prepared).map_err(prepares);
        };
        let known = learned.lock().unwrap_or_else(PoisonError::into_inner).get(question.name).cloned();
        let types = match known {
            Some(types) => types,
            None => {
                let types = learn(connection, question).await.map_err(prepares)?;
                let mut learned = learned.lock().unwrap_or_else(PoisonError::into_inner);
                learned.entry(question.name).or_insert(types).clone()
            }
        };
        Ok(Ready::Text(question.sql, types))
    }
}

async fn learn(connection: &Object, question: &Question) -> Result<Arc<[Type]>, tokio_postgres::Error> {
    connection.batch_execute(BEGIN).await?;
    // What a server left behind that did prepare statements could have the name of ours.
    connection.batch_execute("deallocate all").await?;
    let prepared = connection.prepare(question.sql).await;
    let types = prepared.map(|statement| Arc::from(statement.params()));
    // The statement has been dropped, so its end is sent before that of the transaction.
    connection.batch_execute(COMMIT).await?;
    types
}
