//! Cash flow: income, expenses and their difference.

use crate::money::Money;
use crate::tally::Unconverted;

/// Income and expenses of a range, in the preferred currency. Internal transfers never count.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashflowSummary {
    /// Total expenses, 0 or more.
    #[schemars(extend("x-tool-description" = "0 or more."))]
    pub expense_total: Money,
    /// Total income, refunds included, 0 or more.
    #[schemars(extend("x-tool-description" = "0 or more; includes refunds."))]
    pub income_total: Money,
    /// Income minus expenses; signed.
    #[schemars(extend("x-tool-description" = "Income minus expenses."))]
    pub net: Money,
    /// Amounts missing from the totals for lack of an exchange rate; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Amounts missing from the totals for lack of an exchange rate."))]
    pub unconverted: Vec<Unconverted>,
}
