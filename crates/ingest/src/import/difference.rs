//! Stores the difference between the computed and the stored transactions of files.

use std::pin::pin;

use passbook_matching::Step;
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::computed::{Computed, Values};
use super::stored::Stored;
use super::unchanged::{Comparison, compare};
use crate::load::removal;
use crate::load::{LoadError, Removal, from_database};

const CREATE: &str = include_str!("../../sql/import_create_computed.sql");
const MARK: &str = include_str!("../../sql/import_mark_removed.sql");
const REMOVE: &str = include_str!("../../sql/import_remove.sql");
const STORE: &str = include_str!("../../sql/import_store.sql");

const COPY: &str = "copy pg_temp.computed_transactions \
    (transaction_id, account_id, file_id, statement, position, date, type, category, amount_cents, currency, \
    pending, linked_transaction_id, merchant, is_fee) from stdin (format binary)";

const TYPES: [Type; 14] = [
    Type::UUID,
    Type::UUID,
    Type::UUID,
    Type::INT4,
    Type::INT4,
    Type::DATE,
    Type::TEXT,
    Type::TEXT,
    Type::INT8,
    Type::TEXT,
    Type::BOOL,
    Type::UUID,
    Type::TEXT,
    Type::BOOL,
];

/// The numbers of changed transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) inserted: u64,
    pub(super) updated: u64,
    pub(super) removal: Removal,
}

/// Stores the difference between the computed and the stored transactions of files.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    computed: &Computed,
) -> Result<Difference, LoadError> {
    let comparison = compare(transaction, user_id, stored, computed).await?;
    transaction.batch_execute(CREATE).await.map_err(LoadError::Database)?;
    copy(transaction, stored, computed, &comparison).await.map_err(LoadError::Database)?;
    removal::open(transaction).await?;
    transaction.execute(MARK, &[&user_id, &comparison.removed]).await.map_err(LoadError::Database)?;
    let removal = removal::preview(transaction, comparison.stored).await?;
    if removal.transactions > 0 {
        transaction.execute(REMOVE, &[]).await.map_err(LoadError::Database)?;
    }
    let counts = transaction.query_one(STORE, &[&user_id]).await;
    let counts = counts.map_err(|error| from_database(error, "transactions"))?;
    let check = transaction.batch_execute("set constraints all immediate").await;
    check.map_err(|error| from_database(error, "the links between transactions"))?;
    let count =
        |column: usize| u64::try_from(counts.get::<_, i64>(column)).expect("a count is never negative");
    Ok(Difference { inserted: count(0), updated: count(1), removal })
}

/// Copies the rows that are not stored with the same values.
async fn copy(
    transaction: &Transaction<'_>,
    stored: &Stored,
    computed: &Computed,
    comparison: &Comparison,
) -> Result<(), tokio_postgres::Error> {
    let sink = transaction.copy_in(COPY).await?;
    let mut writer = pin!(BinaryCopyInWriter::new(sink, &TYPES));
    for (index, row) in computed.resolution.rows.iter().enumerate() {
        if !computed.transactions.all[index].is_stored || comparison.is_unchanged[index] {
            continue;
        }
        let place = &stored.places[stored.lines[row.line as usize].statement as usize];
        let position = i32::try_from(stored.position(row.line)).expect("a file has at most a million lines");
        let reason = stored.meanings[row.line as usize].meaning.reason;
        let values = Values::of(computed, index);
        let columns: [&(dyn ToSql + Sync); 14] = [
            &values.id,
            &values.account,
            &place.file_id,
            &place.statement,
            &position,
            &values.day,
            &values.transaction_type,
            &values.category,
            &values.cents,
            &values.currency,
            &values.is_pending,
            &values.link,
            &stored.rules.merchant(reason),
            &(row.step == Step::Fee),
        ];
        writer.as_mut().write(&columns).await?;
    }
    writer.finish().await?;
    Ok(())
}
