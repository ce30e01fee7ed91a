//! Detection of streams: groups transactions by payee and searches each group.

use std::collections::HashMap;

use jiff::civil::Date;

use super::calendar::day_number;
use super::evidence::PayeeProfile;
use super::payee_key::payee_key;
use super::payment::Payment;
use super::price_streams::candidate_streams;
use super::row::Row;
use super::stream::Stream;
use crate::category::Category;
use crate::currency::Currency;
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
        let row = |index: usize| Row {
            day: day_number(sorted[index].date),
            cents: sorted[index].amount_cents,
            index,
        };
        let rows: Vec<Row> = indices.into_iter().map(row).collect();
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
