//! The difference between the computed transactions and the stored ones: which are stored already, and the writing of the
//! others.

use jiff::civil::Date;
use passbook_matching::Step;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Transaction};
use uuid::Uuid;

use super::stored::{Computed, Stored, Values, shown};
use super::{copy, stored};
use crate::count;
use crate::load::{LoadError, Removal, from_database, removal};

const STORED: &str = include_str!("../../sql/import_stored.sql");

/// The difference between computed and stored transactions.
#[derive(Debug, Default)]
struct Comparison {
    /// Number of stored transactions of files.
    stored: u64,
    /// For each computed row: true if its transaction is stored with the same values.
    is_unchanged: Vec<bool>,
    /// Identifiers of stored transactions that no file gives any more.
    removed: Vec<Uuid>,
}

/// Compares all transactions of a person's files.
async fn compare(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    computed: &Computed,
) -> Result<Comparison, LoadError> {
    let rows = &computed.resolution.rows;
    // Both sequences are merged in the order of identifiers. The next computed row to compare is the last one.
    let mut remaining: Vec<u32> = (0_u32..)
        .zip(&computed.transactions.all)
        .filter_map(|(index, transaction)| transaction.is_stored.then_some(index))
        .collect();
    remaining.sort_unstable_by_key(|index| std::cmp::Reverse(rows[*index as usize].id));
    let mut comparison = Comparison { is_unchanged: vec![false; rows.len()], ..Comparison::default() };
    stored::for_each(transaction, STORED, user_id, |row| {
        comparison.stored += 1;
        let id: Uuid = row.get(0);
        while remaining.pop_if(|index| rows[*index as usize].id < id).is_some() {}
        match remaining.pop_if(|index| rows[*index as usize].id == id) {
            Some(index) => {
                comparison.is_unchanged[index as usize] = is_same(stored, computed, index as usize, row);
            }
            None => comparison.removed.push(id),
        }
    })
    .await?;
    Ok(comparison)
}

/// Returns true if the computed row has all values of a stored transaction. The fee of a line has texts of its own:
/// the database compares it.
fn is_same(stored: &Stored, computed: &Computed, index: usize, row: &Row) -> bool {
    let computed_row = &computed.resolution.rows[index];
    let texts = || shown(row.get(9), row.get(10), row.get(11));
    Values::of(computed, index) == values(row)
        && computed_row.step != Step::Fee
        && stored.shown[computed_row.line as usize] == texts()
}

/// Returns the values of a stored transaction.
fn values(row: &Row) -> Values<'_> {
    Values {
        id: row.get(0),
        account: row.get(1),
        day: row.get::<_, Date>(2),
        transaction_type: row.get(3),
        category: row.get(4),
        cents: row.get(5),
        currency: row.get(6),
        is_pending: row.get(7),
        link: row.get(8),
    }
}

const CREATE: &str = include_str!("../../sql/import_create_computed.sql");
const MARK: &str = include_str!("../../sql/import_mark_removed.sql");
const REMOVE: &str = include_str!("../../sql/import_remove.sql");
const STORE: &str = include_str!("../../sql/import_store.sql");

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
    transaction.batch_execute(CREATE).await?;
    copy_changed(transaction, stored, computed, &comparison).await?;
    removal::open(transaction).await?;
    transaction.execute(MARK, &[&user_id, &comparison.removed]).await?;
    let removal = removal::preview(transaction, comparison.stored).await?;
    if removal.transactions > 0 {
        transaction.execute(REMOVE, &[]).await?;
    }
    let counts = transaction.query_one(STORE, &[&user_id]).await;
    let counts = counts.map_err(|error| from_database(error, "transactions"))?;
    let check = transaction.batch_execute("set constraints all immediate").await;
    check.map_err(|error| from_database(error, "the links between transactions"))?;
    Ok(Difference { inserted: count(&counts, 0), updated: count(&counts, 1), removal })
}

/// Copies the rows that are not stored with the same values.
async fn copy_changed(
    transaction: &Transaction<'_>,
    stored: &Stored,
    computed: &Computed,
    comparison: &Comparison,
) -> Result<(), tokio_postgres::Error> {
    let mut writer = copy::begin(transaction, "computed_transactions").await?;
    for (index, row) in computed.resolution.rows.iter().enumerate() {
        if !computed.transactions.all[index].is_stored || comparison.is_unchanged[index] {
            continue;
        }
        let (place, position) = stored.place(row.line);
        let reason = stored.meanings[row.line as usize].meaning.reason;
        let values = Values::of(computed, index);
        // The columns of `import_create_computed.sql`.
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
    writer.as_mut().finish().await?;
    Ok(())
}
