//! The list of the views.

/// A picture that an assistant's host can draw beside the answer of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Net worth over time.
    NetWorth,
    /// Accounts, wallets and holdings of today.
    Portfolio,
    /// Income and expense.
    Cashflow,
    /// Spending by category.
    Spending,
    /// The merchants with the highest totals.
    Merchants,
    /// Recurring and upcoming payments.
    Recurring,
    /// Spending of a month beside its budgets.
    Budgets,
    /// A list of transactions.
    Transactions,
    /// Status of the connected banks.
    Banks,
}

impl View {
    /// Every view.
    pub const ALL: [View; 9] = [
        View::NetWorth,
        View::Portfolio,
        View::Cashflow,
        View::Spending,
        View::Merchants,
        View::Recurring,
        View::Budgets,
        View::Transactions,
        View::Banks,
    ];

    /// Returns the name in addresses: lower-case words with hyphens.
    pub const fn name(self) -> &'static str {
        match self {
            View::NetWorth => "net-worth",
            View::Portfolio => "portfolio",
            View::Cashflow => "cashflow",
            View::Spending => "spending",
            View::Merchants => "merchants",
            View::Recurring => "recurring",
            View::Budgets => "budgets",
            View::Transactions => "transactions",
            View::Banks => "banks",
        }
    }

    /// Returns the title for people, in English.
    pub const fn title(self) -> &'static str {
        match self {
            View::NetWorth => "Net worth",
            View::Portfolio => "Accounts and holdings",
            View::Cashflow => "Income and expense",
            View::Spending => "Where it went",
            View::Merchants => "Top merchants",
            View::Recurring => "Recurring payments",
            View::Budgets => "Budgets",
            View::Transactions => "Transactions",
            View::Banks => "Bank connections",
        }
    }

    /// Returns the names of the tools whose structured content the view draws.
    pub const fn tools(self) -> &'static [&'static str] {
        match self {
            View::NetWorth => &["get_portfolio_history"],
            View::Portfolio => &["get_portfolio_snapshot"],
            View::Cashflow => &["get_cashflow_summary"],
            View::Spending => &["get_spending_by_category"],
            View::Merchants => &["get_top_merchants"],
            View::Recurring => &["detect_recurring_payments"],
            View::Budgets => &["get_budget_summary"],
            View::Transactions => &["search_transactions"],
            View::Banks => &["get_connected_banks_status"],
        }
    }

    /// Returns the module of the view and the name of the view's definition in the module.
    pub(crate) const fn definition(self) -> (&'static str, &'static str) {
        match self {
            View::NetWorth => ("modules/view_net_worth.js", "netWorthView"),
            View::Portfolio => ("modules/view_portfolio.js", "portfolioView"),
            View::Cashflow => ("modules/view_cashflow.js", "cashflowView"),
            View::Spending => ("modules/view_spending.js", "spendingView"),
            View::Merchants => ("modules/view_merchants.js", "merchantsView"),
            View::Recurring => ("modules/view_recurring.js", "recurringView"),
            View::Budgets => ("modules/view_budgets.js", "budgetsView"),
            View::Transactions => ("modules/view_transactions.js", "transactionsView"),
            View::Banks => ("modules/view_banks.js", "banksView"),
        }
    }
}
