//! Cash flow: income, expenses and their difference.

use crate::money::Money;
use crate::tally::Unconverted;

/// Income and expenses of a range, in the preferred currency. Internal transfers never count.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashflowSummary {
    /// Total expenses, 0 or more.
    pub expense_total: Money,
    /// Total income, refunds included, 0 or more.
    pub income_total: Money,
    /// Income minus expenses; signed.
    pub net: Money,
    /// What is missing from the totals because no rate is stored; absent when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}
