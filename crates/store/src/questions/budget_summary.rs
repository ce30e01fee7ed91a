//! Expenses by category in a month, and what was meant to be spent.

use domain::Currency;
use domain::access::Access;
use domain::category::ExpenseCategory;
use domain::ports::{BudgetTotals, ReadError, Reading, Target};
use domain::range::Days;

use crate::pool::Store;
use crate::question::{BUDGET_TARGETS, SPENDING_CATEGORIES};

pub(crate) async fn ask(
    store: &Store,
    access: &Access<'_>,
    month: Days,
) -> Result<Reading<BudgetTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    // Pending rows count, excluded categories do not: the same as spending by category asks by default.
    let spending: &[_] = &[&user as _, &true as _, &false as _];
    let asked = [(SPENDING_CATEGORIES, spending), (BUDGET_TARGETS, &spending[..1])];
    store
        .read(access, &month, &asked, |rows| {
            let targets = rows[1].map(|row| {
                let target = Target {
                    amount_cents: row.get("target_cents")?,
                    currency: row.word("currency", Currency::parse)?,
                    converted_cents: row.get("converted_cents")?,
                };
                Ok((row.word("category", ExpenseCategory::parse)?, target))
            })?;
            Ok(BudgetTotals { expenses: rows[0].map(|row| row.category_sum())?, targets })
        })
        .await
}
