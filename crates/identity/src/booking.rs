//! The type, category and link of each row: the rows as they are stored.

use domain::Currency;
use domain::category::{Category, ExpenseCategory, IncomeCategory};
use domain::transaction::TransactionType;
use uuid::Uuid;

use super::meaning::{Meaning, Reason};
use super::refund::{self, Purchase};
use super::resolve::{Resolution, Step};
use super::transfer::{self, Leg, Pairs, Tier};

/// Facts of a line for pairs of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineMeaning {
    /// The meaning by codes and rules.
    pub meaning: Meaning,
    /// Fingerprint of the merchant's name; 0 without a name.
    pub merchant: u64,
    /// Amount before conversion.
    pub original: Option<(i64, Currency)>,
}

/// The type, category and link of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Booking {
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

/// The bookings of all rows.
#[derive(Clone, Debug, Default)]
pub struct Bookings {
    /// One for each row.
    pub all: Vec<Booking>,
    /// The rows that may be legs of transfers.
    pub legs: Vec<Leg>,
    /// The pairs of legs.
    pub pairs: Pairs,
}

/// Returns the bookings of the rows. `lines` has the meaning of each line, and `is_card` returns true for accounts of
/// credit cards.
pub fn bookings(resolution: &Resolution, lines: &[LineMeaning], is_card: &dyn Fn(Uuid) -> bool) -> Bookings {
    let mut all: Vec<Booking> = Vec::with_capacity(resolution.rows.len());
    let mut legs = Vec::new();
    for (index, row) in (0_u32..).zip(&resolution.rows) {
        let line = &lines[row.line as usize];
        let meaning = line.meaning;
        let (transaction_type, category) = match (row.step, row.cents > 0) {
            (Step::Fee, true) => (TransactionType::Income, Category::Income(IncomeCategory::Refund)),
            (Step::Fee, false) => (TransactionType::Expense, Category::Expense(ExpenseCategory::BankFees)),
            _ => (meaning.transaction_type(row.cents), meaning.category),
        };
        let is_stored = !meaning.is_skipped;
        all.push(Booking { transaction_type, category, link: None, tier: None, is_stored });
        if is_stored && row.cents != 0 && !matches!(row.step, Step::Fee | Step::Pending(_)) {
            legs.push(Leg {
                row: index,
                account: row.account,
                day: row.day,
                cents: row.cents,
                currency: row.currency,
                stated: line.original,
                counter: meaning.counter,
                is_marked: meaning.is_marked,
            });
        }
    }
    let pairs = transfer::pair(&legs);
    for pair in &pairs.pairs {
        let (out, into) = (&legs[pair.out], &legs[pair.into]);
        let out_category = match is_card(into.account) {
            true => ExpenseCategory::CreditCardPayment,
            false => ExpenseCategory::TransferOut,
        };
        let sides = [
            (out.row, into.row, Category::Expense(out_category)),
            (into.row, out.row, Category::Income(IncomeCategory::TransferIn)),
        ];
        for (row, link, category) in sides {
            let booking = &mut all[row as usize];
            booking.transaction_type = TransactionType::InternalTransfer;
            (booking.category, booking.link, booking.tier) = (category, Some(link), Some(pair.tier));
        }
    }
    link_refunds(resolution, lines, &legs, &mut all);
    Bookings { all, legs, pairs }
}

/// Links refunds to purchases. Money received is a refund if nothing says what it is, or if it is in a category of
/// expenses.
fn link_refunds(resolution: &Resolution, lines: &[LineMeaning], legs: &[Leg], all: &mut [Booking]) {
    let refund = Category::Income(IncomeCategory::Refund);
    let may_be_refund = |leg: &Leg| {
        let line = &lines[resolution.rows[leg.row as usize].line as usize];
        let is_open = line.meaning.reason == Reason::Nothing || all[leg.row as usize].category == refund;
        all[leg.row as usize].tier.is_none() && (leg.cents < 0 || is_open) && line.merchant != 0
    };
    let purchases: Vec<Purchase> = legs
        .iter()
        .filter(|leg| may_be_refund(leg))
        .map(|leg| Purchase {
            row: leg.row,
            account: leg.account,
            day: leg.day,
            cents: leg.cents,
            currency: leg.currency,
            merchant: lines[resolution.rows[leg.row as usize].line as usize].merchant,
        })
        .collect();
    for (row, purchase) in refund::refunds(&purchases) {
        let booking = &mut all[row as usize];
        (booking.transaction_type, booking.category, booking.link) =
            (TransactionType::Income, refund, Some(purchase));
    }
}
