//! Derived data: the amounts, links and totals that the triggers of the database store beside the rows of users.
//!
//! Triggers keep derived data right for every writer, so no command has to be run after writing. These functions serve
//! an operator who disabled triggers, or who wants to be sure.

use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

/// The derived data of a user in one table that differ from the rows of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the table in the schema `passbook`.
    pub table: String,
    /// The user to whom the data belong.
    pub user_id: Uuid,
    /// Number of differing rows; at least 1.
    pub rows: i64,
}

/// Compares all derived data with the rows of users. Returns the differences, sorted by table and user.
///
/// # Errors
/// An error of the database. The role must see the rows of all users.
pub async fn check(client: &impl GenericClient) -> Result<Vec<Difference>, tokio_postgres::Error> {
    let query = "select relation, user_id, differences from passbook.check_derived()";
    let rows = client.query(query, &[]).await?;
    rows.iter()
        .map(|row| Ok(Difference { table: row.try_get(0)?, user_id: row.try_get(1)?, rows: row.try_get(2)? }))
        .collect()
}

/// Derives all data again from the rows of users. Other writers wait until the transaction ends.
///
/// # Errors
/// An error of the database. The role must see the rows of all users.
pub async fn derive(transaction: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
    // The time grows with the number of rows.
    transaction.batch_execute("set local statement_timeout = 0; select passbook.derive_all()").await
}
