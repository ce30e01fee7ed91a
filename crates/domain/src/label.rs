//! Labels of transactions: own categories and tags. Fixed categories and their totals do not depend on them.

use uuid::Uuid;

use crate::category::Category;
use crate::money::Money;
use crate::percent::Percent;
use crate::tally::Unconverted;

/// An own category or a tag of a transaction.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Label {
    /// Its identifier, which a new name does not change.
    #[schemars(extend("x-tool-description" = "For ownCategories or tags."))]
    pub id: Uuid,
    /// Its name.
    pub name: String,
}

/// The kind of a label by which expenses are grouped; an account is one too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// Own categories. A transaction has at most one.
    OwnCategory,
    /// Tags. A transaction has at most 20.
    Tag,
    /// Accounts. A transaction has one.
    Account,
}

/// The label of a group of expenses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupLabel {
    /// The label.
    pub label: Label,
    /// The fixed category for which an own category stands; none for a tag or an account.
    pub category: Option<Category>,
    /// The own category that contains the own category.
    pub parent_id: Option<Uuid>,
}

impl GroupLabel {
    /// Creates the label of a group without a parent.
    pub fn new(id: Uuid, name: impl Into<String>, category: Option<Category>) -> GroupLabel {
        GroupLabel { label: Label { id, name: name.into() }, category, parent_id: None }
    }

    /// Sets the own category that contains the own category.
    #[must_use]
    pub fn with_parent(self, parent_id: Option<Uuid>) -> GroupLabel {
        GroupLabel { parent_id, ..self }
    }
}

/// Spending of one own category, tag or account, or of the expenses without one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelSpending {
    /// Identifier of the own category, tag or account; absent for expenses without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Uuid")]
    #[schemars(extend("x-tool-description" = "Absent for the rest."))]
    pub id: Option<Uuid>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// The fixed category for which the own category stands. Its transactions may have others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Category")]
    #[schemars(extend("x-tool-description" = "Fixed category."))]
    pub category: Option<Category>,
    /// Identifier of the own category that contains this one. Its own entry does not include this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Uuid")]
    #[schemars(extend("x-tool-description" = "Contains it; its total does not."))]
    pub parent_id: Option<Uuid>,
    /// Gross spending.
    #[schemars(extend("x-tool-description" = "Gross spending."))]
    pub total: Money,
    /// Share of `totalExpense`, 0 to 100.
    #[schemars(extend("x-tool-description" = "Share of totalExpense."))]
    pub percent_of_total: Percent,
    /// Number of expenses in the total.
    pub transaction_count: i64,
    /// Amounts missing from the total because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}
