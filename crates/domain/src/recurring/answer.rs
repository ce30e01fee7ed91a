//! Recurring payments as the contract shows them.

use std::cmp::Reverse;

use jiff::civil::Date;
use uuid::Uuid;

use super::identity::identifiers;
use super::{Cadence, Confidence, Payment, RecurringStatus, Stream, detect};
use crate::category::Category;
use crate::currency::Currency;
use crate::money::Money;
use crate::person::UserId;
use crate::rounding::divide;
use crate::tally::Unconverted;
use crate::transaction::TransactionType;

/// The most identifiers of transactions that one recurring payment lists.
const TRANSACTION_IDS_MAX: usize = 12;
/// The next payment of one whose amount varies is guessed from so many of the last ones.
const RECENT_PAYMENTS: usize = 6;
/// An amount has changed when it differs by more than one part in so many.
const CHANGE_PART: i64 = 100;

/// Recurring payments as of a day.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecurringPayments {
    /// The day that the answer is about: nothing later was looked at.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub as_of: Date,
    /// What all ACTIVE recurring expenses with at least `minConfidence` cost in a month, in the preferred currency at the
    /// rates of `asOf`: weekly × 52/12, biweekly × 26/12, semi-monthly × 2, quarterly / 3, semi-annually / 6, annually / 12.
    /// The other parameters choose what is listed and do not change it.
    pub monthly_total: Money,
    /// ACTIVE first, then OVERDUE, both by next expected date; then ENDED, the most recent first.
    pub recurring_payments: Vec<RecurringPayment>,
    /// Per currency without a rate, the amount per month that is missing from `monthlyTotal`; absent when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// One recurring payment: found among the transactions of the 25 months before `asOf`, not announced by anybody.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct RecurringPayment {
    /// Stays the same while it lives: as time passes, when the price changes, and when the card is replaced.
    pub id: Uuid,
    /// Whether it is income or an expense.
    pub r#type: TransactionType,
    /// Who is paid, or who pays: the most recent spelling of the merchant's name, or the most recent title where no
    /// transaction has a name.
    pub merchant_name: String,
    /// The category of most of its transactions. New values may appear: tolerate unknown ones.
    pub category: Category,
    /// How often it comes.
    pub cadence: Cadence,
    /// ACTIVE: up to date, or late by no more than usual. OVERDUE: a payment is missing. ENDED: the next one after it is
    /// missing too, or for half-yearly and yearly payments, 92 days have passed.
    pub status: RecurringStatus,
    /// What the next payment is expected to be, in hundredths of `currency`: the last amount, or where the amount varies,
    /// the middle one of the last six.
    pub amount_cents: i64,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// The most recent amount, in hundredths of `currency`.
    pub last_amount_cents: i64,
    /// The average amount, in hundredths of `currency`.
    pub average_amount_cents: i64,
    /// The smallest amount, in hundredths of `currency`.
    pub min_amount_cents: i64,
    /// The largest amount, in hundredths of `currency`.
    pub max_amount_cents: i64,
    /// True when the amount differs again and again, as with electricity; false for a price, even one that was raised.
    pub amount_varies: bool,
    /// The day of the first payment in the 25 months that were looked at: it may have begun before.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub first_date: Date,
    /// The day of the most recent payment.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub last_date: Date,
    /// The day on which the awaited payment is due; before `asOf` when it is late. Absent when ENDED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub next_expected_date: Option<Date>,
    /// How many payments there are in the 25 months that were looked at.
    pub occurrence_count: u32,
    /// How many were left out between the first and the last; the one that is OVERDUE counts too.
    pub missed_count: u32,
    /// How far it is believed, 0 to 1 with two decimals: the share of such findings that are right.
    pub confidence: Confidence,
    /// What it is concluded from, to check.
    pub reason: String,
    /// The account of the most recent payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub account_name: Option<String>,
    /// Its transactions, the newest first; 12 at most, fewer where more than three payments are listed.
    pub transaction_ids: Vec<Uuid>,
}

/// A recurring payment, and what it is worth in the preferred currency.
#[derive(Clone, Debug)]
pub struct Found {
    /// As shown.
    pub payment: RecurringPayment,
    /// Its `amount_cents` in the preferred currency; none without a rate.
    pub converted_cents: Option<i64>,
}

/// Every recurring payment among one user's rows up to a day, in the order in which they are listed.
pub fn find(user: UserId, payments: &[Payment], as_of: Date) -> Vec<Found> {
    let streams = detect(payments, as_of);
    let identifiers = identifiers(user, payments, &streams);
    let mut found: Vec<Found> =
        streams.iter().zip(identifiers).map(|(stream, id)| described(id, stream, payments)).collect();
    found.sort_by_cached_key(|found| order(&found.payment));
    found
}

