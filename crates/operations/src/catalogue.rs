//! The catalogue: the only list of all operations of Passbook.

use crate::operation::Operation;

/// Code that runs once for each operation, with the operation's types.
pub trait Visitor {
    /// Runs the code for the operation `O`.
    fn visit<O: Operation>(&mut self);
}

/// Calls the visitor for every operation of Passbook, in the order of the contract.
pub fn visit(visitor: &mut impl Visitor) {
    visitor.visit::<crate::me::Me>();
    visitor.visit::<crate::transactions::Transactions>();
    visitor.visit::<crate::cashflow_summary::CashflowSummary>();
    visitor.visit::<crate::spending_summary::SpendingSummary>();
    visitor.visit::<crate::spending_categories::SpendingCategories>();
    visitor.visit::<crate::top_merchants::TopMerchants>();
    visitor.visit::<crate::recurring_payments::RecurringPayments>();
    visitor.visit::<crate::budget_summary::BudgetSummary>();
    visitor.visit::<crate::budget_categories::BudgetCategories>();
    visitor.visit::<crate::banks_status::BanksStatus>();
    visitor.visit::<crate::portfolio::Portfolio>();
    visitor.visit::<crate::portfolio_history::PortfolioHistory>();
    visitor.visit::<crate::preferences::Preferences>();
}
