//! A second implementation of the counting rules, to compare with the product: row by row in exact decimals, over the
//! records that were loaded. It does not call the code under test.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::Category;
use passbook_domain::transaction::TransactionType;
use passbook_records::record::{ExchangeRate, Transaction};
use rust_decimal::{Decimal, RoundingStrategy};
use uuid::Uuid;

use crate::household::Household;

/// The filter that selects the transactions to count.
#[derive(Clone, Debug)]
pub struct Counting {
    /// First day of the range, inclusive; `None` for an open start.
    pub from: Option<Date>,
    /// Last day of the range, inclusive; `None` for an open end.
    pub to: Option<Date>,
    /// True if pending transactions are counted.
    pub include_pending: bool,
    /// True if transactions of excluded categories are counted.
    pub include_excluded: bool,
    /// The categories, accounts and text to which the counted transactions are limited.
    pub filter: Filter,
}

impl Counting {
    /// Returns the default filter: every day, with pending transactions, without excluded categories.
    pub fn everything() -> Counting {
        Counting {
            from: None,
            to: None,
            include_pending: true,
            include_excluded: false,
            filter: Filter::default(),
        }
    }
}

/// The filters that totals share with the list of transactions. `None` does not limit.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Names of categories.
    pub categories: Option<Vec<&'static str>>,
    /// Identifiers of accounts.
    pub accounts: Option<Vec<Uuid>>,
    /// Text in merchant name or title: lower case, without accents.
    pub text: Option<&'static str>,
}

impl Filter {
    fn matches(&self, row: &Transaction) -> bool {
        let text = |text: &&str| {
            let merchant = row.merchant_name.as_deref().unwrap_or_default();
            without_accents(merchant).contains(text) || without_accents(&row.title).contains(text)
        };
        self.categories.as_ref().is_none_or(|wanted| wanted.contains(&row.category.as_str()))
            && self.accounts.as_ref().is_none_or(|wanted| wanted.contains(&row.account_id))
            && self.text.as_ref().is_none_or(text)
    }
}

/// Lower case without the accents that the random households use.
fn without_accents(text: &str) -> String {
    text.to_lowercase().replace('é', "e").replace('ä', "a")
}

/// A total in the preferred currency, and the amounts that could not be converted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The total in hundredths of the preferred currency.
    pub cents: i64,
    /// Number of transactions in the total.
    pub count: i64,
    /// For each currency without a rate: the sum of magnitudes in hundredths, and the number of transactions.
    pub unconverted: BTreeMap<String, (i64, i64)>,
}

/// The counting model of one household.
#[derive(Debug)]
pub struct Model<'a> {
    household: &'a Household,
    rates: &'a [ExchangeRate],
}

impl<'a> Model<'a> {
    /// Creates a model of the loaded records. Rates are in units per euro.
    pub fn new(household: &'a Household, rates: &'a [ExchangeRate]) -> Model<'a> {
        Model { household, rates }
    }

    /// Returns the visible transactions: all except pending ones that a posted transaction replaces.
    pub fn visible(&self) -> Vec<&'a Transaction> {
        let replaced = |pending: &Transaction| {
            self.household.transactions.iter().any(|posted| {
                !posted.pending
                    && posted.linked_transaction_id == Some(pending.transaction_id)
                    && posted.account_id == pending.account_id
                    && posted.transaction_type == pending.transaction_type
                    && posted.transaction_type != TransactionType::InternalTransfer
                    && posted.category.as_str() != "REFUND"
            })
        };
        self.household.transactions.iter().filter(|row| !(row.pending && replaced(row))).collect()
    }

    /// Returns the transactions of the type `wanted` that `counting` includes.
    pub fn counted(&self, wanted: TransactionType, counting: &Counting) -> Vec<&'a Transaction> {
        let excluded = |row: &Transaction| match row.category {
            Category::Expense(category) => self.household.user.excluded_categories.contains(&category),
            Category::Income(_) => false,
        };
        self.visible()
            .into_iter()
            .filter(|row| row.transaction_type == wanted)
            .filter(|row| counting.from.is_none_or(|from| row.date >= from))
            .filter(|row| counting.to.is_none_or(|to| row.date <= to))
            .filter(|row| counting.include_pending || !row.pending)
            .filter(|row| counting.include_excluded || counting.filter.categories.is_some() || !excluded(row))
            .filter(|row| counting.filter.matches(row))
            .collect()
    }

    /// Returns the total of `rows` in the preferred currency.
    pub fn total<'r>(&self, rows: impl IntoIterator<Item = &'r Transaction>) -> Total {
        let mut total = Total::default();
        for row in rows {
            match self.converted(row) {
                Some(cents) => {
                    total.cents += cents;
                    total.count += 1;
                }
                None => {
                    let entry = total.unconverted.entry(row.currency.to_string()).or_default();
                    entry.0 += row.amount_cents;
                    entry.1 += 1;
                }
            }
        }
        total
    }

    /// Returns the amount of a transaction in the preferred currency, by the rate of its date; `None` without a rate.
    pub fn converted(&self, row: &Transaction) -> Option<i64> {
        self.exchanged(row.amount_cents, row.currency, row.date)
    }

    /// Returns an amount in the preferred currency, by the rate of `date`; `None` without a rate that is at most 31
    /// days old.
    pub fn exchanged(&self, cents: i64, currency: Currency, date: Date) -> Option<i64> {
        let preferred = self.household.user.preferred_currency;
        if currency == preferred {
            return Some(cents);
        }
        let from = self.rate_on(currency.as_str(), date)?;
        let to = self.rate_on(preferred.as_str(), date)?;
        let exact = Decimal::from(cents) * to / from;
        let rounded = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        Some(i64::try_from(rounded).expect("the amount fits into 64 bits"))
    }

    fn rate_on(&self, currency: &str, date: Date) -> Option<Decimal> {
        if currency == "EUR" {
            return Some(Decimal::ONE);
        }
        let oldest = date.checked_sub(31.days()).expect("in range");
        self.rates
            .iter()
            .filter(|rate| rate.currency.as_str() == currency && rate.as_of <= date && rate.as_of >= oldest)
            .max_by_key(|rate| rate.as_of)
            .map(|rate| rate.units_per_base)
    }
}
