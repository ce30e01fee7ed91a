//! Budgets: planned expenses and expected income.

use uuid::Uuid;

use crate::category::{ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::money::Money;
use crate::tally::Unconverted;

/// Actual and budgeted expenses of one category in a month.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct BudgetSummaryEntry {
    /// The expense category. New values may appear: tolerate unknown ones.
    pub category: ExpenseCategory,
    /// Spending in that category in the month.
    #[schemars(extend("x-tool-description" = "Spending in the month."))]
    pub total: Money,
    /// The currency of the totals: the preferred one.
    pub currency: Currency,
    /// The target for a month; absent when none is set, or when it cannot be converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    #[schemars(extend("x-tool-description" = "Target for a month; absent if there is none, or no exchange rate."))]
    pub target: Option<Money>,
    /// Amounts missing from the total, and a target (without `transactionCount`), for lack of an exchange rate; absent if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Amounts missing from total, and a target, for lack of an exchange rate."))]
    pub unconverted: Vec<Unconverted>,
}

/// The budget of one income category.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct BudgetCategoryEntry {
    /// The income category. New values may appear: tolerate unknown ones.
    pub category: IncomeCategory,
    /// The amount expected in a month, in hundredths of `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Amount expected in a month, in hundredths of currency."))]
    pub target_amount_cents: Option<i64>,
    /// The currency of the target, as stored.
    #[schemars(extend("x-tool-description" = "As stored."))]
    pub currency: Currency,
    /// The budget's identifier.
    pub id: Uuid,
}
