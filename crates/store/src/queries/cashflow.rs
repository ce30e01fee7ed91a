//! Queries the totals of income by category and of expenses, by period and currency.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::category::IncomeCategory;
use passbook_domain::period::MonthGrouping;
use passbook_domain::ports::{CashflowTotals, CountedQuery, MonthTotals, ReadError, Reading};
use passbook_domain::tally::CurrencyTotal;
use passbook_domain::transaction::TransactionType;

use super::counted::{CountedParameters, TotalsQuery, borrowed, stored_months};
use crate::error::Error;
use crate::query::{CASHFLOW, CASHFLOW_STORED, CASHFLOW_UNFILTERED};
use crate::row::Rows;
use crate::store::Store;

const TOTALS: TotalsQuery =
    TotalsQuery { unfiltered: CASHFLOW_UNFILTERED, stored: CASHFLOW_STORED, matching: CASHFLOW };

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: MonthGrouping,
) -> Result<Reading<CashflowTotals>, ReadError> {
    let counted = CountedParameters::new(access, query);
    let period = counted.period(group_by.into());
    let mut bound = vec![counted.bind(&TOTALS, &[&period])];
    bound.extend(counted.bind_months(&None));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(1))?;
        totals.months = rows.get(1).map(stored_months).transpose()?.flatten();
        Ok(totals)
    };
    let (mut reading, facts) = store.read_with_facts(access, &query.days, &borrowed(&bound), read).await?;
    if counted.adds_up_months() {
        let data = &mut reading.data;
        let income = data.income.iter().filter_map(|(month, _, sum)| Some(((*month)?, sum)));
        let expenses = data.expenses.iter().filter_map(|(month, sum)| Some(((*month)?, sum)));
        let counted_days = data.counted_days;
        data.months = MonthTotals::select(reading.days, counted_days, &reading.person, income, expenses);
        if group_by == MonthGrouping::None {
            data.income.iter_mut().for_each(|(month, ..)| *month = None);
            data.expenses.iter_mut().for_each(|(month, _)| *month = None);
        }
    }
    let types = [TransactionType::Income, TransactionType::Expense];
    reading.data.planned = counted.planned(store, access, &query.days, facts, &types).await?;
    Ok(reading)
}

/// Converts the rows of totals by their type. The rows of expenses contain those of excluded categories.
fn map(rows: &Rows) -> Result<CashflowTotals, Error> {
    let mut totals = CashflowTotals::default();
    let mut excluded: Vec<(Option<Date>, CurrencyTotal)> = Vec::new();
    for row in rows.map(Ok)? {
        let period = row.get("period")?;
        match row.get("type")? {
            "INCOME" => {
                totals.income.push((period, row.parsed("category", IncomeCategory::parse)?, row.sum()?))
            }
            "OUTGOING" => totals.outgoing.push(row.sum()?),
            "EXCLUDED" => excluded.push((period, row.sum()?)),
            _ => totals.expenses.push((period, row.sum()?)),
        }
    }
    for (period, part) in &excluded {
        let is_whole = |(of, sum): &&mut (Option<Date>, CurrencyTotal)| {
            of == period
                && sum.currency == part.currency
                && sum.converted_cents.is_some() == part.converted_cents.is_some()
        };
        if let Some((_, whole)) = totals.expenses.iter_mut().find(is_whole) {
            whole.count -= part.count;
            whole.amount_cents -= part.amount_cents;
            whole.converted_cents =
                whole.converted_cents.zip(part.converted_cents).map(|(sum, part)| sum - part);
        }
    }
    totals.expenses.retain(|(_, sum)| sum.count != 0);
    totals.excluded = excluded.into_iter().map(|(_, sum)| sum).collect();
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    fn row(kind: &'static str, category: &'static str, cents: i64) -> Fixture {
        Fixture::new()
            .with("type", &Type::TEXT, kind)
            .with("category", &Type::TEXT, category)
            .with("period", &Type::DATE, None::<Date>)
            .with("currency", &Type::TEXT, "EUR")
            .with("count", &Type::INT8, cents)
            .with("amount_cents", &Type::INT8, cents)
            .with("converted_cents", &Type::INT8, Some(cents))
    }

    #[test]
    fn type_of_a_row_chooses_its_total_and_expenses_lose_the_excluded_ones() {
        let rows = [
            row("INCOME", "SALARY", 5),
            row("EXPENSE", "ALL", 9),
            row("EXCLUDED", "VACATION", 2),
            row("OUTGOING", "TRANSFER_OUT", 3),
        ];
        let totals = map(&Rows::new(&CASHFLOW, rows)).expect("totals");
        assert_eq!((totals.income[0].1, totals.income[0].2.amount_cents), (IncomeCategory::Salary, 5));
        let expenses: Vec<_> =
            totals.expenses.iter().map(|(_, sum)| (sum.amount_cents, sum.converted_cents)).collect();
        assert_eq!(expenses, [(7, Some(7))]);
        assert_eq!((totals.excluded[0].count, totals.outgoing[0].count), (2, 3));
        let all = map(&Rows::new(&CASHFLOW, [row("EXPENSE", "ALL", 2), row("EXCLUDED", "VACATION", 2)]));
        assert_eq!(all.expect("totals").expenses, []);
    }

    #[test]
    fn expense_category_of_income_names_query_and_column() {
        let error = map(&Rows::new(&CASHFLOW, [row("INCOME", "RENT", 5)])).expect_err("no income category");
        assert_eq!(fault(&error).0, "cashflow.category");
    }
}
