//! The transaction of each row, as it is stored: type, category and link.
//!
//! Refunds are linked to purchases by the rule of `passbook_domain::refund`. The merchant is the fingerprint of its name.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::refund::Purchases;
use passbook_domain::transaction::TransactionType;
use uuid::Uuid;

use super::meaning::Meaning;
use super::resolve::Resolution;
use super::row::{MatchedRow, Step};
use super::rules::Reason;
use super::transfer::{self, EvidentSizes, Leg, Pairs, Tier};

/// Facts of a line for pairs of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct LineMeaning {
    /// The meaning by codes and rules.
    pub meaning: Meaning,
    /// Fingerprint of the merchant's name; 0 without a name.
    pub merchant: u64,
    /// Facts that few lines have.
    pub other_side: Option<Box<OtherSide>>,
}

/// The statement of a line about the other leg of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherSide {
    /// The own account that the line names as the other side.
    pub counter: Option<Uuid>,
    /// Amount before conversion.
    pub original: Option<(i64, Currency)>,
}

impl OtherSide {
    /// Returns the facts as a line has them: `None` if there are none.
    pub fn boxed(self) -> Option<Box<OtherSide>> {
        if self == OtherSide::default() { None } else { Some(Box::new(self)) }
    }
}

impl LineMeaning {
    fn other_side(&self) -> OtherSide {
        self.other_side.as_deref().copied().unwrap_or_default()
    }
}

/// The transaction of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowTransaction {
    /// The type.
    pub transaction_type: TransactionType,
    /// The category.
    pub category: Category,
    /// Index of the linked row: the other leg of a transfer, or the purchase of a refund.
    pub link: Option<u32>,
    /// The evidence of a transfer.
    pub tier: Option<Tier>,
    /// False for a row that a rule leaves out.
    pub is_stored: bool,
}

/// The transactions of all rows, and the transfers among them.
#[derive(Clone, Debug, Default)]
pub struct Transactions {
    /// One for each row.
    pub all: Vec<RowTransaction>,
    /// The rows that something marks as a leg of a transfer, and the rows with the amount of one.
    pub legs: Vec<Leg>,
    /// The pairs of legs.
    pub pairs: Pairs,
}

/// Returns the transactions of the rows. `lines` has the meaning of each line, and `is_card` returns true for accounts of
/// credit cards.
pub fn transactions(
    resolution: &Resolution,
    lines: &[LineMeaning],
    is_card: &dyn Fn(Uuid) -> bool,
) -> Transactions {
    let all = resolution.rows.iter().map(|row| transaction(row, lines[row.line as usize].meaning));
    let mut all: Vec<RowTransaction> = all.collect();
    let evident = EvidentSizes::of(legs_of(resolution, lines, &all));
    let legs: Vec<Leg> =
        legs_of(resolution, lines, &all).filter(|leg| evident.contains_any_of(leg)).collect();
    let pairs = transfer::pair(&legs);
    for pair in &pairs.pairs {
        let (out, into) = (&legs[pair.out], &legs[pair.into]);
        let out_category = Category::of_transfer_to(is_card(into.account));
        let sides = [
            (out.row, into.row, Category::Expense(out_category)),
            (into.row, out.row, Category::Income(IncomeCategory::TransferIn)),
        ];
        for (row, link, category) in sides {
            let transaction = &mut all[row as usize];
            transaction.transaction_type = TransactionType::InternalTransfer;
            (transaction.category, transaction.link, transaction.tier) =
                (category, Some(link), Some(pair.tier));
        }
    }
    link_refunds(resolution, lines, &mut all);
    Transactions { all, legs, pairs }
}

/// Returns every row that could be a leg of a transfer.
pub fn legs_of<'a>(
    resolution: &'a Resolution,
    lines: &'a [LineMeaning],
    all: &'a [RowTransaction],
) -> impl Iterator<Item = Leg> + use<'a> {
    let rows = (0_u32..).zip(resolution.rows.iter().zip(all));
    rows.filter(|(_, (row, transaction))| may_pair(row, transaction)).map(|(index, (row, _))| {
        let line = &lines[row.line as usize];
        let OtherSide { counter, original } = line.other_side();
        Leg {
            row: index,
            account: resolution.account(row),
            day: row.day,
            cents: row.cents,
            currency: row.currency,
            stated: original,
            counter,
            is_marked: line.meaning.is_marked,
        }
    })
}

/// Returns true if a row may be a leg of a transfer, a refund or a purchase.
fn may_pair(row: &MatchedRow, transaction: &RowTransaction) -> bool {
    transaction.is_stored && row.cents != 0 && !matches!(row.step, Step::Fee | Step::Pending(_))
}

/// Returns the transaction of a row without a link.
fn transaction(row: &MatchedRow, meaning: Meaning) -> RowTransaction {
    let (transaction_type, category) = match (row.step, row.cents > 0) {
        (Step::Fee, true) => (TransactionType::Income, Category::Income(IncomeCategory::Refund)),
        (Step::Fee, false) => (TransactionType::Expense, Category::Expense(ExpenseCategory::BankFees)),
        _ => (meaning.transaction_type(row.cents), meaning.category),
    };
    RowTransaction { transaction_type, category, link: None, tier: None, is_stored: !meaning.is_skipped }
}

