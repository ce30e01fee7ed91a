//! Queries expenses by category and period, and refunds by the category of the refunded purchase.

use passbook_domain::access::Access;
use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_domain::period::MonthGrouping;
use passbook_domain::ports::{CategoryTotals, CountedQuery, MonthTotals, ReadError, Reading};
use passbook_domain::transaction::TransactionType;

use super::counted::{CountedParameters, TotalsQuery, borrowed, stored_months};
use crate::error::Error;
use crate::query::{SPENDING_CATEGORIES, SPENDING_CATEGORIES_STORED, SPENDING_CATEGORIES_UNFILTERED};
use crate::row::Rows;
use crate::store::Store;

pub(super) const SPENDING: TotalsQuery = TotalsQuery {
    unfiltered: SPENDING_CATEGORIES_UNFILTERED,
    stored: SPENDING_CATEGORIES_STORED,
    matching: SPENDING_CATEGORIES,
};

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: MonthGrouping,
) -> Result<Reading<CategoryTotals>, ReadError> {
    let counted = CountedParameters::new(access, query);
    let period = counted.period(group_by.into());
    let no_income = Some(Vec::new());
    let mut bound = vec![counted.bind(&SPENDING, &[&period])];
    bound.extend(counted.bind_months(&no_income));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(1))?;
        totals.months = rows.get(1).map(stored_months).transpose()?.flatten();
        Ok(totals)
    };
    let (mut reading, facts) = store.read_with_facts(access, &query.days, &borrowed(&bound), read).await?;
    if counted.adds_up_months() {
        let data = &mut reading.data;
        let expenses = data.expenses.iter().filter_map(|(_, month, sum)| Some(((*month)?, sum)));
        data.months = MonthTotals::select(reading.days, data.counted_days, &reading.person, [], expenses);
        if group_by == MonthGrouping::None {
            data.expenses.iter_mut().for_each(|(_, month, _)| *month = None);
        }
    }
    let types = [TransactionType::Expense];
    reading.data.planned = counted.planned(store, access, &query.days, facts, &types).await?;
    Ok(reading)
}

/// Converts the rows of expenses and refunds by category. A refund without a purchase has its own category.
pub(super) fn map(rows: &Rows) -> Result<CategoryTotals, Error> {
    let mut totals = CategoryTotals::default();
    for row in rows.map(Ok)? {
        if row.get::<&str>("category")? == IncomeCategory::Refund.as_str() {
            totals.unlinked_refunds.extend(row.refunds()?);
            continue;
        }
        let (category, period) = (row.parsed("category", ExpenseCategory::parse)?, row.get("period")?);
        totals.expenses.extend(row.expenses()?.map(|sum| (category, period, sum)));
        totals.refunds.extend(row.refunds()?.map(|sum| (category, sum)));
    }
    Ok(totals)
}
