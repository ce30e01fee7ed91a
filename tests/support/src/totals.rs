//! Selects the rows that count in a query, and adds them up.

use std::collections::HashMap;

use domain::Currency;
use domain::category::{Category, ExpenseCategory, IncomeCategory};
use domain::period::days_between;
use domain::ports::CountedQuery;
use domain::range::ResolvedDays;
use domain::rounding::divide;
use domain::tally::CurrencyTotal;
use domain::transaction::{MerchantQuery, Transaction, TransactionType};
use jiff::ToSpan as _;
use uuid::Uuid;

/// Exchange rates into the preferred currency, as numerator and denominator.
pub(crate) type Rates = HashMap<Currency, (i64, i64)>;

/// The rows that count in a query: no internal transfers, and pending rows and excluded categories as the query says.
pub(crate) fn counted<'a>(
    rows: &'a [Transaction],
    days: ResolvedDays,
    query: &CountedQuery,
    excluded: &[ExpenseCategory],
) -> Vec<&'a Transaction> {
    let counts = |row: &&Transaction| {
        let is_excluded = expense_category(row).is_some_and(|category| excluded.contains(&category));
        days.contains(row.date)
            && row.r#type != TransactionType::InternalTransfer
            && (query.include_pending || !row.pending)
            && (query.include_excluded || query.categories.is_some() || !is_excluded)
            && matches(row, query.categories.as_deref(), query.accounts.as_deref(), query.merchant.as_ref())
    };
    rows.iter().filter(counts).collect()
}

/// Returns true if a row matches the filters that totals and lists share. Accents are not ignored here.
pub(crate) fn matches(
    row: &Transaction,
    categories: Option<&[Category]>,
    accounts: Option<&[Uuid]>,
    merchant: Option<&MerchantQuery>,
) -> bool {
    let text = merchant.map(|merchant| merchant.as_str().to_lowercase());
    let contains = |field: &str, text: &str| field.to_lowercase().contains(text);
    categories.is_none_or(|wanted| wanted.contains(&row.category))
        && accounts.is_none_or(|wanted| row.account_id.is_some_and(|account| wanted.contains(&account)))
        && text.is_none_or(|text| {
            contains(&row.title, &text) || contains(row.merchant_name.as_deref().unwrap_or_default(), &text)
        })
}

pub(crate) fn expense_category(row: &Transaction) -> Option<ExpenseCategory> {
    match row.category {
        Category::Expense(category) => Some(category),
        Category::Income(_) => None,
    }
}

pub(crate) fn is_refund(row: &Transaction) -> bool {
    row.category == Category::Income(IncomeCategory::Refund)
}

/// Returns the currency total of one row. A currency without a rate has no converted amount.
pub(crate) fn sum(row: &Transaction, rates: &Rates) -> CurrencyTotal {
    let convert = |(numerator, denominator): &(i64, i64)| {
        let converted =
            divide(i128::from(row.amount_cents) * i128::from(*numerator), i128::from(*denominator));
        i64::try_from(converted).expect("a converted amount of a test fits 64 bits")
    };
    CurrencyTotal {
        currency: row.currency,
        count: 1,
        amount_cents: row.amount_cents,
        converted_cents: rates.get(&row.currency).map(convert),
    }
}

/// Returns the same number of days directly before a range; `None` for an open range.
pub(crate) fn previous_days(days: ResolvedDays) -> Option<ResolvedDays> {
    let (first, last) = (days.first?, days.last?);
    let length = days_between(first, last);
    Some(ResolvedDays { first: first.checked_sub(length.days()).ok(), last: first.checked_sub(1.day()).ok() })
}
