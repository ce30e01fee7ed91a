//! Expenses and refunds by merchant, and totals by own category, tag and account.

use std::cmp::Reverse;
use std::collections::HashMap;

use passbook_domain::fold::fold;
use passbook_domain::label::{GroupLabel, Label, LabelKind};
use passbook_domain::ports::{CountedQuery, LabelTotals, MerchantTotals};
use passbook_domain::range::ResolvedDays;
use passbook_domain::tally::CurrencyTotal;
use passbook_domain::transaction::Transaction;

use super::Rows;

/// A merchant: its key, and its most recent spelling with its amounts.
type Merchant = (String, (String, Vec<CurrencyTotal>));

impl Rows<'_> {
    /// Returns the total of all expenses, and the totals of the `limit` merchants with the largest expenses. Names with one
    /// `merchant_key` are one merchant, shown in the most recent spelling. A row without a merchant counts under its title.
    pub fn top_merchants(&self, query: &CountedQuery, days: ResolvedDays, limit: i64) -> MerchantTotals {
        let mut merchants = self.merchants(query, days);
        merchants.truncate(usize::try_from(limit).expect("a limit is small"));
        let mut totals = MerchantTotals::default();
        totals.planned = self.planned_expenses(query, days);
        for (refund, owner) in self.refunds(query, days) {
            totals.total_refunds.push(self.total(refund));
            let (key, _) = payee(owner);
            let index = merchants.iter().position(|(listed, _)| key.as_ref() == Some(listed));
            totals.refunds.extend(index.map(|index| (index, self.total(refund))));
        }
        totals.total = self.expenses(query, days).map(|row| self.total(row)).collect();
        totals.merchants = merchants.into_iter().map(|(_, merchant)| merchant).collect();
        totals
    }

    /// Returns keys and names of all merchants that a text names, those with the largest expenses first: the merchant with the key of
    /// the text, else those with the same name without accents, else those of which the text begins a word.
    pub fn merchants_named(&self, text: &str) -> Vec<(String, String)> {
        let (key, folded) = (merchant_key(text), fold(text.trim()));
        let payee = key.as_deref().map(|key| without_words(key, |word| MONTHS.contains(&word)));
        let begins_word = |name: &str| {
            let mut places = name.match_indices(&folded);
            !folded.is_empty() && places.any(|(at, _)| !name[..at].ends_with(char::is_alphanumeric))
        };
        let merchants = self.all_merchants();
        let rules: [&dyn Fn(&String) -> bool; 4] = [
            &|known| Some(known) == key.as_ref(),
            &|known| Some(known) == payee.as_ref(),
            &|known| fold(known) == folded,
            &|known| begins_word(&fold(known)),
        ];
        let fitting = rules.iter().map(|fits| merchants.iter().filter(|(known, _)| fits(known)));
        fitting
            .map(|fitting| fitting.cloned().collect())
            .find(|found: &Vec<_>| !found.is_empty())
            .unwrap_or_default()
    }

    /// Returns keys and names of all merchants, those with the largest expenses first.
    pub fn all_merchants(&self) -> Vec<(String, String)> {
        let all = CountedQuery::EVERYTHING.with_excluded();
        let merchants = self.merchants(&all, ResolvedDays::default());
        merchants.into_iter().map(|(key, (name, _))| (key, name)).collect()
    }

    /// Returns the merchants of counted expenses, those with the largest first: key, most recent spelling, and amounts.
    fn merchants(&self, query: &CountedQuery, days: ResolvedDays) -> Vec<Merchant> {
        let mut expenses: Vec<&Transaction> = self.expenses(query, days).collect();
        expenses.sort_by_key(|row| Reverse((row.date, row.id)));
        let mut merchants: HashMap<String, (String, Vec<CurrencyTotal>)> = HashMap::new();
        for row in &expenses {
            let (Some(key), name) = payee(row) else { continue };
            let entry = merchants.entry(key).or_insert((name.to_owned(), Vec::new()));
            entry.1.push(self.total(row));
        }
        let mut merchants: Vec<Merchant> = merchants.into_iter().collect();
        let spent = |totals: &[CurrencyTotal]| -> i128 {
            totals.iter().filter_map(|total| total.converted_cents).map(i128::from).sum()
        };
        merchants.sort_by(|(_, (one, ones)), (_, (other, others))| {
            spent(others).cmp(&spent(ones)).then_with(|| one.cmp(other))
        });
        merchants
    }
}

/// Months, by which titles of one payee differ.
#[rustfmt::skip]
const MONTHS: [&str; 36] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "januar", "februar", "märz", "maerz", "marz", "mai", "juni", "juli", "oktober", "dezember",
    "janvier", "février", "fevrier", "mars", "avril", "juin", "juillet", "août", "aout", "septembre", "octobre", "novembre",
    "décembre", "decembre",
];

/// Returns the key of the payee of a row, and the text that names the payee: the merchant, or without one the title.
pub(super) fn payee(row: &Transaction) -> (Option<String>, &str) {
    match row.merchant_name.as_deref() {
        Some(name) => (merchant_key(name), name.trim()),
        None => (
            merchant_key(&row.title).map(|key| without_words(&key, |word| MONTHS.contains(&word))),
            row.title.trim(),
        ),
    }
}

/// Returns the key of a merchant, as `passbook_read.merchant_key` does: the name without case, outer white space, and numbers of
/// branches, terminals or bookings.
fn merchant_key(name: &str) -> Option<String> {
    let key = without_words(&name.trim().to_lowercase(), |word| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits >= 3 || digits > 0 && !word.chars().any(char::is_alphabetic)
    });
    (!key.is_empty()).then_some(key)
}

/// Returns a trimmed text without some words and the white space before them. Keeps the first word.
fn without_words(text: &str, is_removed: impl Fn(&str) -> bool) -> String {
    let (mut key, mut blank) = (String::new(), String::new());
    for part in text.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        if !word.is_empty() {
            if key.is_empty() || !is_removed(word) {
                key.push_str(&blank);
                key.push_str(word);
            }
            blank.clear();
        }
        blank.push_str(&part[word.len()..]);
    }
    key
}

impl Rows<'_> {
    /// Returns the totals of expenses by own category, tag or account. The names of accounts are known to the caller.
    pub fn spending_by_label(
        &self,
        query: &CountedQuery,
        days: ResolvedDays,
        kind: LabelKind,
    ) -> LabelTotals {
        let group = |label: &Label| {
            let is_own = kind == LabelKind::OwnCategory;
            let own = self.own_categories.iter().find(|own| is_own && own.label.id == label.id);
            own.cloned().unwrap_or_else(|| GroupLabel::new(label.id, &label.name, None))
        };
        let mut totals = LabelTotals::default();
        for row in self.expenses(query, days) {
            let account = row.account_id.map(|id| Label { id, name: String::new() });
            let labels: Vec<&Label> = match kind {
                LabelKind::OwnCategory => row.own_category.iter().collect(),
                LabelKind::Tag => row.tags.iter().collect(),
                LabelKind::Account => account.iter().collect(),
            };
            totals.labelled.extend((!labels.is_empty()).then(|| self.total(row)));
            totals.groups.extend(labels.into_iter().map(|label| (group(label), self.total(row))));
        }
        totals
    }
}
