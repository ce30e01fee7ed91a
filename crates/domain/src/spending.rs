//! Spending over time, by category and by merchant. Gross spending, refunds and net spending are separate totals.

use crate::average::SpendingPerMonth;
use crate::category::{CategoryGroup, ExpenseCategory};
use crate::comparison::SpendingComparison;
use crate::label::LabelSpending;
use crate::money::Money;
use crate::names::Resolved;
use crate::percent::Percent;
use crate::range::{DaySpan, Planned, ResolvedDays};
use crate::tally::Unconverted;

/// Spending in a range and in each period of the range.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendingSummary {
    /// The range, as resolved.
    #[serde(flatten)]
    pub days: ResolvedDays,
    /// Gross spending.
    pub total_expense: Money,
    /// Refunds received in the range (`INCOME`/`REFUND`). The filters select the purchase of a refund, or without a
    /// purchase the refund itself.
    pub total_refunds: Money,
    /// Gross spending minus refunds; signed.
    pub net_spending: Money,
    /// Gross spending per day of the days up to today; a range without a first day starts at its first counted expense. Absent
    /// without such a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    pub average_per_day: Option<Money>,
    /// Number of expenses in the total.
    pub transaction_count: i64,
    /// The same number of days as those of the range up to today, directly before the range; absent without such days, and for a
    /// range without a first day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PreviousPeriod")]
    pub previous_period: Option<PreviousPeriod>,
    /// The range, divided by `groupBy`. Periods without spending are included. Empty when `groupBy` is `none`.
    pub periods: Vec<SpendingPeriod>,
    /// The same totals of earlier days; absent unless `compareTo` names them, and for a range without days up to today.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SpendingComparison")]
    pub comparison: Option<SpendingComparison>,
    /// Transactions after today that the totals leave out because the range has no last day; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Planned")]
    pub planned: Option<Planned>,
    /// Average of the complete months of the range; absent without such a month.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SpendingPerMonth")]
    #[schemars(extend("x-tool-description" = "Of the complete months of the range."))]
    pub average_per_month: Option<SpendingPerMonth>,
    /// The names of the request and what they name; absent if it has identifiers only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "argument, given, id and name of each given name."))]
    pub resolved: Vec<Resolved>,
    /// Names of merchants that are nearest to `merchantQuery`, if it matches nothing in the range; absent otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Nearest names, if merchantQuery matches nothing."))]
    pub nearest_merchants: Vec<String>,
    /// The expense categories that were left out; sorted.
    pub excluded_categories: Vec<ExpenseCategory>,
    /// Amounts missing from the totals because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// The days directly before a range, as many as its days up to today.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviousPeriod {
    /// Its days.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Gross spending then.
    pub total_expense: Money,
    /// Change from this total to the expenses of the range up to today, in percent; absent if this total is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Percent")]
    pub change_percent: Option<Percent>,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// Spending in one month, ISO week or day.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendingPeriod {
    /// `2026-10`, `2026-W43` or `2026-10-22`.
    pub period: String,
    /// Its days, cut to the range.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Gross spending.
    pub total_expense: Money,
    /// Number of expenses in the total.
    pub transaction_count: i64,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// Spending in a range by category.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendingByCategory {
    /// The range, as resolved.
    #[serde(flatten)]
    pub days: ResolvedDays,
    /// Gross spending.
    #[schemars(extend("x-tool-description" = "Gross spending."))]
    pub total_expense: Money,
    /// Refunds received in the range: those of `categories` and `unlinkedRefunds`.
    #[schemars(extend("x-tool-description" = "Refunds in the range, unlinkedRefunds included; not subtracted."))]
    pub total_refunds: Money,
    /// Refunds received in the range without a known purchase, and so without a category.
    #[schemars(extend("x-tool-description" = "Refunds without a known purchase; in no category."))]
    pub unlinked_refunds: Money,
    /// Largest first, then by name. Percentages add up to exactly 100.00.
    #[schemars(extend("x-tool-description" = "Largest first; percentages add up to 100.00."))]
    pub categories: Vec<CategorySpending>,
    /// Spending by own category, tag or account, largest first, then by name, with one entry for expenses that have none; absent
    /// unless `groupBy` is `ownCategory`, `tag` or `account`. The entries add up to `totalExpense` and `groupsOverlap`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<LabelSpending>")]
    #[schemars(extend("x-tool-description" = "Only with groupBy; sum: totalExpense + groupsOverlap."))]
    pub groups: Option<Vec<LabelSpending>>,
    /// The amount by which the entries of `groups` exceed `totalExpense`, because expenses with several tags are in several
    /// entries; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    #[schemars(extend("x-tool-description" = "Of expenses with several tags."))]
    pub groups_overlap: Option<Money>,
    /// Spending without a category; it is an entry of the list too.
    #[schemars(extend("x-tool-description" = "Spending without a category; also listed."))]
    pub uncategorized_total: Money,
    /// The same totals of earlier days; absent unless `compareTo` names them, and for a range without days up to today.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SpendingComparison")]
    #[schemars(extend("x-tool-description" = "Of earlier days; only with compareTo."))]
    pub comparison: Option<SpendingComparison>,
    /// Transactions after today that the totals leave out because the range has no last day; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Planned")]
    #[schemars(extend("x-tool-description" = "After today, not counted."))]
    pub planned: Option<Planned>,
    /// Average of the complete months of the range; absent without such a month.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SpendingPerMonth")]
    #[schemars(extend("x-tool-description" = "Of the complete months of the range."))]
    pub average_per_month: Option<SpendingPerMonth>,
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
    /// Amounts missing from the totals and refunds because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, not in totals and refunds."))]
    pub unconverted: Vec<Unconverted>,
}

