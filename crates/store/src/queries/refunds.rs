//! Queries refunds by the category of their purchase.

use passbook_domain::category::ExpenseCategory;
use passbook_domain::tally::CurrencyTotal;

use super::counted::TotalsQuery;
use crate::error::Error;
use crate::query::{REFUNDS_BY_CATEGORY, REFUNDS_BY_CATEGORY_STORED};
use crate::row::Rows;

pub(super) const REFUNDS: TotalsQuery =
    TotalsQuery { stored: REFUNDS_BY_CATEGORY_STORED, matching: REFUNDS_BY_CATEGORY };

/// Totals of refunds, each with the category of its purchase; none without a purchase.
pub(super) type Refunds = Vec<(Option<ExpenseCategory>, CurrencyTotal)>;

pub(super) fn map(rows: &Rows) -> Result<Refunds, Error> {
    rows.map(|row| {
        let category: Option<&str> = row.get("category")?;
        let category = category.map(|_| row.parsed("category", ExpenseCategory::parse)).transpose()?;
        Ok((category, row.sum()?))
    })
}
