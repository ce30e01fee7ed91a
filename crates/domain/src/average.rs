//! Averages per month, over the complete months of a range.

use crate::money::Money;
use crate::range::DaySpan;

/// Gross spending per month.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendingPerMonth {
    /// The days of the complete months.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Number of complete months.
    pub month_count: i64,
    /// Gross spending of these days, divided by the number of months.
    pub total_expense: Money,
}

/// Income and expenses per month.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashflowPerMonth {
    /// The days of the complete months.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Number of complete months.
    pub month_count: i64,
    /// Income of these days, divided by the number of months.
    pub income_total: Money,
    /// Expenses of these days, divided by the number of months.
    pub expense_total: Money,
    /// `incomeTotal` minus `expenseTotal`; signed.
    pub net: Money,
}
