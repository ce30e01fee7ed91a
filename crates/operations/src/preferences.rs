//! The user's preferences.

use domain::category::ExpenseCategory;
use domain::scope::Scope;

use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::service::Context;

/// The operation.
#[derive(Debug)]
pub struct Preferences;

/// What the user chose.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Preferences")]
pub struct UserPreferences {
    /// Expense categories left out of cashflow, spending, merchants and budget summary; sorted. New values may
    /// appear: tolerate unknown ones.
    pub excluded_categories: Vec<ExpenseCategory>,
}

impl Operation for Preferences {
    const SPEC: Spec = Spec {
        id: "preferences",
        path: "/v1/preferences",
        tool: Some(Tool {
            name: "get_preferences",
            title: "Preferences",
            description: "The expense categories that the user excludes from cashflow, spending, merchants and budget summary. Explains why a total leaves something out; includeExcluded, where a tool takes it, counts them all the same. Single transactions, banks and the portfolio are never affected.",
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
