//! Receiving: records go in batches through COPY into staging tables that live as long as the transaction.

use std::pin::pin;

use formats::Located;
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::cell::Cell;
use super::error::{LoadError, from_database};
use super::table::TABLES;
use super::{row, statement};

/// The number of records of one table that are held before they are sent. With every table's batch almost
/// full, this bounds what a load holds in memory.
const BATCH_RECORDS_MAX: usize = 2_000;

/// The tables that records were staged for, by their number in [`TABLES`].
pub(super) type Staged = Vec<usize>;

/// The receiving end of a load.
pub(super) struct Stage<'a> {
    transaction: &'a Transaction<'a>,
    progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    /// By number of the table: its records that wait to be sent, each with its position in the input.
    waiting: Vec<Vec<(u64, Located)>>,
    /// By number of the table: how many were sent.
    sent: Vec<u64>,
    position: u64,
}

impl<'a> Stage<'a> {
    /// Makes the staging tables.
    pub(super) async fn open(
        transaction: &'a Transaction<'a>,
        progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    ) -> Result<Stage<'a>, LoadError> {
        // A day counted by a constraint must not depend on the session's zone.
        transaction.batch_execute("set local time zone 'UTC'").await.map_err(LoadError::Database)?;
        transaction.batch_execute(&statement::create_staging()).await.map_err(LoadError::Database)?;
        let waiting = TABLES.iter().map(|_| Vec::new()).collect();
        Ok(Stage { transaction, progress, waiting, sent: vec![0; TABLES.len()], position: 0 })
    }

    /// Takes a record, and sends its table's batch when that is full.
    pub(super) async fn add(&mut self, located: Located) -> Result<(), LoadError> {
        let number = row::table_number(&located.record);
        self.waiting[number].push((self.position, located));
        self.position += 1;
        if self.waiting[number].len() >= BATCH_RECORDS_MAX {
            self.send(number).await?;
        }
        Ok(())
    }

    /// Sends what is left and tells the planner about the sizes.
    pub(super) async fn finish(mut self) -> Result<Staged, LoadError> {
        let mut staged = Staged::new();
        for number in 0..TABLES.len() {
            self.send(number).await?;
            if self.sent[number] > 0 {
                let analyze = format!("analyze pg_temp.load_{}", row::table(number).name);
                self.transaction.batch_execute(&analyze).await.map_err(LoadError::Database)?;
                staged.push(number);
            }
        }
        Ok(staged)
    }

    async fn send(&mut self, number: usize) -> Result<(), LoadError> {
        let batch = std::mem::take(&mut self.waiting[number]);
        if batch.is_empty() {
            return Ok(());
        }
        let table = row::table(number);
        self.copy(number, &batch).await.map_err(|error| from_database(error, table.name))?;
        self.sent[number] += batch.len() as u64;
        if let Some(progress) = self.progress {
            progress(self.sent.iter().sum());
        }
        Ok(())
    }

    async fn copy(&self, number: usize, batch: &[(u64, Located)]) -> Result<(), tokio_postgres::Error> {
        let table = row::table(number);
        let types: Vec<Type> = [Type::INT8, Type::TEXT]
            .into_iter()
            .chain(table.columns().map(|column| column.kind.wire()))
            .collect();
        let sink = self.transaction.copy_in(&statement::receive(table)).await?;
        let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
        for (position, located) in batch {
            let mut cells = row::row(&located.record).cells();
            let position = i64::try_from(*position).expect("fewer than 2^63 records");
            cells.splice(0..0, [Cell::Number(position), Cell::Text(&located.place)]);
            writer.as_mut().write_raw(cells.iter()).await?;
        }
        writer.finish().await?;
        Ok(())
    }
}
