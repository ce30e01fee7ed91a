//! What a credential may read, and through which surface.

use crate::string_enum::string_enum;

string_enum! {
    /// A data scope: `<area>:read`, matched exactly, without hierarchy.
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
    /// A way into the service.
    Surface {
        /// The REST routes.
        Rest = "rest",
        /// The tool server.
        Mcp = "mcp",
    }
}
