//! Computes the transactions of a person's files, and fingerprints of their texts, which are compared without keeping the
//! texts in memory.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::civil::Date;
use passbook_matching::rules::{Facts, Reason, Rules};
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

/// Returns the fingerprint of the texts of a transaction. It is the same within one run of the program only.
pub(super) fn shown(title: &str, provider_category: Option<&str>, merchant: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (title, provider_category, merchant).hash(&mut hasher);
    hasher.finish()
}

/// Returns the fingerprint of the texts that `import_store.sql` stores for a line.
pub(super) fn shown_texts(rules: &Rules, facts: &Facts<'_>, reason: Reason) -> u64 {
    let title = [Some(facts.text), facts.party].into_iter().flatten().find_map(stated);
    let code = facts.code.filter(|code| !code.is_empty());
    let title = title.or(code).unwrap_or("No description");
    let merchant = rules.merchant(reason).or(facts.party).and_then(stated);
    shown(title, facts.category.or(facts.code), merchant)
}

/// Returns a text without spaces around it, like `btrim` and `nullif` of PostgreSQL; `None` if nothing is left.
fn stated(text: &str) -> Option<&str> {
    Some(text.trim_matches(' ')).filter(|text| !text.is_empty())
}
