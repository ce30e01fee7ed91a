//! Queries expenses and refunds by period, and the expenses of the equally long period before.

use passbook_domain::access::Access;
use passbook_domain::category::IncomeCategory;
use passbook_domain::period::GroupBy;
use passbook_domain::ports::{CountedQuery, ReadError, Reading, SpendingTotals};
use passbook_domain::transaction::TransactionType;

use super::counted::{CountedParameters, TotalsQuery, borrowed, period};
use crate::error::Error;
use crate::query::{SPENDING_BEFORE, SPENDING_BEFORE_STORED, SPENDING_PERIODS, SPENDING_PERIODS_STORED};
use crate::row::Rows;
use crate::store::Store;

const PERIODS: TotalsQuery = TotalsQuery { stored: SPENDING_PERIODS_STORED, matching: SPENDING_PERIODS };
const BEFORE: TotalsQuery = TotalsQuery { stored: SPENDING_BEFORE_STORED, matching: SPENDING_BEFORE };

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: GroupBy,
) -> Result<Reading<SpendingTotals>, ReadError> {
    let (counted, period) = (CountedParameters::new(access, query), period(group_by));
    let refunds = Some(vec![IncomeCategory::Refund.as_str()]);
    let mut bound = vec![counted.bind_totals(&PERIODS, &[&period]), counted.bind_totals(&BEFORE, &[])];
    bound.extend(counted.bind_days(&refunds));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0], &rows[1])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(2))?;
        Ok(totals)
    };
    store.read(access, &query.days, &borrowed(&bound), read).await
}

fn map(periods: &Rows, before: &Rows) -> Result<SpendingTotals, Error> {
    let mut sums = SpendingTotals::default();
    sums.previous = before.map(|row| row.sum())?;
    let rows = periods.map(|row| {
        let transaction_type = row.parsed("type", TransactionType::parse)?;
        Ok((transaction_type, row.get("period")?, row.sum()?))
    })?;
    for (transaction_type, period, sum) in rows {
        match transaction_type {
            TransactionType::Expense => sums.expenses.push((period, sum)),
            TransactionType::Income | TransactionType::InternalTransfer => sums.refunds.push(sum),
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::Fixture;

    fn row(transaction_type: &str, cents: i64) -> Fixture {
        Fixture::new()
            .with("type", &Type::TEXT, transaction_type)
            .with("period", &Type::DATE, Some(date(2026, 11, 1)))
            .with("currency", &Type::TEXT, "EUR")
            .with("count", &Type::INT8, 1_i64)
            .with("amount_cents", &Type::INT8, cents)
            .with("converted_cents", &Type::INT8, Some(cents))
    }

    #[test]
    fn income_rows_are_refunds() {
        let rows = [row("EXPENSE", 500), row("INCOME", 100)];
        let before = Rows::new(&SPENDING_BEFORE, [] as [Fixture; 0]);
        let sums = map(&Rows::new(&SPENDING_PERIODS, rows), &before).expect("sums");
        assert_eq!(sums.expenses.len(), 1);
        assert_eq!(sums.expenses[0].1.amount_cents, 500);
        assert_eq!(sums.refunds.iter().map(|sum| sum.amount_cents).collect::<Vec<i64>>(), [100]);
    }
}
