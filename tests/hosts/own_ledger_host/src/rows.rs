//! Filters, order and totals of rows.

use std::cmp::Ordering;

use domain::Currency;
use domain::category::{Category, ExpenseCategory};
use domain::page::Cursor;
use domain::period::{MonthGrouping, days_between};
use domain::ports::{CountedQuery, ReadError};
use domain::range::ResolvedDays;
use domain::tally::CurrencyTotal;
use domain::transaction::{MerchantQuery, Transaction, TransactionQuery, TransactionSort, TransactionType};
use jiff::ToSpan as _;
use jiff::civil::Date;
use uuid::Uuid;

/// The preferred currency of every user.
pub(crate) const CURRENCY: Currency = Currency::EUR;

/// Returns true if a query lists the row.
pub(crate) fn lists(query: &TransactionQuery, days: ResolvedDays, row: &Transaction) -> bool {
    days.contains(row.date)
        && query.types.contains(&row.r#type)
        && matches(row, query.categories.as_deref(), query.accounts.as_deref(), query.merchant.as_ref())
        && query.amount_min.is_none_or(|least| least.get() <= row.amount_cents)
        && query.amount_max.is_none_or(|most| row.amount_cents <= most.get())
        && query.pending.is_none_or(|pending| row.pending == pending)
}

/// Returns true if a row matches the filters that lists and totals share.
fn matches(
    row: &Transaction,
    categories: Option<&[Category]>,
    accounts: Option<&[Uuid]>,
    merchant: Option<&MerchantQuery>,
) -> bool {
    let text = merchant.map(|text| text.as_str().to_lowercase());
    let contains = |field: &str, text: &str| field.to_lowercase().contains(text);
    categories.is_none_or(|wanted| wanted.contains(&row.category))
        // The rows have no accounts, so a filter by account matches none.
        && accounts.is_none()
        && text.is_none_or(|text| {
            contains(&row.title, &text) || row.merchant_name.as_ref().is_some_and(|name| contains(name, &text))
        })
}

/// The sort key of a row: the amount in the preferred currency, the day, and the id.
pub(crate) type SortKey = (Option<i64>, Date, Uuid);

pub(crate) fn sort_key(row: &Transaction) -> SortKey {
    (sum(row).converted_cents, row.date, row.id)
}

/// Returns the sort key that a page starts after. A cursor has no amount, so an order by amount looks up the row.
pub(crate) fn cursor_key(
    sort: TransactionSort,
    cursor: Cursor,
    rows: &[Transaction],
) -> Result<SortKey, ReadError> {
    match sort {
        TransactionSort::DateDescending | TransactionSort::DateAscending => {
            Ok((None, cursor.date, cursor.id))
        }
        TransactionSort::AmountDescending | TransactionSort::AmountAscending => {
            let row = rows.iter().find(|row| row.id == cursor.id && row.date == cursor.date);
            row.map(sort_key).ok_or(ReadError::UnknownCursor)
        }
    }
}

/// Compares two sort keys. A key without an amount comes last.
pub(crate) fn compare(sort: TransactionSort, one: &SortKey, other: &SortKey) -> Ordering {
    let without_amount = one.0.is_none().cmp(&other.0.is_none());
    match sort {
        TransactionSort::DateAscending => (one.1, one.2).cmp(&(other.1, other.2)),
        TransactionSort::DateDescending => (other.1, other.2).cmp(&(one.1, one.2)),
        TransactionSort::AmountAscending => without_amount.then(one.cmp(other)),
        TransactionSort::AmountDescending => without_amount.then(other.cmp(one)),
    }
}

/// Returns the rows that count in totals. Nobody excludes a category here.
pub(crate) fn counted<'a>(
    rows: &'a [Transaction],
    days: ResolvedDays,
    query: &'a CountedQuery,
) -> impl Iterator<Item = &'a Transaction> {
    rows.iter().filter(move |row| {
        days.contains(row.date)
            && row.r#type != TransactionType::InternalTransfer
            && (query.include_pending || !row.pending)
            && matches(row, query.categories.as_deref(), query.accounts.as_deref(), query.merchant.as_ref())
    })
}

/// Returns the first day of the row's month if the totals are grouped by month.
pub(crate) fn month(group_by: MonthGrouping, row: &Transaction) -> Option<Date> {
    (group_by == MonthGrouping::Month).then(|| row.date.first_of_month())
}

/// Extends the first and last counted day by the day of a row.
pub(crate) fn extend(counted_days: &mut Option<(Date, Date)>, row: &Transaction) {
    let (first, last) = counted_days.unwrap_or((row.date, row.date));
    *counted_days = Some((first.min(row.date), last.max(row.date)));
}

/// Returns the category of an expense, or `None` for income.
pub(crate) fn expense_category(row: &Transaction) -> Option<ExpenseCategory> {
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

/// Returns the same number of days directly before a range, or `None` for an open range.
pub(crate) fn previous_days(days: ResolvedDays) -> Option<ResolvedDays> {
    let (first, last) = (days.first?, days.last?);
    let length = days_between(first, last);
    Some(ResolvedDays { first: first.checked_sub(length.days()).ok(), last: first.checked_sub(1.day()).ok() })
}
