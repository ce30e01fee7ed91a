//! Queries expenses by category and period, and refunds by the category of the refunded purchase.

use passbook_domain::access::Access;
use passbook_domain::period::MonthGrouping;
use passbook_domain::ports::{CategoryTotals, CountedQuery, ReadError, Reading};

use super::counted::{CountedParameters, TotalsQuery, borrowed, period, planned};
use super::refunds::{self, REFUNDS};
use crate::error::Error;
use crate::query::{SPENDING_CATEGORIES, SPENDING_CATEGORIES_STORED};
use crate::row::Rows;
use crate::store::Store;

pub(super) const SPENDING: TotalsQuery =
    TotalsQuery { stored: SPENDING_CATEGORIES_STORED, matching: SPENDING_CATEGORIES };

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
    let planned_at = bound.len();
    bound.extend(counted.bind_planned(&false));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0], &rows[1])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(2))?;
        totals.planned = planned(rows.get(planned_at))?;
        Ok(totals)
    };
    store.read(access, &query.days, &borrowed(&bound), read).await
}

/// Converts the rows of expenses and of refunds by category.
fn map(expenses: &Rows, refunds: &Rows) -> Result<CategoryTotals, Error> {
    let mut totals = CategoryTotals::default();
    for (category, sum) in refunds::map(refunds)? {
        match category {
            Some(category) => totals.refunds.push((category, sum)),
            None => totals.unlinked_refunds.push(sum),
        }
    }
    totals.expenses = expenses.map(|row| {
        let (category, sum) = row.category_sum()?;
        Ok((category, row.get("period")?, sum))
    })?;
    Ok(totals)
}
