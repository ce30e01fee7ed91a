//! Scopes and surfaces: the data that a grant allows to read, and the interfaces that it allows to use.

use crate::string_enum::string_enum;

string_enum! {
    /// A data scope of the form `<area>:read`. Scopes are compared exactly; no scope includes another.
    Scope {
        TransactionsRead = "transactions:read",
        CashflowRead = "cashflow:read",
        SpendingRead = "spending:read",
        RecurringPaymentsRead = "recurring-payments:read",
        BudgetsRead = "budgets:read",
        BanksRead = "banks:read",
        PortfolioRead = "portfolio:read",
        PreferencesRead = "preferences:read",
    }
}

string_enum! {
    /// An interface of the service.
    Surface {
        /// The REST routes.
        Rest = "rest",
        /// The tool server for assistants (Model Context Protocol).
        Mcp = "mcp",
    }
}
