//! Queries expenses by category and period, and refunds by the category of the refunded purchase.

use domain::access::Access;
use domain::category::ExpenseCategory;
use domain::period::MonthGrouping;
use domain::ports::{CategoryTotals, CountedQuery, ReadError, Reading};
use domain::tally::CurrencyTotal;
use jiff::civil::Date;

use super::counted::{CountedParameters, counted_days, extend_counted_days, period};
use crate::error::Error;
use crate::pool::Store;
use crate::query::{REFUNDS_BY_CATEGORY, SPENDING_CATEGORIES};
use crate::row::Rows;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: MonthGrouping,
) -> Result<Reading<CategoryTotals>, ReadError> {
    let (counted, period) = (CountedParameters::new(access, query), period(group_by.into()));
    let refunds = counted.as_sql();
    let [user, pending, excluded, categories, accounts, merchant] = refunds;
    let spending = [user, pending, excluded, categories, accounts, merchant, &period];
    let queries = [(SPENDING_CATEGORIES, &spending[..]), (REFUNDS_BY_CATEGORY, &refunds[..])];
    store.read(access, &query.days, &queries, |rows| Ok(map(&rows[0], &rows[1])?)).await
}

/// Converts the rows of `spending_categories.sql` and of `refunds_by_category.sql`.
fn map(expenses: &Rows, refunds: &Rows) -> Result<CategoryTotals, Error> {
    let mut totals = CategoryTotals::default();
    totals.refunds = refunds.map(|row| row.category_sum())?;
    let rows = expenses.map(|row| {
        let (category, sum) = row.category_sum()?;
        let expense: (ExpenseCategory, Option<Date>, CurrencyTotal) = (category, row.get("period")?, sum);
        Ok((expense, counted_days(row)?))
    })?;
    for (expense, days) in rows {
        extend_counted_days(&mut totals.counted_days, days);
        totals.expenses.push(expense);
    }
    Ok(totals)
}