/// Links refunds to purchases. Money received is a refund if nothing says what it is, or if it is in a category of
/// expenses. Only rows whose merchant and amount the other direction has too are compared, because most rows have none.
fn link_refunds(resolution: &Resolution, lines: &[LineMeaning], all: &mut [RowTransaction]) {
    let refund = Category::Income(IncomeCategory::Refund);
    let may_be_refund = |row: &MatchedRow, transaction: &RowTransaction| {
        let line = &lines[row.line as usize];
        let is_open = line.meaning.reason == Reason::Nothing || transaction.category == refund;
        let is_candidate = transaction.tier.is_none() && (row.cents < 0 || is_open) && line.merchant != 0;
        is_candidate && may_pair(row, transaction)
    };
    let candidates = || {
        let rows = (0_u32..).zip(resolution.rows.iter().zip(all.iter()));
        rows.filter(|(_, (row, transaction))| may_be_refund(row, transaction)).map(|(index, (row, _))| {
            let merchant = lines[row.line as usize].merchant;
            let (account, currency) = (resolution.account(row), row.currency);
            Purchase { row: index, account, day: row.day, cents: row.cents, currency, merchant }
        })
    };
    let key = |one: &Purchase| {
        let mut hasher = DefaultHasher::new();
        (one.account, one.merchant, one.cents.unsigned_abs(), one.currency).hash(&mut hasher);
        hasher.finish()
    };
    let incoming: HashSet<u64> = candidates().filter(|one| one.cents > 0).map(|one| key(&one)).collect();
    let both: HashSet<u64> = candidates()
        .filter(|one| one.cents < 0)
        .map(|one| key(&one))
        .filter(|key| incoming.contains(key))
        .collect();
    drop(incoming);
    let purchases: Vec<Purchase> = candidates().filter(|one| both.contains(&key(one))).collect();
    for (row, purchase) in refunds(&purchases) {
        let transaction = &mut all[row as usize];
        (transaction.transaction_type, transaction.category, transaction.link) =
            (TransactionType::Income, refund, Some(purchase));
    }
}

/// A row that may be a purchase or a refund. Transfers are left out.
#[derive(Clone, Debug, PartialEq)]
struct Purchase {
    row: u32,
    account: Uuid,
    day: Date,
    /// Signed hundredths: negative for a purchase.
    cents: i64,
    currency: Currency,
    /// Fingerprint of the merchant's name.
    merchant: u64,
}

/// Returns the refunds with their purchases, as indexes of rows.
fn refunds(rows: &[Purchase]) -> Vec<(u32, u32)> {
    let key = |row: &Purchase, cents: i64| (row.account, row.merchant, cents, row.currency);
    let outgoing = rows.iter().enumerate().filter(|(_, row)| row.cents < 0);
    let mut purchases = Purchases::new(outgoing.map(|(number, row)| (key(row, row.cents), row.day, number)));
    let mut incoming: Vec<&Purchase> = rows.iter().filter(|row| row.cents > 0).collect();
    incoming.sort_by_key(|row| (row.day, row.row));
    let found = |refund: &Purchase| {
        let purchase = purchases.take(&key(refund, -refund.cents), refund.day).ok()?;
        Some((refund.row, rows[purchase].row))
    };
    incoming.into_iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn row(row: u32, day: i8, cents: i64) -> Purchase {
        let day = date(2026, 1, day);
        Purchase { row, account: Uuid::nil(), day, cents, currency: Currency::EUR, merchant: 7 }
    }

    #[test]
    fn refund_links_to_its_only_purchase() {
        assert_eq!(refunds(&[row(0, 1, -500), row(1, 9, 500)]), [(1, 0)]);
        assert_eq!(refunds(&[row(0, 10, -500), row(1, 9, 500)]), []);
        assert_eq!(refunds(&[row(0, 1, -500), row(1, 2, -500), row(2, 9, 500)]), []);
        assert_eq!(refunds(&[row(0, 1, -500), row(1, 9, 500), row(2, 10, 500)]), [(1, 0)]);
        let late = Purchase { day: date(2026, 4, 2), ..row(1, 1, 500) };
        assert_eq!(refunds(&[row(0, 1, -500), late]), []);
        let other = Purchase { merchant: 8, ..row(1, 9, 500) };
        assert_eq!(refunds(&[row(0, 1, -500), other]), []);
    }

    #[test]
    fn income_that_a_rule_or_code_explains_is_no_refund() {
        let (id, day, currency, step) = (Uuid::nil(), date(2026, 1, 5), Currency::EUR, Step::Equal(0));
        let matched =
            |line, cents| MatchedRow { id, account: 0, day, cents, currency, line, step, moved_from: None };
        let (accounts, rows) = (vec![Uuid::nil()], vec![matched(0, -500), matched(1, 500)]);
        let resolution = Resolution { accounts, rows, ..Resolution::default() };
        let line = |category, reason| {
            let meaning = Meaning { category, reason, own_rule: None, is_skipped: false, is_marked: false };
            LineMeaning { meaning, merchant: 7, other_side: None }
        };
        for (reason, link) in [(Reason::Nothing, Some(0)), (Reason::BankType, None), (Reason::Rule(0), None)]
        {
            let purchase = line(Category::Expense(ExpenseCategory::Pets), Reason::Nothing);
            let income = line(Category::Income(IncomeCategory::OtherIncome), reason);
            let found = transactions(&resolution, &[purchase, income], &|_| false);
            assert_eq!(found.all[1].link, link, "{reason:?}");
        }
    }
}
