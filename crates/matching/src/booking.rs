//! The type, category and link of each row: the rows as they are stored.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use passbook_domain::Currency;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::TransactionType;
use uuid::Uuid;

use super::meaning::{Meaning, Reason};
use super::refund::{self, Purchase};
use super::resolve::{Resolution, Row, Step};
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
    /// The rows that something marks as a leg of a transfer, and the rows with the amount of one.
    pub legs: Vec<Leg>,
    /// The pairs of legs.
    pub pairs: Pairs,
}

/// Returns the bookings of the rows. `lines` has the meaning of each line, and `is_card` returns true for accounts of
/// credit cards.
pub fn bookings(resolution: &Resolution, lines: &[LineMeaning], is_card: &dyn Fn(Uuid) -> bool) -> Bookings {
    let all = resolution.rows.iter().map(|row| booking(row, lines[row.line as usize].meaning));
    let mut all: Vec<Booking> = all.collect();
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
            let booking = &mut all[row as usize];
            booking.transaction_type = TransactionType::InternalTransfer;
            (booking.category, booking.link, booking.tier) = (category, Some(link), Some(pair.tier));
        }
    }
    link_refunds(resolution, lines, &mut all);
    Bookings { all, legs, pairs }
}

/// Returns every row that could be a leg of a transfer.
pub fn legs_of<'a>(
    resolution: &'a Resolution,
    lines: &'a [LineMeaning],
    all: &'a [Booking],
) -> impl Iterator<Item = Leg> + use<'a> {
    let rows = (0_u32..).zip(resolution.rows.iter().zip(all));
    rows.filter(|(_, (row, booking))| may_pair(row, booking)).map(|(index, (row, _))| {
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
fn may_pair(row: &Row, booking: &Booking) -> bool {
    booking.is_stored && row.cents != 0 && !matches!(row.step, Step::Fee | Step::Pending(_))
}

/// Returns the booking of a row without a link.
fn booking(row: &Row, meaning: Meaning) -> Booking {
    let (transaction_type, category) = match (row.step, row.cents > 0) {
        (Step::Fee, true) => (TransactionType::Income, Category::Income(IncomeCategory::Refund)),
        (Step::Fee, false) => (TransactionType::Expense, Category::Expense(ExpenseCategory::BankFees)),
        _ => (meaning.transaction_type(row.cents), meaning.category),
    };
    Booking { transaction_type, category, link: None, tier: None, is_stored: !meaning.is_skipped }
}

/// Links refunds to purchases. Money received is a refund if nothing says what it is, or if it is in a category of
/// expenses. Only rows whose merchant and amount the other direction has too are compared, because most rows have none.
fn link_refunds(resolution: &Resolution, lines: &[LineMeaning], all: &mut [Booking]) {
    let refund = Category::Income(IncomeCategory::Refund);
    let may_be_refund = |row: &Row, booking: &Booking| {
        let line = &lines[row.line as usize];
        let is_open = line.meaning.reason == Reason::Nothing || booking.category == refund;
        let is_candidate = booking.tier.is_none() && (row.cents < 0 || is_open) && line.merchant != 0;
        is_candidate && may_pair(row, booking)
    };
    let candidates = || {
        let rows = (0_u32..).zip(resolution.rows.iter().zip(all.iter()));
        rows.filter(|(_, (row, booking))| may_be_refund(row, booking)).map(|(index, (row, _))| {
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
    for (row, purchase) in refund::refunds(&purchases) {
        let booking = &mut all[row as usize];
        (booking.transaction_type, booking.category, booking.link) =
            (TransactionType::Income, refund, Some(purchase));
    }
}
