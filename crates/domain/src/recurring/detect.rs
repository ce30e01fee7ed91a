//! Detection of streams: groups transactions by payee, searches each group, and describes what it found: identifier,
//! name, expected amount and reason.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::civil::Date;
use uuid::Uuid;

use super::calendar::day_number;
use super::evidence::{PayeeProfile, PayeeRow};
use super::payee_key::payee_key;
use super::payment::Payment;
use super::price_streams::candidate_streams;
use super::recurring_payment::{DetectedPayment, RecurringPayment};
use super::stream::{Gaps, RecurringStatus, Stream, stream_ids};
use crate::category::Category;
use crate::currency::Currency;
use crate::person::UserId;
use crate::rounding::divide;
use crate::transaction::TransactionType;

/// A payee: the direction, the currency and the payee key of its transactions.
type Payee<Key = String> = (TransactionType, Currency, Key);

/// Finds every stream among the payments up to and including `as_of`, sorted by direction, currency and payee key.
/// Streams of low confidence are included.
///
/// The result depends on neither the order of `payments` nor the rows of other payees. The measured time grows like that
/// of sorting the payments (`docs/figures.md`).
pub fn detect_streams(payments: &[Payment], as_of: Date) -> Vec<Stream> {
    let is_considered = |index: &usize| payments[*index].can_recur() && payments[*index].date <= as_of;
    let mut original_indices: Vec<usize> = (0..payments.len()).filter(is_considered).collect();
    original_indices.sort_by_key(|index| {
        let payment = &payments[*index];
        (payment.date, payment.amount_cents, payment.id)
    });
    // From here on a row is identified by its index in the sorted list, so that ties are resolved in the same way for
    // any order of `payments`.
    let sorted: Vec<&Payment> = original_indices.iter().map(|index| &payments[*index]).collect();
    let as_of = day_number(as_of);
    let mut streams = Vec::new();
    for ((_, _, payee), indices) in rows_by_payee(&sorted) {
        let categories: Vec<Category> = indices.iter().map(|index| sorted[*index].category).collect();
        let profile = PayeeProfile::from_categories(&categories);
        let row = |index: usize| PayeeRow {
            day: day_number(sorted[index].date),
            cents: sorted[index].amount_cents,
            index,
        };
        let rows: Vec<PayeeRow> = indices.into_iter().map(row).collect();
        let candidates = candidate_streams(&rows, &profile);
        let stream = |candidate| Stream::from_candidate(&payee, candidate, &original_indices, as_of);
        streams.extend(candidates.iter().map(stream));
    }
    streams
}

/// Groups rows by payee, and sorts the groups. The payee key of a row is the key of its merchant name. A row without a
/// merchant name gets the key of the merchant that other rows with the same title name, or else the key of its title.
fn rows_by_payee(rows: &[&Payment]) -> Vec<(Payee, Vec<usize>)> {
    let merchant_keys = payee_keys(rows.iter().filter_map(|row| row.merchant_name.as_deref()));
    let merchant_key = |row: &Payment| row.merchant_name.as_deref().map(|name| merchant_keys[name].as_str());
    // Only rows without a merchant name are grouped by their title.
    let title_keys: Vec<String> = match rows.iter().all(|row| row.merchant_name.is_some()) {
        true => Vec::new(),
        false => rows.iter().map(|row| payee_key(&row.title)).collect(),
    };
    let mut merchant_of_title: HashMap<&str, Option<&str>> = HashMap::new();
    for (row, title) in rows.iter().zip(&title_keys) {
        if let Some(merchant) = merchant_key(row) {
            let known = merchant_of_title.entry(title).or_insert(Some(merchant));
            // A title that occurs with two merchants identifies neither of them.
            *known = known.filter(|known| *known == merchant);
        }
    }
    let mut groups: HashMap<Payee<&str>, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        let payee = merchant_key(row).unwrap_or_else(|| {
            let title = title_keys[index].as_str();
            merchant_of_title.get(title).copied().flatten().unwrap_or(title)
        });
        groups.entry((row.transaction_type, row.currency, payee)).or_default().push(index);
    }
    let owned =
        |((r#type, currency, payee), rows): (Payee<&str>, _)| ((r#type, currency, payee.to_owned()), rows);
    let mut groups: Vec<(Payee, Vec<usize>)> = groups.into_iter().map(owned).collect();
    groups.sort_unstable();
    groups
}

/// Returns the payee key of each different text.
fn payee_keys<'a>(texts: impl Iterator<Item = &'a str>) -> HashMap<&'a str, String> {
    let mut keys = HashMap::new();
    for text in texts {
        keys.entry(text).or_insert_with(|| payee_key(text));
    }
    keys
}

/// Maximum number of transaction identifiers in one recurring payment: a year of monthly payments. It bounds the size
/// of a response.
const TRANSACTION_IDS_MAX: usize = 12;
/// Number of most recent payments whose median predicts a varying amount. Few enough to follow the season of a monthly
/// energy bill.
const RECENT_PAYMENTS: usize = 6;
/// Divisor of the tolerated difference: a difference of more than 1/100 of the larger amount counts as a change of the
/// amount.
const CHANGE_DIVISOR: i64 = 100;

/// Finds the recurring payments among one user's transactions up to and including `as_of`.
///
/// The result is sorted as a response lists it: active, overdue, then ended payments. Active and overdue payments are
/// sorted by next due date, ended payments by last date, latest first; then by name and identifier. Recurring payments
/// of low confidence are included.
pub fn detect_recurring_payments(user: UserId, payments: &[Payment], as_of: Date) -> Vec<DetectedPayment> {
    let streams = detect_streams(payments, as_of);
    let ids = stream_ids(user, payments, &streams);
    let mut found: Vec<DetectedPayment> =
        streams.iter().zip(ids).map(|(stream, id)| describe(id, stream, payments)).collect();
    found.sort_by_cached_key(|found| sort_key(&found.payment));
    found
}

