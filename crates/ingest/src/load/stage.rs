//! Staging: copies records in batches into temporary tables that live as long as the transaction.

use std::pin::pin;

use formats::Located;
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::cell::Cell;
use super::error::{LoadError, from_database};
use super::table::TABLES;
use super::{row, statement};

/// Maximum number of records of one table that wait for the next batch. It bounds the memory of a load.
const BATCH_RECORDS_MAX: usize = 2_000;

/// Indexes in [`TABLES`] of the tables for which records were staged.
pub(super) type Staged = Vec<usize>;

/// The staging tables of one load.
pub(super) struct Stage<'a> {
    transaction: &'a Transaction<'a>,
    progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    /// The records that wait for the next batch, each with its position in the input, by the index of their table.
    waiting: Vec<Vec<(u64, Located)>>,
    /// Number of records that were sent, by the index of their table.
    sent: Vec<u64>,
    position: u64,
}

impl<'a> Stage<'a> {
    /// Creates the staging tables.
    pub(super) async fn open(
        transaction: &'a Transaction<'a>,
        progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    ) -> Result<Stage<'a>, LoadError> {
        // A constraint that computes a day must not depend on the time zone of the session.
        transaction.batch_execute("set local time zone 'UTC'").await.map_err(LoadError::Database)?;
        transaction.batch_execute(&statement::create_staging()).await.map_err(LoadError::Database)?;
        let waiting = TABLES.iter().map(|_| Vec::new()).collect();
        Ok(Stage { transaction, progress, waiting, sent: vec![0; TABLES.len()], position: 0 })
    }

    /// Adds a record, and sends the batch of its table if the batch is full.
    pub(super) async fn add(&mut self, located: Located) -> Result<(), LoadError> {
        let number = row::table_number(&located.record);
        self.waiting[number].push((self.position, located));
        self.position += 1;
        if self.waiting[number].len() >= BATCH_RECORDS_MAX {
            self.send(number).await?;
        }
        Ok(())
    }

    /// Sends the remaining records and updates the planner's statistics.
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
