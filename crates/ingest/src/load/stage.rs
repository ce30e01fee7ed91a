//! Staging: copies records in batches into temporary tables that live as long as the transaction.
//!
//! A staging table is created before the first statement that names it: an input fills few of the tables, and creating
//! all of them takes longer than storing a small one.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Mutex;

use passbook_records::{Located, Record};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, Row, Transaction};

use super::result::{LoadError, from_database};
use super::row::{Cell, Table};
use super::statement;
use super::table::{self, TABLES};

/// Maximum number of records of one table that wait for the next batch. It bounds the memory of a load.
const BATCH_RECORDS_MAX: usize = 2_000;
/// Number of records from which on the planner gets statistics of a staging table. Without them it expects some hundred rows.
const ANALYZED_RECORDS_MIN: u64 = 100;

/// The tables for which records were staged, as indexes in [`TABLES`].
#[derive(Debug, Default)]
pub(super) struct Staged {
    /// The tables of which rows are stored.
    pub(super) stored: Vec<usize>,
    /// The tables of which rows are deleted.
    pub(super) deleted: Vec<usize>,
}

/// A transaction that creates the staging tables which its statements name.
pub(super) struct Staging<'a> {
    pub(super) transaction: &'a Transaction<'a>,
    created: Mutex<BTreeSet<String>>,
}

type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl<'a> Staging<'a> {
    pub(super) fn new(transaction: &'a Transaction<'a>) -> Staging<'a> {
        Staging { transaction, created: Mutex::default() }
    }

    /// Creates the staging tables that a statement names and that no statement has named before.
    pub(super) async fn create(&self, statement: &str) -> Result<(), Error> {
        let mut create = String::new();
        for rest in statement.split("pg_temp.").skip(1) {
            let name =
                rest.split(|one: char| !one.is_ascii_lowercase() && one != '_').next().unwrap_or_default();
            if self.created.lock().expect("no panic while it is held").insert(name.to_owned()) {
                create += &statement::create_staging(name);
            }
        }
        if create.is_empty() { Ok(()) } else { self.transaction.batch_execute(&create).await }
    }

    pub(super) async fn query(&self, query: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, Error> {
        self.create(query).await?;
        self.transaction.query(query, parameters).await
    }

    pub(super) async fn query_one(&self, query: &str, parameters: Parameters<'_>) -> Result<Row, Error> {
        self.create(query).await?;
        self.transaction.query_one(query, parameters).await
    }

    pub(super) async fn execute(&self, statement: &str, parameters: Parameters<'_>) -> Result<u64, Error> {
        self.create(statement).await?;
        self.transaction.execute(statement, parameters).await
    }

    pub(super) async fn batch_execute(&self, statements: &str) -> Result<(), Error> {
        self.create(statements).await?;
        self.transaction.batch_execute(statements).await
    }
}

/// The records of a load on their way to the staging tables.
pub(super) struct Stage<'a> {
    staging: &'a Staging<'a>,
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
    /// Begins to stage.
    pub(super) async fn open(
        staging: &'a Staging<'a>,
        progress: Option<&'a (dyn Fn(u64) + Send + Sync)>,
    ) -> Result<Stage<'a>, LoadError> {
        // A constraint that computes a day must not depend on the time zone of the session.
        staging.batch_execute("set local time zone 'UTC'").await?;
        let batches = || TABLES.iter().map(|_| Batch::default()).collect();
        Ok(Stage { staging, progress, stored: batches(), deleted: batches(), position: 0 })
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
            let sent = self.batch(purpose, number).sent;
            if sent >= ANALYZED_RECORDS_MIN {
                let analyze = format!("analyze {}", purpose.staging_table(table::by_number(number)));
                self.staging.batch_execute(&analyze).await?;
            }
            if sent > 0 {
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

    async fn copy(&self, purpose: Purpose, table: &Table, batch: &[(u64, Located)]) -> Result<(), Error> {
        let types: Vec<Type> =
            [Type::INT8, Type::TEXT].into_iter().chain(purpose.column_types(table)).collect();
        let receive = purpose.receive(table);
        self.staging.create(&receive).await?;
        let sink = self.staging.transaction.copy_in(&receive).await?;
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
            Purpose::Store => table.columns().map(|column| column.sql_type.clone()).collect(),
            Purpose::Delete => {
                table.key.iter().chain(table.identifiers()).map(|column| column.sql_type.clone()).collect()
            }
        }
    }
}
