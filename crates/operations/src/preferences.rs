//! The operation `preferences`: the user's settings.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::month_start::MonthStart;
use passbook_domain::scope::Scope;

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
    /// The currency of all totals.
    #[serde(rename = "preferredCurrency")]
    #[schemars(extend("x-tool-description" = "Currency of all totals."))]
    pub preferred_currency: Currency,
    /// IANA name of the user's time zone. It determines the current day.
    #[serde(rename = "timeZone")]
    #[schemars(extend("x-tool-description" = "IANA name."))]
    pub time_zone: String,
    /// The day from 1 to 28 on which the user's months begin, or `last-working-day`: that of the month before, Monday to
    /// Friday.
    #[schemars(extend("x-tool-description" = "Day on which months begin."))]
    pub month_start: MonthStart,
    /// The current day in the user's time zone, at which `timeRange` ends.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Current day in the time zone; timeRange ends here."))]
    pub today: Date,
}

impl Operation for Preferences {
    const SPEC: Spec = Spec {
        id: "preferences",
        path: "/v1/preferences",
        tool: Some(Tool {
            name: "get_preferences",
            title: "Preferences",
            description: "Today's date in the user's time zone, the time zone, the preferred currency, and the expense categories that the user excludes from cashflow, spending, merchants and budget summary. Explains why a total leaves something out; tools with includeExcluded can count them too.",
        }),
        scope: Some(Scope::PreferencesRead),
        summary: "Preferences",
        description: "The expense categories that the user excludes from cashflow, spending, merchants and budget summary, the preferred currency, the time zone and the current day in it. Transactions, banks and portfolio are never affected by the excluded categories.",
    };
    type Params = ();
    type Output = UserPreferences;
    type ToolOutput = UserPreferences;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<UserPreferences, Error> {
        let reading = context.ledger().person(context.access()).await?;
        let person = reading.person;
        Ok(UserPreferences {
            excluded_categories: person.excluded_categories,
            preferred_currency: person.preferred_currency,
            time_zone: person.time_zone,
            month_start: person.month_start,
            today: person.today,
        })
    }
}
