//! Deletion of people with all their rows.

use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

use crate::load::LoadError;

/// The number of rows that a deletion removed from a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedRows {
    /// Name of the table in the schema `passbook`.
    pub table: String,
    /// Number of rows; at least 1.
    pub rows: i64,
}

/// Deletes a person and, by the foreign keys of the schema, every row that belongs to the person. Returns the number of
/// deleted rows of each table, sorted by table; nothing if there is no such person. Shared tables, such as exchange
/// rates, do not change.
///
/// The rows of every table are counted before and after the deletion. The transaction must therefore use one snapshot
/// (`repeatable read`), so that the rows of other sessions do not change the difference.
pub async fn delete(transaction: &Transaction<'_>, user_id: Uuid) -> Result<Vec<DeletedRows>, LoadError> {
    let before = count_rows(transaction).await?;
    let statement = "delete from passbook.users where user_id = $1";
    transaction.execute(statement, &[&user_id]).await.map_err(LoadError::Database)?;
    let after = count_rows(transaction).await?;
    let difference = before.into_iter().zip(after).map(|(before, after)| {
        debug_assert_eq!(before.table, after.table, "both counts list the tables of one snapshot");
        DeletedRows { rows: before.rows - after.rows, table: before.table }
    });
    Ok(difference.filter(|table| table.rows > 0).collect())
}

/// Returns the number of rows of every table of the schema, sorted by table. A partition is part of its table.
async fn count_rows(client: &impl GenericClient) -> Result<Vec<DeletedRows>, LoadError> {
    let tables = "select class.relname::text, format('select count(*) from passbook.%I', class.relname) \
                  from pg_catalog.pg_class as class \
                  where class.relnamespace = 'passbook'::regnamespace and class.relkind in ('r', 'p') \
                  and not class.relispartition \
                  and has_table_privilege(class.oid, 'select') \
                  order by class.relname collate \"C\"";
    let mut counts = Vec::new();
    for row in client.query(tables, &[]).await.map_err(LoadError::Database)? {
        let (table, count): (String, String) =
            (row.try_get(0).map_err(LoadError::Database)?, row.try_get(1).map_err(LoadError::Database)?);
        let counted = client.query_one(&count, &[]).await.map_err(LoadError::Database)?;
        counts.push(DeletedRows { table, rows: counted.try_get(0).map_err(LoadError::Database)? });
    }
    Ok(counts)
}
