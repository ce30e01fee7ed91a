//! One module per ledger method: the parameters of its queries and the mapping of their rows.

pub(crate) mod balances;
pub(crate) mod banks;
pub(crate) mod budget_categories;
pub(crate) mod budget_summary;
pub(crate) mod cashflow;
mod counted;
pub(crate) mod names;
pub(crate) mod portfolio;
pub(crate) mod portfolio_history;
pub(crate) mod recurring_payments;
pub(crate) mod spending;
pub(crate) mod spending_categories;
pub(crate) mod spending_labels;
pub(crate) mod top_merchants;
pub(crate) mod transactions;
