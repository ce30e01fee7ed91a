//! Queries the expenses and refunds of a month by category, and the monthly targets.

use passbook_domain::access::Access;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::ports::{BudgetTotals, CountedQuery, ReadError, Reading, Target};
use passbook_domain::range::Days;
use passbook_domain::transaction::TransactionType;
use passbook_domain::{Currency, Money};

use super::counted::CountedParameters;
use super::spending_categories::{self, SPENDING};
use crate::error::Error;
use crate::query::BUDGET_TARGETS;
use crate::row::{Row, Rows};
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    month: Days,
) -> Result<Reading<BudgetTotals>, ReadError> {
    let query = CountedQuery::EVERYTHING.with_excluded();
    let counted = CountedParameters::new(access, &query);
    let user = access.credential().user().as_uuid();
    let (spending, parameters) = counted.bind(&SPENDING, &[&None::<&str>]);
    let queries = [(spending, &parameters[..]), (BUDGET_TARGETS, &[&user as _])];
    let map = |rows: Vec<Rows>| {
        let spending = spending_categories::map(&rows[0])?;
        let mut totals = BudgetTotals::default();
        totals.expenses = spending.expenses.into_iter().map(|(category, _, sum)| (category, sum)).collect();
        totals.refunds = spending.refunds;
        totals.targets = rows[1].map(target)?;
        Ok(totals)
    };
    let (mut reading, facts) = store.read_with_facts(access, &month, &queries, map).await?;
    reading.data.planned = counted.planned(store, access, &month, facts, &[TransactionType::Expense]).await?;
    Ok(reading)
}

fn target(row: Row<'_>) -> Result<(ExpenseCategory, Target), Error> {
    let (cents, currency) = (row.get("target_cents")?, row.parsed("currency", Currency::parse)?);
    let target = Target::new(Money::new(cents, currency), row.get("converted_cents")?);
    Ok((row.parsed("category", ExpenseCategory::parse)?, target))
}

#[cfg(test)]
mod tests {
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    #[test]
    fn target_needs_cents_and_may_lack_a_rate() {
        let row = Fixture::new()
            .with("category", &Type::TEXT, "RENT")
            .with("target_cents", &Type::INT8, 120_000_i64)
            .with("currency", &Type::TEXT, "USD")
            .with("converted_cents", &Type::INT8, None::<i64>);
        let targets = Rows::new(&BUDGET_TARGETS, [row.clone()]).map(target).expect("a target");
        assert_eq!(targets[0].0, ExpenseCategory::Rent);
        assert_eq!((targets[0].1.amount_cents, targets[0].1.converted_cents), (120_000, None));
        let null = Rows::new(&BUDGET_TARGETS, [row.with("target_cents", &Type::INT8, None::<i64>)]);
        assert_eq!(fault(&null.map(target).expect_err("null cents")).0, "budget_targets.target_cents");
    }
}