type Order = (RecurringStatus, Option<Date>, Option<Reverse<Date>>, String, Uuid);

/// ACTIVE, OVERDUE, ENDED; by next date, for ended ones by last date backwards; then by name and identifier.
fn order(payment: &RecurringPayment) -> Order {
    let ended = payment.next_expected_date.is_none().then_some(Reverse(payment.last_date));
    (payment.status, payment.next_expected_date, ended, payment.merchant_name.clone(), payment.id)
}

fn described(id: Uuid, stream: &Stream, payments: &[Payment]) -> Found {
    let rows: Vec<&Payment> = stream.payments.iter().map(|at| &payments[*at]).collect();
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let amounts: Vec<i64> = rows.iter().map(|row| row.amount_cents).collect();
    let varies = varies(&amounts);
    let expected = if varies { middle_of_recent(&rows) } else { last };
    let sum: i128 = amounts.iter().map(|cents| i128::from(*cents)).sum();
    let count = i128::try_from(rows.len()).unwrap_or(i128::MAX);
    let (least, most) = rows
        .iter()
        .fold((i64::MAX, 0), |(least, most), row| (least.min(row.amount_cents), most.max(row.amount_cents)));
    let name = rows.iter().rev().find_map(|row| row.merchant_name.as_deref()).unwrap_or(&last.title);
    let payment = RecurringPayment {
        id,
        r#type: last.transaction_type,
        merchant_name: name.trim().to_owned(),
        category: most_frequent(rows.iter().map(|row| row.category)),
        cadence: stream.cadence,
        status: stream.status,
        amount_cents: expected.amount_cents,
        currency: last.currency,
        last_amount_cents: last.amount_cents,
        average_amount_cents: i64::try_from(divide(sum, count)).unwrap_or(most),
        min_amount_cents: least,
        max_amount_cents: most,
        amount_varies: varies,
        first_date: first.date,
        last_date: last.date,
        next_expected_date: stream.next,
        occurrence_count: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        missed_count: stream.missed,
        confidence: stream.confidence,
        reason: reason(stream, least, most),
        account_name: last.account_name.clone(),
        transaction_ids: rows.iter().rev().take(TRANSACTION_IDS_MAX).map(|row| row.id).collect(),
    };
    Found { payment, converted_cents: expected.converted_cents }
}

/// Whether the amount changes more often than a price does: at least twice, and every third time.
fn varies(amounts: &[i64]) -> bool {
    let changed = |pair: &&[i64]| (pair[1] - pair[0]).abs() > pair[0].max(pair[1]) / CHANGE_PART;
    let changes = amounts.windows(2).filter(changed).count();
    changes >= 2 && changes * 3 > amounts.len() - 1
}

/// The payment in the middle of the recent ones by amount: one that occurred, so that it is converted like any row.
fn middle_of_recent<'a>(rows: &[&'a Payment]) -> &'a Payment {
    let mut recent: Vec<&Payment> = rows.iter().rev().take(RECENT_PAYMENTS).copied().collect();
    recent.sort_by_key(|row| (row.amount_cents, row.date, row.id));
    recent[(recent.len() - 1) / 2]
}

/// The most frequent category; of equals the one that came last.
fn most_frequent(categories: impl DoubleEndedIterator<Item = Category>) -> Category {
    let mut counts: Vec<(Category, usize)> = Vec::new();
    for category in categories.rev() {
        match counts.iter_mut().find(|(known, _)| *known == category) {
            Some((_, count)) => *count += 1,
            None => counts.push((category, 1)),
        }
    }
    let best = counts.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("a stream has payments").0
}

/// "24 payments, 23 of 23 gaps 28-32 days, amount within 7%".
fn reason(stream: &Stream, least: i64, most: i64) -> String {
    let gaps = stream.gaps;
    let days = if gaps.least == gaps.most {
        format!("{} days", gaps.least)
    } else {
        format!("{}-{} days", gaps.least, gaps.most)
    };
    let amount = if least == most {
        "always the same amount".to_owned()
    } else {
        // Upwards, so that "within" is true.
        let spread = (i128::from(most - least) * 100 + i128::from(least) - 1) / i128::from(least);
        format!("amount within {spread}%")
    };
    format!("{} payments, {} of {} gaps {days}, {amount}", stream.payments.len(), gaps.regular, gaps.count)
}
