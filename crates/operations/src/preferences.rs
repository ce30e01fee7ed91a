//! The operation `preferences`: the user's settings.

#[cfg(test)]
mod tests;

use domain::category::ExpenseCategory;
use domain::scope::Scope;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};

/// The user's preferences.
#[derive(Debug)]
pub struct Preferences;

/// Settings that the user chose.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Preferences")]
pub struct UserPreferences {
    /// Expense categories left out of cashflow, spending, merchants and budget summary; sorted. New values may
    /// appear: tolerate unknown ones.
    #[schemars(extend("x-tool-description" = "Left out of cashflow, spending, merchants and budget summary."))]
    pub excluded_categories: Vec<ExpenseCategory>,
}

impl Operation for Preferences {
    const SPEC: Spec = Spec {
        id: "preferences",
        path: "/v1/preferences",
        tool: Some(Tool {
            name: "get_preferences",
            title: "Preferences",
            description: "The expense categories that the user excludes from cashflow, spending, merchants and budget summary. Explains why a total leaves something out; tools with includeExcluded can count them too. Single transactions, banks and the portfolio are never affected.",
            wrapper: None,
        }),
        scope: Some(Scope::PreferencesRead),
        summary: "Preferences",
        description: "The expense categories that the user excludes from cashflow, spending, merchants and budget summary. Transactions, banks and portfolio are never affected.",
    };
    type Params = ();
    type Output = UserPreferences;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<UserPreferences, Error> {
        let reading = context.ledger().person(context.access()).await?;
        Ok(UserPreferences { excluded_categories: reading.person.excluded_categories })
    }
}
