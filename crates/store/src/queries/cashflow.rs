//! Queries the totals of income by category and of expenses, by period and currency.

use passbook_domain::access::Access;
use passbook_domain::category::IncomeCategory;
use passbook_domain::period::MonthGrouping;
use passbook_domain::ports::{CashflowTotals, CountedQuery, ReadError, Reading};

use super::counted::{CountedParameters, TotalsQuery, borrowed, period};
use crate::error::Error;
use crate::query::{CASHFLOW, CASHFLOW_STORED};
use crate::row::Rows;
use crate::store::Store;

const TOTALS: TotalsQuery = TotalsQuery { stored: CASHFLOW_STORED, matching: CASHFLOW };

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: MonthGrouping,
) -> Result<Reading<CashflowTotals>, ReadError> {
    let (counted, period) = (CountedParameters::new(access, query), period(group_by.into()));
    let mut bound = vec![counted.bind_totals(&TOTALS, &[&period])];
    bound.extend(counted.bind_days(&None));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(1))?;
        Ok(totals)
    };
    store.read(access, &query.days, &borrowed(&bound), read).await
}

/// Converts the rows of totals. Rows with a category are income, rows without one are expenses.
fn map(rows: &Rows) -> Result<CashflowTotals, Error> {
    let mut totals = CashflowTotals::default();
    let rows = rows.map(|row| {
        let category: Option<&str> = row.get("category")?;
        let category = category.map(|_| row.parsed("category", IncomeCategory::parse)).transpose()?;
        Ok((category, row.get("period")?, row.sum()?))
    })?;
    for (category, period, sum) in rows {
        match category {
            Some(category) => totals.income.push((period, category, sum)),
            None => totals.expenses.push((period, sum)),
        }
    }
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    fn row(category: Option<&'static str>, cents: i64) -> Fixture {
        Fixture::new()
            .with("category", &Type::TEXT, category)
            .with("period", &Type::DATE, None::<Date>)
            .with("currency", &Type::TEXT, "EUR")
            .with("count", &Type::INT8, 1_i64)
            .with("amount_cents", &Type::INT8, cents)
            .with("converted_cents", &Type::INT8, Some(cents))
    }

    #[test]
    fn rows_with_a_category_are_income_and_rows_without_are_expenses() {
        let totals = map(&Rows::new(&CASHFLOW, [row(Some("SALARY"), 5), row(None, 3)])).expect("totals");
        assert_eq!((totals.income[0].1, totals.income[0].2.amount_cents), (IncomeCategory::Salary, 5));
        assert_eq!(totals.expenses.iter().map(|(_, sum)| sum.amount_cents).collect::<Vec<i64>>(), [3]);
    }

    #[test]
    fn expense_category_of_income_names_query_and_column() {
        let error = map(&Rows::new(&CASHFLOW, [row(Some("RENT"), 5)])).expect_err("no income category");
        assert_eq!(fault(&error).0, "cashflow.category");
    }
}
