//! The rules of counting, told a second time and differently: row by row in exact decimals, over the records that
//! were loaded. Nothing here calls the code under test.

use std::collections::BTreeMap;

use domain::Currency;
use domain::category::Category;
use domain::transaction::TransactionType;
use formats::record::{ExchangeRate, Transaction};
use jiff::ToSpan as _;
use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::household::Household;

/// Which rows count.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// First day, inclusive.
    pub from: Option<Date>,
    /// Last day, inclusive.
    pub to: Option<Date>,
    /// Whether pending rows count.
    pub include_pending: bool,
    /// Whether excluded categories count.
    pub include_excluded: bool,
}

/// A total and what is missing from it, by currency.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Cents of the preferred currency.
    pub cents: i64,
    /// Rows in the total.
    pub count: i64,
    /// Magnitude and rows without a rate, by currency.
    pub unconverted: BTreeMap<String, (i64, i64)>,
}

/// The household as the model sees it.
#[derive(Debug)]
pub struct Model<'a> {
    household: &'a Household,
    rates: &'a [ExchangeRate],
}

impl<'a> Model<'a> {
    /// A model over what was loaded. Rates are units for one euro.
    pub fn new(household: &'a Household, rates: &'a [ExchangeRate]) -> Model<'a> {
        Model { household, rates }
    }

    /// Rows that exist for answers: a pending row whose posted twin links to it does not.
    pub fn visible(&self) -> Vec<&'a Transaction> {
        let twin = |pending: &Transaction| {
            self.household.transactions.iter().any(|posted| {
                !posted.pending
                    && posted.linked_transaction_id == Some(pending.transaction_id)
                    && posted.account_id == pending.account_id
                    && posted.transaction_type == pending.transaction_type
                    && posted.transaction_type != TransactionType::InternalTransfer
                    && posted.category.as_str() != "REFUND"
            })
        };
        self.household.transactions.iter().filter(|row| !(row.pending && twin(row))).collect()
    }

    /// Rows of a type that count.
    pub fn counted(&self, wanted: TransactionType, counting: Counting) -> Vec<&'a Transaction> {
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
            .filter(|row| counting.include_excluded || !excluded(row))
            .collect()
    }

    /// The total of rows.
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

    /// A row's amount in the preferred currency at its own date.
    pub fn converted(&self, row: &Transaction) -> Option<i64> {
        self.exchanged(row.amount_cents, row.currency, row.date)
    }

    /// An amount in the preferred currency on a day.
    pub fn exchanged(&self, cents: i64, currency: Currency, date: Date) -> Option<i64> {
        let preferred = self.household.user.preferred_currency;
        if currency == preferred {
            return Some(cents);
        }
        let from = self.rate_on(currency.as_str(), date)?;
        let to = self.rate_on(preferred.as_str(), date)?;
        let exact = Decimal::from(cents) * to / from;
        let rounded = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        Some(i64::try_from(rounded).expect("a small amount"))
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
