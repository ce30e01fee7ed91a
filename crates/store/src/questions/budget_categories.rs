//! The income categories that are budgeted for.

use domain::Currency;
use domain::access::Access;
use domain::budget::BudgetCategoryEntry;
use domain::category::IncomeCategory;
use domain::ports::{ReadError, Reading};
use domain::range::{DateRange, Days};

use crate::pool::Store;
use crate::question::BUDGET_CATEGORIES;

pub(crate) async fn ask(
    store: &Store,
    access: &Access<'_>,
) -> Result<Reading<Vec<BudgetCategoryEntry>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let asked = (BUDGET_CATEGORIES, &[&user as _][..]);
    store
        .read(access, &Days::Range(DateRange::default()), &[asked], |rows| {
            let entries = rows[0].map(|row| {
                Ok(BudgetCategoryEntry {
                    category: row.word("category", IncomeCategory::parse)?,
                    target_amount_cents: row.get("target_cents")?,
                    currency: row.word("currency", Currency::parse)?,
                    id: row.get("budget_id")?,
                })
            })?;
            Ok(entries)
        })
        .await
}
