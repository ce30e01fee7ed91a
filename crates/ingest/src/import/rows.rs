//! Reads many rows of a person in parts, so that their texts are not in memory together.

use tokio_postgres::{Row, Transaction};
use uuid::Uuid;

use crate::load::LoadError;

/// Number of rows that are read at a time. It bounds the memory of the texts.
const ROWS_AT_ONCE: i32 = 5_000;

/// Runs a query whose only parameter is the person, and calls `take` with each row, in order.
pub(super) async fn for_each(
    transaction: &Transaction<'_>,
    query: &str,
    user_id: Uuid,
    mut take: impl FnMut(&Row),
) -> Result<(), LoadError> {
    let select = transaction.prepare(query).await.map_err(LoadError::Database)?;
    let portal = transaction.bind(&select, &[&user_id]).await.map_err(LoadError::Database)?;
    loop {
        let rows = transaction.query_portal(&portal, ROWS_AT_ONCE).await.map_err(LoadError::Database)?;
        rows.iter().for_each(&mut take);
        if rows.len() < usize::try_from(ROWS_AT_ONCE).expect("a small number") {
            return Ok(());
        }
    }
}
