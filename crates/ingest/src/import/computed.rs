//! Computes the transactions of a person's files.

use jiff::civil::Date;
use passbook_matching::transaction::{Transactions, transactions};
use passbook_matching::{Resolution, Step, resolve};
use uuid::Uuid;

use super::stored::Stored;

/// The computed transactions.
#[derive(Debug)]
pub(super) struct Computed {
    pub(super) resolution: Resolution,
    pub(super) transactions: Transactions,
}

/// Computes the transactions of a person's files.
pub(super) fn compute(user_id: Uuid, stored: &Stored) -> Computed {
    let resolution = resolve(user_id, &stored.statements, &stored.lines);
    let is_card = |account: Uuid| stored.account(account).is_some_and(|account| account.kind == "credit");
    let transactions = transactions(&resolution, &stored.meanings, &is_card);
    Computed { resolution, transactions }
}

/// The values of a transaction, without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values<'a> {
    pub(super) id: Uuid,
    pub(super) account: Uuid,
    pub(super) day: Date,
    pub(super) transaction_type: &'a str,
    pub(super) category: &'a str,
    pub(super) cents: i64,
    pub(super) currency: &'a str,
    pub(super) is_pending: bool,
    /// The linked transaction.
    pub(super) link: Option<Uuid>,
}

impl Values<'_> {
    /// Returns the values of the row with an index.
    pub(super) fn of(computed: &Computed, index: usize) -> Values<'_> {
        let (row, transaction) = (&computed.resolution.rows[index], &computed.transactions.all[index]);
        let link = transaction.link.filter(|link| computed.transactions.all[*link as usize].is_stored);
        Values {
            id: row.id,
            account: computed.resolution.account(row),
            day: row.day,
            transaction_type: transaction.transaction_type.as_str(),
            category: transaction.category.as_str(),
            cents: i64::try_from(row.cents.unsigned_abs()).unwrap_or(i64::MAX),
            currency: row.currency.as_str(),
            is_pending: matches!(row.step, Step::Pending(_)),
            link: link.map(|link| computed.resolution.rows[link as usize].id),
        }
    }
}