/// Spending in one category.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategorySpending {
    /// The expense category. New values may appear: tolerate unknown ones.
    pub category: ExpenseCategory,
    /// The family of categories it belongs to.
    pub group: CategoryGroup,
    /// Gross spending.
    #[schemars(extend("x-tool-description" = "Gross spending."))]
    pub total: Money,
    /// Share of `totalExpense`, 0 to 100.
    #[schemars(extend("x-tool-description" = "Share of totalExpense."))]
    pub percent_of_total: Percent,
    /// Number of expenses in the total.
    pub transaction_count: i64,
    /// Refunds received in the range for purchases of this category; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    #[schemars(extend("x-tool-description" = "Refunds in the range for purchases of this category; not subtracted."))]
    pub refunds: Option<Money>,
    /// The range, divided into months, the same for every category; absent unless `groupBy` is `month`. Months without
    /// spending are included. A range without a first day starts at its first counted expense.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<CategoryPeriod>")]
    #[schemars(extend("x-tool-description" = "Gross spending by month; only with groupBy month."))]
    pub periods: Option<Vec<CategoryPeriod>>,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// Spending in one category in one month.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct CategoryPeriod {
    /// The month, such as `2026-10`.
    #[schemars(extend("x-tool-description" = "Month, such as 2026-10."))]
    pub period: String,
    /// Gross spending.
    pub total: Money,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// The merchants with the largest spending.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TopMerchants {
    /// The range, as resolved.
    #[serde(flatten)]
    pub days: ResolvedDays,
    /// Gross spending of the range, at all merchants.
    pub total_expense: Money,
    /// Refunds received in the range for the purchases that the filters select, and refunds without a purchase.
    #[schemars(extend("x-tool-description" = "Refunds in the range."))]
    pub refunds: Money,
    /// `totalExpense` minus `refunds`; signed.
    #[schemars(extend("x-tool-description" = "totalExpense minus refunds."))]
    pub net: Money,
    /// Largest first, then by name; at most `limit` entries.
    #[schemars(extend("x-tool-description" = "Largest first."))]
    pub merchants: Vec<MerchantSpending>,
    /// Transactions after today that the totals leave out because the range has no last day; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Planned")]
    #[schemars(extend("x-tool-description" = "After today, not counted."))]
    pub planned: Option<Planned>,
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
    /// Amounts missing from `totalExpense`, and with the type `INCOME` from `refunds`, because they cannot be converted;
    /// absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, not in totalExpense; type INCOME: not in refunds."))]
    pub unconverted: Vec<Unconverted>,
}

/// Spending at one merchant.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MerchantSpending {
    /// Name of the merchant, or title of a row without one. Names that differ only in case and in numbers are one merchant, shown
    /// in the most recent spelling.
    #[schemars(extend("x-tool-description" = "Most recent spelling."))]
    pub merchant: String,
    /// Gross spending.
    #[schemars(extend("x-tool-description" = "Gross spending."))]
    pub total: Money,
    /// Refunds received in the range for purchases at the merchant, also earlier ones.
    #[schemars(extend("x-tool-description" = "Refunds in the range for purchases here."))]
    pub refunds: Money,
    /// `total` minus `refunds`; signed.
    #[schemars(extend("x-tool-description" = "total minus refunds."))]
    pub net: Money,
    /// Share of `totalExpense`, 0 to 100. The list is partial, so the shares need not add up.
    #[schemars(extend("x-tool-description" = "Share of totalExpense; the list is partial."))]
    pub percent_of_total: Percent,
    /// Number of expenses in the total.
    pub transaction_count: i64,
    /// Amounts missing from the total, and with the type `INCOME` from the refunds, because they cannot be converted;
    /// absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}
