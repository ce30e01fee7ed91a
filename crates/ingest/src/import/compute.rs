//! Computes the transactions of a person's files, and stores their difference to the stored ones.

use std::pin::pin;

use domain::category::{Category, IncomeCategory};
use domain::transaction::TransactionType;
use identity::booking::{Booking, Bookings, bookings};
use identity::{Resolution, Row, Step, resolve};
use jiff::civil::Date;
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::stored::Stored;
use super::unchanged::{Comparison, compare};
use crate::load::removal;
use crate::load::{LoadError, Removal, from_database};

const CREATE: &str = include_str!("../../sql/import_create_bookings.sql");
const MARK: &str = include_str!("../../sql/import_mark_removed.sql");
const REMOVE: &str = include_str!("../../sql/import_remove.sql");
const STORE: &str = include_str!("../../sql/import_store.sql");

/// Collects statistics of the columns of joins only: those of the other columns cost more than the joins of a small import.
const ANALYZE: &str = "analyze pg_temp.import_bookings (transaction_id, file_id, statement, position)";

const COPY: &str = "copy pg_temp.import_bookings \
    (transaction_id, account_id, file_id, statement, position, date, type, category, direction, amount_cents, currency, \
    pending, linked_transaction_id, merchant, is_fee) from stdin (format binary)";

const TYPES: [Type; 15] = [
    Type::UUID,
    Type::UUID,
    Type::UUID,
    Type::INT4,
    Type::INT4,
    Type::DATE,
    Type::TEXT,
    Type::TEXT,
    Type::TEXT,
    Type::INT8,
    Type::TEXT,
    Type::BOOL,
    Type::UUID,
    Type::TEXT,
    Type::BOOL,
];

/// The computed transactions.
#[derive(Debug)]
pub(super) struct Computed {
    pub(super) resolution: Resolution,
    pub(super) bookings: Bookings,
}

/// Computes the transactions of a person's files.
pub(super) fn compute(user_id: Uuid, stored: &Stored) -> Computed {
    let resolution = resolve(user_id, &stored.statements, &stored.lines);
    let is_card = |account: Uuid| stored.account(account).is_some_and(|account| account.kind == "credit");
    let bookings = bookings(&resolution, &stored.meanings, &is_card);
    Computed { resolution, bookings }
}

/// The numbers of changed transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) inserted: u64,
    pub(super) updated: u64,
    pub(super) removal: Removal,
}

/// The values of a transaction, without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values<'a> {
    pub(super) id: Uuid,
    pub(super) account: Uuid,
    pub(super) day: Date,
    pub(super) transaction_type: &'a str,
    pub(super) category: &'a str,
    pub(super) direction: &'a str,
    pub(super) cents: i64,
    pub(super) currency: &'a str,
    pub(super) is_pending: bool,
    /// The linked transaction.
    pub(super) link: Option<Uuid>,
}

impl Values<'_> {
    /// Returns the values of the row with an index.
    pub(super) fn of(computed: &Computed, index: usize) -> Values<'_> {
        let (row, booking) = (&computed.resolution.rows[index], &computed.bookings.all[index]);
        let link = booking.link.filter(|link| computed.bookings.all[*link as usize].is_stored);
        Values {
            id: row.id,
            account: computed.resolution.account(row),
            day: row.day,
            transaction_type: booking.transaction_type.as_str(),
            category: booking.category.as_str(),
            direction: direction(row, booking),
            cents: i64::try_from(row.cents.unsigned_abs()).unwrap_or(i64::MAX),
            currency: row.currency.as_str(),
            is_pending: matches!(row.step, Step::Pending(_)),
            link: link.map(|link| computed.resolution.rows[link as usize].id),
        }
    }
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
    transaction.batch_execute(ANALYZE).await.map_err(LoadError::Database)?;
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
        if !computed.bookings.all[index].is_stored || comparison.is_unchanged[index] {
            continue;
        }
        let place = &stored.places[stored.lines[row.line as usize].statement as usize];
        let position = i32::try_from(stored.position(row.line)).expect("a file has at most a million lines");
        let reason = stored.meanings[row.line as usize].meaning.reason;
        let values = Values::of(computed, index);
        let columns: [&(dyn ToSql + Sync); 15] = [
            &values.id,
            &values.account,
            &place.file_id,
            &place.statement,
            &position,
            &values.day,
            &values.transaction_type,
            &values.category,
            &values.direction,
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

/// Returns the direction of a transaction. An amount of zero has the direction of its type.
fn direction(row: &Row, booking: &Booking) -> &'static str {
    match (row.cents, booking.transaction_type, booking.category) {
        (1.., ..) | (0, TransactionType::Income, _) => "in",
        (0, TransactionType::InternalTransfer, Category::Income(IncomeCategory::TransferIn)) => "in",
        _ => "out",
    }
}
