//! Cash flow: income, expenses and their difference.

use crate::average::CashflowPerMonth;
use crate::category::{ExpenseCategory, IncomeCategory};
use crate::comparison::CashflowComparison;
use crate::money::Money;
use crate::names::Resolved;
use crate::range::{DaySpan, Planned, ResolvedDays};
use crate::tally::Unconverted;

/// Income and expenses of a range, in the preferred currency. Internal transfers never count.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashflowSummary {
    /// The range, as resolved.
    #[serde(flatten)]
    pub days: ResolvedDays,
    /// Total expenses, 0 or more.
    #[schemars(extend("x-tool-description" = "0 or more."))]
    pub expense_total: Money,
    /// Total income, refunds included, 0 or more.
    #[schemars(extend("x-tool-description" = "0 or more; includes refunds."))]
    pub income_total: Money,
    /// Income minus expenses; signed.
    #[schemars(extend("x-tool-description" = "Income minus expenses."))]
    pub net: Money,
    /// Expenses in `excludedCategories`, which `expenseTotal` leaves out.
    #[schemars(extend("x-tool-description" = "Expenses in excludedCategories, not in expenseTotal."))]
    pub excluded_expense_total: Money,
    /// `net` minus `excludedExpenseTotal`; signed.
    #[schemars(extend("x-tool-description" = "net minus excludedExpenseTotal."))]
    pub net_with_excluded: Money,
    /// The part of `incomeTotal` that is refunds.
    #[schemars(extend("x-tool-description" = "The part of incomeTotal that is refunds."))]
    pub refund_total: Money,
    /// The parts of the totals that moved from or to accounts that are not stored here.
    #[schemars(extend("x-tool-description" = "Parts of the totals that moved from or to accounts unknown here."))]
    pub transfers_outside: TransfersOutside,
    /// `incomeTotal` by category, largest first, then by name.
    #[schemars(extend("x-tool-description" = "incomeTotal by category, largest first."))]
    pub income_categories: Vec<CategoryIncome>,
    /// The range, divided into months; absent unless `groupBy` is `month`. Months without income and expenses are
    /// included. A range without a first day starts at its first counted transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<CashflowPeriod>")]
    #[schemars(extend("x-tool-description" = "The months of the range; only with groupBy month."))]
    pub periods: Option<Vec<CashflowPeriod>>,
    /// The same totals of earlier days; absent unless `compareTo` names them, and for a range without days up to today.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CashflowComparison")]
    #[schemars(extend("x-tool-description" = "Of earlier days; only with compareTo."))]
    pub comparison: Option<CashflowComparison>,
    /// Transactions after today that the totals leave out because the range has no last day; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Planned")]
    #[schemars(extend("x-tool-description" = "After today, not counted."))]
    pub planned: Option<Planned>,
    /// Average of the complete months of the range; absent without such a month.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CashflowPerMonth")]
    #[schemars(extend("x-tool-description" = "Of the complete months of the range."))]
    pub average_per_month: Option<CashflowPerMonth>,
    /// The names of the request and what they name; absent if it has identifiers only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "argument, given, id and name of each given name."))]
    pub resolved: Vec<Resolved>,
    /// Names of merchants that are nearest to `merchantQuery`, if it matches nothing in the range; absent otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Nearest names, if merchantQuery matches nothing."))]
    pub nearest_merchants: Vec<String>,
    /// The expense categories that were left out; sorted.
    #[schemars(extend("x-tool-description" = "Categories that were left out."))]
    pub excluded_categories: Vec<ExpenseCategory>,
    /// Amounts missing from the totals because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, not in the totals."))]
    pub unconverted: Vec<Unconverted>,
    /// Amounts missing from `excludedExpenseTotal` because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, not in excludedExpenseTotal."))]
    pub excluded_unconverted: Vec<Unconverted>,
}

/// Money that moved from or to accounts that are not stored here: transfers without a second leg, which count as income and
/// expenses.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct TransfersOutside {
    /// Income of the category `TRANSFER_IN`.
    pub incoming: Money,
    /// Expenses of the categories `TRANSFER_OUT` and `CREDIT_CARD_PAYMENT`.
    pub outgoing: Money,
}

impl TransfersOutside {
    /// The categories of expenses that are transfers to accounts that are not stored here.
    pub const OUTGOING: [ExpenseCategory; 2] =
        [ExpenseCategory::TransferOut, ExpenseCategory::CreditCardPayment];
}

/// Income of one category.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryIncome {
    /// The income category. New values may appear: tolerate unknown ones.
    pub category: IncomeCategory,
    /// Total income of the category.
    pub total: Money,
    /// Number of transactions in the total.
    pub transaction_count: i64,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// Income and expenses of one month.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashflowPeriod {
    /// The month, such as `2026-10`.
    #[schemars(extend("x-tool-description" = "Month, such as 2026-10."))]
    pub period: String,
    /// Its days, cut to the range.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Total income, refunds included, 0 or more.
    pub income_total: Money,
    /// Total expenses, 0 or more.
    pub expense_total: Money,
    /// Income minus expenses; signed.
    pub net: Money,
    /// Amounts missing from the totals because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}
