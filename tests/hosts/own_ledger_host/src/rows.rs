//! Which rows an answer is about, in which order, and what they add up from.

use std::cmp::Ordering;

use domain::category::{Category, ExpenseCategory};
use domain::page::Cursor;
use domain::period::days_between;
use domain::ports::ReadError;
use domain::range::ResolvedDays;
use domain::tally::CurrencyTotal;
use domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use jiff::ToSpan as _;
use jiff::civil::Date;
use uuid::Uuid;

use crate::books::CURRENCY;

/// Whether a row is to be listed.
pub(crate) fn lists(query: &TransactionQuery, days: ResolvedDays, row: &Transaction) -> bool {
    let wanted = query.merchant.as_ref().map(|text| text.as_str().to_lowercase());
    let says = |text: &str, wanted: &str| text.to_lowercase().contains(wanted);
    days.contains(row.date)
        && query.types.contains(&row.r#type)
        && query.categories.as_ref().is_none_or(|listed| listed.contains(&row.category))
        // These books know of no accounts.
        && query.accounts.is_none()
        && query.amount_min.is_none_or(|least| least.get() <= row.amount_cents)
        && query.amount_max.is_none_or(|most| row.amount_cents <= most.get())
        && query.pending.is_none_or(|pending| row.pending == pending)
        && wanted.is_none_or(|wanted| {
            says(&row.title, &wanted) || row.merchant_name.as_ref().is_some_and(|name| says(name, &wanted))
        })
}

/// What a list is ordered by: the amount in the person's currency, the day, the row.
pub(crate) type Place = (Option<i64>, Date, Uuid);

pub(crate) fn place(row: &Transaction) -> Place {
    (sum(row).converted_cents, row.date, row.id)
}

/// The place that a page begins after. An order by amount needs the row itself.
pub(crate) fn anchor(
    sort: TransactionSort,
    cursor: Cursor,
    rows: &[Transaction],
) -> Result<Place, ReadError> {
    match sort {
        TransactionSort::DateDescending | TransactionSort::DateAscending => {
            Ok((None, cursor.date, cursor.id))
        }
        TransactionSort::AmountDescending | TransactionSort::AmountAscending => {
            let row = rows.iter().find(|row| row.id == cursor.id && row.date == cursor.date);
            row.map(place).ok_or(ReadError::UnknownCursor)
        }
    }
}

/// Which of two places comes first; one without an amount comes last.
pub(crate) fn order(sort: TransactionSort, one: &Place, other: &Place) -> Ordering {
    let known = one.0.is_none().cmp(&other.0.is_none());
    match sort {
        TransactionSort::DateAscending => (one.1, one.2).cmp(&(other.1, other.2)),
        TransactionSort::DateDescending => (other.1, other.2).cmp(&(one.1, one.2)),
        TransactionSort::AmountAscending => known.then(one.cmp(other)),
        TransactionSort::AmountDescending => known.then(other.cmp(one)),
    }
}

/// The rows that totals are made of.
pub(crate) fn counted(
    rows: &[Transaction],
    days: ResolvedDays,
    pending: bool,
) -> impl Iterator<Item = &Transaction> {
    rows.iter().filter(move |row| {
        days.contains(row.date)
            && row.r#type != TransactionType::InternalTransfer
            && (pending || !row.pending)
    })
}

pub(crate) fn by_category(
    rows: &[Transaction],
    days: ResolvedDays,
    pending: bool,
) -> Vec<(ExpenseCategory, CurrencyTotal)> {
    counted(rows, days, pending).filter_map(|row| Some((spent_on(row)?, sum(row)))).collect()
}

/// The category of an expense.
pub(crate) fn spent_on(row: &Transaction) -> Option<ExpenseCategory> {
    match row.category {
        Category::Expense(category) => Some(category),
        Category::Income(_) => None,
    }
}

pub(crate) fn sum(row: &Transaction) -> CurrencyTotal {
    CurrencyTotal {
        currency: row.currency,
        count: 1,
        amount_cents: row.amount_cents,
        converted_cents: (row.currency == CURRENCY).then_some(row.amount_cents),
    }
}

/// As many days directly before; none for an open range.
pub(crate) fn before(days: ResolvedDays) -> Option<ResolvedDays> {
    let (first, last) = (days.first?, days.last?);
    let length = days_between(first, last);
    Some(ResolvedDays { first: first.checked_sub(length.days()).ok(), last: first.checked_sub(1.day()).ok() })
}
