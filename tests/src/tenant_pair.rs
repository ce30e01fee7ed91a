//! Tenants for isolation tests: the same household for several people, with a mark in every row.
//!
//! The tenants have the same banks, accounts, merchants, dates, currencies and budgets. Every row of a tenant has a
//! mark that no row of another tenant has:
//!
//! - a word in its texts;
//! - the last twelve digits of its identifiers. The rest of an identifier is the same for all tenants, so the rows of
//!   the tenants are adjacent in every order;
//! - the size of its amounts, which are base amounts multiplied by the tenant's factor.

mod imports;
mod ledger;
mod portfolio;
mod tenant;

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};

pub use tenant::{Tenant, nonexistent_neighbor, unmarked};

/// Categories that no tenant uses.
pub const UNUSED_CATEGORIES: [Category; 2] =
    [Category::Expense(ExpenseCategory::Veterinary), Category::Income(IncomeCategory::RentalIncome)];

impl Tenant {
    /// A tenant with a marker word, a factor and two categories.
    pub fn new(word: &str, factor: i64, expense: ExpenseCategory, income: IncomeCategory) -> Tenant {
        let (mut tenant, token) = Tenant::without_records(word, factor, expense, income);
        ledger::fill(&mut tenant);
        portfolio::fill(&mut tenant);
        tenant.other_records.push(token);
        tenant
    }

    /// Two tenants. The smallest amount of the first exceeds the sum of all amounts of the second.
    pub fn pair() -> [Tenant; 2] {
        [
            Tenant::new("amaranth", 10_000_000, ExpenseCategory::Tobacco, IncomeCategory::Pension),
            Tenant::new("beryl", 1, ExpenseCategory::Gambling, IncomeCategory::Freelance),
        ]
    }
}
