//! Queries expenses and refunds by period, and the expenses of the equally long period before.

use domain::access::Access;
use domain::period::GroupBy;
use domain::ports::{CountedQuery, ReadError, Reading, SpendingTotals};
use domain::transaction::TransactionType;

use super::counted::{CountedParameters, counted_days, extend_counted_days, period};
use crate::error::Error;
use crate::pool::Store;
use crate::query::{SPENDING_BEFORE, SPENDING_PERIODS};
use crate::row::Rows;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: GroupBy,
) -> Result<Reading<SpendingTotals>, ReadError> {
    let (counted, period) = (CountedParameters::new(access, query), period(group_by));
    let before = counted.as_sql();
    let [user, pending, excluded, categories, accounts, merchant] = before;
    let periods = [user, pending, excluded, categories, accounts, merchant, &period];
    let queries = [(SPENDING_PERIODS, &periods[..]), (SPENDING_BEFORE, &before[..])];
    store.read(access, &query.days, &queries, |rows| Ok(map(&rows[0], &rows[1])?)).await
}

fn map(periods: &Rows, before: &Rows) -> Result<SpendingTotals, Error> {
    let mut sums = SpendingTotals::default();
    sums.previous = before.map(|row| row.sum())?;
    let rows = periods.map(|row| {
        let transaction_type = row.parsed("type", TransactionType::parse)?;
        Ok((transaction_type, row.get("period")?, row.sum()?, counted_days(row)?))
    })?;
    for (transaction_type, period, sum, days) in rows {
        extend_counted_days(&mut sums.counted_days, days);
        match transaction_type {
            TransactionType::Expense => sums.expenses.push((period, sum)),
            TransactionType::Income | TransactionType::InternalTransfer => sums.refunds.push(sum),
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    fn row(transaction_type: &str, cents: i64, first: Date, last: Date) -> Fixture {
        Fixture::new()
            .with("type", &Type::TEXT, transaction_type)
            .with("period", &Type::DATE, Some(date(2026, 11, 1)))
            .with("currency", &Type::TEXT, "EUR")
            .with("count", &Type::INT8, 1_i64)
            .with("amount_cents", &Type::INT8, cents)
            .with("converted_cents", &Type::INT8, Some(cents))
            .with("first_counted", &Type::DATE, first)
            .with("last_counted", &Type::DATE, last)
    }

    fn no_rows() -> Rows {
        Rows::new(&SPENDING_BEFORE, [] as [Fixture; 0])
    }

    #[test]
    fn income_rows_are_refunds_and_counted_days_span_all_rows() {
        let rows = [
            row("EXPENSE", 500, date(2026, 11, 3), date(2026, 11, 9)),
            row("INCOME", 100, date(2026, 11, 1), date(2026, 11, 5)),
        ];
        let sums = map(&Rows::new(&SPENDING_PERIODS, rows), &no_rows()).expect("sums");
        assert_eq!(sums.expenses.len(), 1);
        assert_eq!(sums.expenses[0].1.amount_cents, 500);
        assert_eq!(sums.refunds.iter().map(|sum| sum.amount_cents).collect::<Vec<i64>>(), [100]);
        assert_eq!(sums.counted_days, Some((date(2026, 11, 1), date(2026, 11, 9))));
    }

    #[test]
    fn null_counted_day_names_query_and_column() {
        let row = row("EXPENSE", 500, date(2026, 11, 3), date(2026, 11, 9));
        let rows = Rows::new(&SPENDING_PERIODS, [row.with("first_counted", &Type::DATE, None::<Date>)]);
        let error = map(&rows, &no_rows()).expect_err("null day");
        assert_eq!(fault(&error).0, "spending_periods.first_counted");
    }
}
