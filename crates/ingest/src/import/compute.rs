//! Computes the transactions of a person's files, and stores their difference to the stored ones.

use std::pin::pin;

use domain::category::{Category, IncomeCategory};
use domain::transaction::TransactionType;
use identity::booking::{Booking, Bookings, bookings};
use identity::{Resolution, Row, Step, resolve};
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::stored::Stored;
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

/// Stores the difference between the computed and the stored transactions of files.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    computed: &Computed,
) -> Result<Difference, LoadError> {
    transaction.batch_execute(CREATE).await.map_err(LoadError::Database)?;
    copy(transaction, stored, computed).await.map_err(LoadError::Database)?;
    transaction.batch_execute(ANALYZE).await.map_err(LoadError::Database)?;
    removal::open(transaction).await?;
    let known = removal::mark(transaction, MARK, &[&user_id]).await?;
    let removal = removal::preview(transaction, known).await?;
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

async fn copy(
    transaction: &Transaction<'_>,
    stored: &Stored,
    computed: &Computed,
) -> Result<(), tokio_postgres::Error> {
    let sink = transaction.copy_in(COPY).await?;
    let mut writer = pin!(BinaryCopyInWriter::new(sink, &TYPES));
    let rows = &computed.resolution.rows;
    for (row, booking) in rows.iter().zip(&computed.bookings.all).filter(|(_, booking)| booking.is_stored) {
        let place = &stored.places[stored.lines[row.line as usize].statement as usize];
        let position = i32::try_from(stored.position(row.line)).expect("a file has at most a million lines");
        let link = booking.link.filter(|link| computed.bookings.all[*link as usize].is_stored);
        let linked: Option<Uuid> = link.map(|link| rows[link as usize].id);
        let reason = stored.meanings[row.line as usize].meaning.reason;
        let merchant = stored.rules.action(reason).and_then(|(action, _)| action.merchant.as_deref());
        let cents = i64::try_from(row.cents.unsigned_abs()).unwrap_or(i64::MAX);
        let is_pending = matches!(row.step, Step::Pending(_));
        let values: [&(dyn ToSql + Sync); 15] = [
            &row.id,
            &computed.resolution.account(row),
            &place.file_id,
            &place.statement,
            &position,
            &row.day,
            &booking.transaction_type.as_str(),
            &booking.category.as_str(),
            &direction(row, booking),
            &cents,
            &row.currency.as_str(),
            &is_pending,
            &linked,
            &merchant,
            &(row.step == Step::Fee),
        ];
        writer.as_mut().write(&values).await?;
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