type SortKey = (RecurringStatus, Option<Date>, Option<Reverse<Date>>, String, Uuid);

fn sort_key(payment: &RecurringPayment) -> SortKey {
    let ended = payment.next_expected_date.is_none().then_some(Reverse(payment.last_date));
    (payment.status, payment.next_expected_date, ended, payment.merchant_name.clone(), payment.id)
}

/// Builds the recurring payment of a stream. `payments` is the slice in which the stream was detected.
fn describe(id: Uuid, stream: &Stream, payments: &[Payment]) -> DetectedPayment {
    let rows: Vec<&Payment> = stream.payments.iter().map(|index| &payments[*index]).collect();
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let amounts: Vec<i64> = rows.iter().map(|row| row.amount_cents).collect();
    let varies = amount_varies(&amounts);
    let expected = if varies { median_of_recent(&rows) } else { last };
    let price_change = if varies { None } else { last_price_change(&rows) };
    let sum: i128 = amounts.iter().map(|cents| i128::from(*cents)).sum();
    let count = i128::try_from(rows.len()).unwrap_or(i128::MAX);
    let (min, max) =
        amounts.iter().fold((i64::MAX, 0), |(min, max), cents| (min.min(*cents), max.max(*cents)));
    let name = rows.iter().rev().find_map(|row| row.merchant_name.as_deref()).unwrap_or(&last.title);
    let payment = RecurringPayment {
        id,
        r#type: last.transaction_type,
        merchant_name: name.trim().to_owned(),
        category: most_frequent(rows.iter().map(|row| row.category)),
        cadence: stream.cadence,
        status: stream.status,
        amount_cents: expected.amount_cents,
        previous_amount_cents: price_change.map(|change| change.previous_cents),
        amount_changed_on: price_change.map(|change| change.first_date),
        currency: last.currency,
        last_amount_cents: last.amount_cents,
        average_amount_cents: i64::try_from(divide(sum, count)).unwrap_or(max),
        min_amount_cents: min,
        max_amount_cents: max,
        amount_varies: varies,
        first_date: first.date,
        last_date: last.date,
        next_expected_date: stream.next_due,
        occurrence_count: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        missed_count: stream.missed,
        confidence: stream.confidence,
        reason: reason(rows.len(), stream.gaps, min, max),
        account_name: last.account_name.clone(),
    };
    DetectedPayment {
        payment,
        transaction_ids: rows.iter().rev().take(TRANSACTION_IDS_MAX).map(|row| row.id).collect(),
        converted_cents: expected.converted_cents,
        fit: stream.fit,
    }
}

/// Returns true if the amount changes at least twice and in more than a third of the gaps. A price that rises once or
/// twice does not vary; an electricity bill does.
fn amount_varies(amounts: &[i64]) -> bool {
    let changes = amounts.windows(2).filter(|pair| is_change(pair[0], pair[1])).count();
    changes >= 2 && changes * 3 > amounts.len() - 1
}

/// Returns true if two consecutive amounts, in cents, differ by more than the tolerated difference.
fn is_change(before: i64, after: i64) -> bool {
    (after - before).abs() > before.max(after) / CHANGE_DIVISOR
}

/// A change of the price of a stream.
#[derive(Clone, Copy)]
struct PriceChange {
    /// Amount of the last payment before the change.
    previous_cents: i64,
    /// Day of the first payment after the change.
    first_date: Date,
}

/// Returns the last change of the price; none if the price has not changed. `rows` are sorted by day.
fn last_price_change(rows: &[&Payment]) -> Option<PriceChange> {
    let mut pairs = rows.windows(2).rev();
    let pair = pairs.find(|pair| is_change(pair[0].amount_cents, pair[1].amount_cents))?;
    Some(PriceChange { previous_cents: pair[0].amount_cents, first_date: pair[1].date })
}

/// Returns the payment with the median amount among the most recent payments; of two middle payments, the smaller.
/// Because it is one of the payments, its converted amount is known.
fn median_of_recent<'a>(rows: &[&'a Payment]) -> &'a Payment {
    let mut recent: Vec<&Payment> = rows.iter().rev().take(RECENT_PAYMENTS).copied().collect();
    recent.sort_by_key(|row| (row.amount_cents, row.date, row.id));
    recent[(recent.len() - 1) / 2]
}

/// Returns the most frequent category; of equally frequent categories, the one that occurred last. `categories` must
/// not be empty.
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

/// Returns the reason text, such as "24 payments, 23 of 23 gaps 28-32 days, amount within 7%". `min` and `max` are the
/// smallest and the largest amount in cents.
fn reason(payments: usize, gaps: Gaps, min: i64, max: i64) -> String {
    let days = if gaps.shortest == gaps.longest {
        format!("{} days", gaps.shortest)
    } else {
        format!("{}-{} days", gaps.shortest, gaps.longest)
    };
    let amount = if min == max {
        "always the same amount".to_owned()
    } else {
        // Rounded up, so that the largest amount exceeds the smallest by no more than the stated percentage.
        let percent = (i128::from(max - min) * 100 + i128::from(min) - 1) / i128::from(min);
        format!("amount within {percent}%")
    };
    format!("{payments} payments, {} of {} gaps {days}, {amount}", gaps.regular, gaps.count)
}
