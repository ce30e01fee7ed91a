//! The monthly budgets of the household.

use passbook_domain::category::{Category, ExpenseCategory as Spent, IncomeCategory as Received};

use super::accounts::currency;
use super::person::USER_ID;
use passbook_records::id;
use passbook_records::record::Budget;

/// The budgets: category, monthly target in hundredths (`None` for a category without a target), and currency.
#[rustfmt::skip]
const TARGETS: &[(Category, Option<i64>, &str)] = &[
    (Category::Expense(Spent::Rent), Some(122_000), "EUR"),
    (Category::Expense(Spent::Groceries), Some(52_000), "EUR"),
    (Category::Expense(Spent::Restaurant), Some(18_000), "EUR"),
    (Category::Expense(Spent::Coffee), Some(5_000), "EUR"),
    (Category::Expense(Spent::Clothing), Some(8_000), "EUR"),
    (Category::Expense(Spent::Energy), Some(9_500), "EUR"),
    (Category::Expense(Spent::PublicTransport), Some(6_500), "EUR"),
    (Category::Expense(Spent::Books), Some(3_000), "EUR"),
    (Category::Expense(Spent::Subscriptions), Some(9_000), "USD"),
    (Category::Expense(Spent::Concert), None, "EUR"),
    (Category::Income(Received::Salary), Some(350_000), "EUR"),
    (Category::Income(Received::Freelance), Some(45_000), "USD"),
    (Category::Income(Received::Interest), Some(2_500), "EUR"),
    (Category::Income(Received::Dividend), None, "EUR"),
];

/// Returns every budget.
pub(super) fn records() -> impl Iterator<Item = Budget> {
    TARGETS.iter().map(|(category, target_cents, code)| Budget {
        user_id: USER_ID,
        budget_id: id::derive(USER_ID, "budget", category.as_str()),
        category: *category,
        target_cents: *target_cents,
        currency: currency(code),
    })
}
