//! The copy of rows into a temporary table.

use std::pin::Pin;

use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, Transaction};

/// Begins to copy rows into a temporary table. A row has a value for each column, in the order and with the type of the
/// table.
pub(super) async fn begin(
    transaction: &Transaction<'_>,
    table: &str,
) -> Result<Pin<Box<BinaryCopyInWriter>>, Error> {
    let described = transaction.prepare(&format!("select * from pg_temp.{table}")).await?;
    let types: Vec<Type> = described.columns().iter().map(|column| column.type_().clone()).collect();
    let copy = format!("copy pg_temp.{table} from stdin (format binary)");
    let sink = transaction.copy_in(&copy).await?;
    Ok(Box::pin(BinaryCopyInWriter::new(sink, &types)))
}
