//! Queries the income categories that have a budget.

use passbook_domain::Currency;
use passbook_domain::access::Access;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::IncomeCategory;
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DateRange, Days};

use crate::error::Error;
use crate::query::BUDGET_CATEGORIES;
use crate::row::Row;
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
) -> Result<Reading<Vec<BudgetCategoryEntry>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let bound = (BUDGET_CATEGORIES, &[&user as _][..]);
    store.read(access, &Days::Range(DateRange::default()), &[bound], |rows| Ok(rows[0].map(entry)?)).await
}

fn entry(row: Row<'_>) -> Result<BudgetCategoryEntry, Error> {
    let category = row.parsed("category", IncomeCategory::parse)?;
    let target_amount_cents = row.get("target_cents")?;
    let currency = row.parsed("currency", Currency::parse)?;
    let mut entry = BudgetCategoryEntry::new(row.get("budget_id")?, category, currency);
    entry.target_amount_cents = target_amount_cents;
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use tokio_postgres::types::Type;
    use uuid::Uuid;

    use super::*;
    use crate::fixture::{Fixture, fault};
    use crate::row::Rows;

    fn row() -> Fixture {
        Fixture::new()
            .with("category", &Type::TEXT, "SALARY")
            .with("target_cents", &Type::INT8, None::<i64>)
            .with("currency", &Type::TEXT, "EUR")
            .with("budget_id", &Type::UUID, Uuid::nil())
    }

    #[test]
    fn expense_category_in_an_income_budget_names_query_and_column() {
        let entries = Rows::new(&BUDGET_CATEGORIES, [row()]).map(entry).expect("an entry");
        assert_eq!((entries[0].category, entries[0].target_amount_cents), (IncomeCategory::Salary, None));
        let wrong = Rows::new(&BUDGET_CATEGORIES, [row().with("category", &Type::TEXT, "RENT")]);
        assert_eq!(
            fault(&wrong.map(entry).expect_err("an expense category")).0,
            "budget_categories.category"
        );
    }
}
