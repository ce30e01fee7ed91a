//! Queries expenses by category and period, and refunds by the category of the refunded purchase.

use passbook_domain::access::Access;
use passbook_domain::period::MonthGrouping;
use passbook_domain::ports::{CategoryTotals, CountedQuery, ReadError, Reading};

use super::counted::{CountedParameters, TotalsQuery, borrowed, period};
use crate::error::Error;
use crate::query::{
    REFUNDS_BY_CATEGORY, REFUNDS_BY_CATEGORY_STORED, SPENDING_CATEGORIES, SPENDING_CATEGORIES_STORED,
};
use crate::row::Rows;
use crate::store::Store;

pub(super) const SPENDING: TotalsQuery =
    TotalsQuery { stored: SPENDING_CATEGORIES_STORED, matching: SPENDING_CATEGORIES };
const REFUNDS: TotalsQuery =
    TotalsQuery { stored: REFUNDS_BY_CATEGORY_STORED, matching: REFUNDS_BY_CATEGORY };

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: MonthGrouping,
) -> Result<Reading<CategoryTotals>, ReadError> {
    let (counted, period) = (CountedParameters::new(access, query), period(group_by.into()));
    let no_income = Some(Vec::new());
    let mut bound = vec![counted.bind_totals(&SPENDING, &[&period]), counted.bind_totals(&REFUNDS, &[])];
    bound.extend(counted.bind_days(&no_income));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0], &rows[1])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(2))?;
        Ok(totals)
    };
    store.read(access, &query.days, &borrowed(&bound), read).await
}

/// Converts the rows of expenses by category, and of refunds by category of their purchase.
fn map(expenses: &Rows, refunds: &Rows) -> Result<CategoryTotals, Error> {
    let mut totals = CategoryTotals::default();
    totals.refunds = refunds.map(|row| row.category_sum())?;
    totals.expenses = expenses.map(|row| {
        let (category, sum) = row.category_sum()?;
        Ok((category, row.get("period")?, sum))
    })?;
    Ok(totals)
}
