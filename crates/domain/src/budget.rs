//! Budgets: planned expenses and expected income.

use uuid::Uuid;

use crate::category::{ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::money::Money;
use crate::range::Planned;
use crate::tally::Unconverted;

/// Actual and budgeted expenses of one category in a month.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct BudgetSummaryEntry {
    /// The expense category. New values may appear: tolerate unknown ones.
    pub category: ExpenseCategory,
    /// Spending in that category in the month; in the current month, up to today.
    #[schemars(extend("x-tool-description" = "Spending in the month."))]
    pub total: Money,
    /// Refunds received in the month for purchases in that category, also earlier ones.
    #[schemars(extend("x-tool-description" = "Refunds in the month for purchases of the category."))]
    pub refunded: Money,
    /// `total` minus `refunded`; signed.
    #[schemars(extend("x-tool-description" = "total minus refunded."))]
    pub net: Money,
    /// The currency of the totals: the preferred one.
    pub currency: Currency,
    /// The target for a month; absent when none is set, or when it cannot be converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    #[schemars(extend("x-tool-description" = "Target for a month; absent if there is none, or it is not convertible."))]
    pub target: Option<Money>,
    /// `target` minus `net`; signed, below 0 if more was spent. Absent without `target`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    #[schemars(extend("x-tool-description" = "target minus net."))]
    pub remaining: Option<Money>,
    /// True for a category that the person excludes from totals; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-tool-description" = "Left out of totals."))]
    pub excluded: bool,
    /// Amounts missing from the total, and with the type `INCOME` from `refunded`, because they cannot be converted, and such
    /// a target (without `transactionCount`); absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Amounts and a target not convertible, not in total."))]
    pub unconverted: Vec<Unconverted>,
}

/// Spending against targets in one month. In JSON it is the list of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetSummary {
    /// The expense categories with spending, refunds or a target, by category.
    pub entries: Vec<BudgetSummaryEntry>,
    /// The month, 1 to 12.
    pub month: i8,
    /// The calendar year.
    pub year: i16,
    /// Expenses of the month after today, which are left out of the current month.
    pub planned: Option<Planned>,
    /// The expense categories that the person excludes from totals, of which an entry is marked; sorted.
    pub excluded_categories: Vec<ExpenseCategory>,
}

impl serde::Serialize for BudgetSummary {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.serialize(serializer)
    }
}

impl schemars::JsonSchema for BudgetSummary {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "BudgetSummary".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<BudgetSummaryEntry>::json_schema(generator)
    }
}

/// Spending against targets in one month, with the month. The result of the tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthBudgets {
    /// The expense categories with spending, refunds or a target, by category.
    #[schemars(extend("x-tool-description" = "Every expense category with spending, refunds or a target."))]
    pub budgets: Vec<BudgetSummaryEntry>,
    /// The month, 1 to 12.
    pub month: i8,
    /// The calendar year.
    pub year: i16,
    /// Expenses after today, left out of the current month; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Planned")]
    #[schemars(extend("x-tool-description" = "After today, not counted."))]
    pub planned: Option<Planned>,
    /// The expense categories that the person excludes from totals, of which an entry is marked; sorted.
    #[schemars(extend("x-tool-description" = "Marked."))]
    pub excluded_categories: Vec<ExpenseCategory>,
}

impl From<BudgetSummary> for MonthBudgets {
    fn from(summary: BudgetSummary) -> MonthBudgets {
        MonthBudgets {
            budgets: summary.entries,
            month: summary.month,
            year: summary.year,
            planned: summary.planned,
            excluded_categories: summary.excluded_categories,
        }
    }
}

/// The budgeted income categories in an object. The result of the tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct BudgetedIncome {
    /// The budgeted income categories, by category.
    pub categories: Vec<BudgetCategoryEntry>,
}

impl From<Vec<BudgetCategoryEntry>> for BudgetedIncome {
    fn from(categories: Vec<BudgetCategoryEntry>) -> BudgetedIncome {
        BudgetedIncome { categories }
    }
}

/// The budget of one income category.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
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

impl BudgetCategoryEntry {
    /// Creates the budget of an income category without a target.
    pub fn new(id: Uuid, category: IncomeCategory, currency: Currency) -> BudgetCategoryEntry {
        BudgetCategoryEntry { category, target_amount_cents: None, currency, id }
    }
}
