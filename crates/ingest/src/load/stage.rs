//! Staging: copies records in batches into temporary tables that live as long as the transaction.

use std::pin::pin;

use passbook_records::{Located, Record};
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::result::{LoadError, from_database};
use super::row::{Cell, Table};
use super::statement;
use super::table::{self, TABLES};

/// Maximum number of records of one table that wait for the next batch. It bounds the memory of a load.
const BATCH_RECORDS_MAX: usize = 2_000;

/// The tables for which records were staged, as indexes in [`TABLES`].
#[derive(Debug, Default)]
pub(super) struct Staged {
    /// The tables of which rows are stored.
    pub(super) stored: Vec<usize>,
    /// The tables of which rows are deleted.
    pub(super) deleted: Vec<usize>,
}

/// The staging tables of one load.
pub(super) struct Stage<'a> {
    transaction: &'a Transaction<'a>,
    progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    stored: Vec<Batch>,
    deleted: Vec<Batch>,
    position: u64,
}

/// The purpose of a staging table.
#[derive(Clone, Copy)]
enum Purpose {
    /// The staging table contains rows to store.
    Store,
    /// The staging table contains the keys of rows to delete.
    Delete,
}

/// The records of one staging table.
#[derive(Default)]
struct Batch {
    /// The records that wait, each with its position in the input.
    waiting: Vec<(u64, Located)>,
    /// Number of records that were sent.
    sent: u64,
}

impl<'a> Stage<'a> {
    /// Creates the staging tables.
    pub(super) async fn open(
        transaction: &'a Transaction<'a>,
        progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    ) -> Result<Stage<'a>, LoadError> {
        // A constraint that computes a day must not depend on the time zone of the session.
        transaction.batch_execute("set local time zone 'UTC'").await?;
        let create = statement::create_staging() + &statement::create_deletion_staging();
        transaction.batch_execute(&create).await?;
        let batches = || TABLES.iter().map(|_| Batch::default()).collect();
        Ok(Stage { transaction, progress, stored: batches(), deleted: batches(), position: 0 })
    }

    /// Adds a record, and sends the batch of its table if the batch is full.
    pub(super) async fn add(&mut self, located: Located) -> Result<(), LoadError> {
        let number = table::table_number(&located.record);
        let purpose = match located.record {
            Record::Deleted(_) => Purpose::Delete,
            _ => Purpose::Store,
        };
        let position = self.position;
        self.position += 1;
        let batch = self.batch(purpose, number);
        batch.waiting.push((position, located));
        if batch.waiting.len() >= BATCH_RECORDS_MAX {
            self.send(purpose, number).await?;
        }
        Ok(())
    }

    /// Sends the remaining records and updates the planner's statistics.
    pub(super) async fn finish(mut self) -> Result<Staged, LoadError> {
        Ok(Staged {
            stored: self.finish_purpose(Purpose::Store).await?,
            deleted: self.finish_purpose(Purpose::Delete).await?,
        })
    }

    async fn finish_purpose(&mut self, purpose: Purpose) -> Result<Vec<usize>, LoadError> {
        let mut staged = Vec::new();
        for number in 0..TABLES.len() {
            self.send(purpose, number).await?;
            if self.batch(purpose, number).sent > 0 {
                let table = table::by_number(number);
                let analyze = format!("analyze {}", purpose.staging_table(table));
                self.transaction.batch_execute(&analyze).await?;
                staged.push(number);
            }
        }
        Ok(staged)
    }

    fn batch(&mut self, purpose: Purpose, number: usize) -> &mut Batch {
        match purpose {
            Purpose::Store => &mut self.stored[number],
            Purpose::Delete => &mut self.deleted[number],
        }
    }

    async fn send(&mut self, purpose: Purpose, number: usize) -> Result<(), LoadError> {
        let waiting = std::mem::take(&mut self.batch(purpose, number).waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let table = table::by_number(number);
        self.copy(purpose, table, &waiting).await.map_err(|error| from_database(error, table.name))?;
        self.batch(purpose, number).sent += waiting.len() as u64;
        if let Some(progress) = self.progress {
            progress(self.stored.iter().chain(&self.deleted).map(|batch| batch.sent).sum());
        }
        Ok(())
    }

    async fn copy(
        &self,
        purpose: Purpose,
        table: &Table,
        batch: &[(u64, Located)],
    ) -> Result<(), tokio_postgres::Error> {
        let types: Vec<Type> =
            [Type::INT8, Type::TEXT].into_iter().chain(purpose.column_types(table)).collect();
        let sink = self.transaction.copy_in(&purpose.receive(table)).await?;
        let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
        for (position, located) in batch {
            let mut cells = table::row(&located.record).cells();
            let position = i64::try_from(*position).expect("fewer than 2^63 records");
            cells.splice(0..0, [Cell::Number(position), Cell::Text(&located.place)]);
            writer.as_mut().write_raw(cells.iter()).await?;
        }
        writer.finish().await?;
        Ok(())
    }
}

impl Purpose {
    fn staging_table(self, table: &Table) -> String {
        match self {
            Purpose::Store => format!("pg_temp.load_{}", table.name),
            Purpose::Delete => format!("pg_temp.delete_{}", table.name),
        }
    }

    fn receive(self, table: &Table) -> String {
        match self {
            Purpose::Store => statement::receive(table),
            Purpose::Delete => statement::receive_deletions(table),
        }
    }

    /// Returns the types of the columns that [`Purpose::receive`] names after position and place.
    fn column_types(self, table: &Table) -> Vec<Type> {
        match self {
            Purpose::Store => table.columns().map(|column| column.kind.wire()).collect(),
            Purpose::Delete => {
                table.key.iter().chain(table.identifiers()).map(|column| column.kind.wire()).collect()
            }
        }
    }
}
