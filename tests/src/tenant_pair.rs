//! Tenants for isolation tests: the same household for several people, with a mark in every row.
//!
//! The tenants have the same banks, accounts, merchants, dates, currencies and budgets. Every row of a tenant has a
//! mark that no row of another tenant has:
//!
//! - a word in its texts;
//! - the last twelve digits of its identifiers. The rest of an identifier is the same for all tenants, so the rows of
//!   the tenants are adjacent in every order;
//! - the size of its amounts, which are base amounts multiplied by the tenant's factor.

mod ledger;
mod portfolio;
mod tenant;

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
pub use tenant::{Tenant, nonexistent_neighbor, unmarked};

use crate::app::App;

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

impl App {
    /// Loads a pair of tenants, and the exchange rates of their currencies.
    pub async fn add_tenants(&self) -> [Tenant; 2] {
        let tenants = Tenant::pair();
        self.load(tenants.iter().flat_map(Tenant::records).chain(Tenant::rates())).await;
        tenants
    }
}

impl Tenant {
    /// Returns the statements that store an imported file, rules and a reconciliation for the tenant's first account.
    pub fn import_rows(&self) -> String {
        let (user, account, file) =
            (self.household.user.user_id, self.household.accounts[0], self.id("imported file"));
        let (word, cents) = (&self.word, self.factor);
        // The day through which an account is proven differs between tenants.
        let day = 1 + word.len();
        format!(
            "insert into passbook.import_files (user_id, file_id, digest, name, format, profile, date_order)
               values ('{user}', '{file}', sha256('{word}'), '{word}.csv', 'csv {word}', '{word}', 'dmy');
             insert into passbook.import_statements (user_id, file_id, statement, account_id, iban, bank, account_number,
               account_name, kind, sequence_number, lists_pending, withdrawn_ids)
               values ('{user}', '{file}', 0, '{account}', '{word}', '{word}', '{word}', '{word}', 'complete', '{word}',
                 false, '{{}}');
             insert into passbook.statement_balances (user_id, file_id, statement, position, kind, date, amount_cents, currency)
               values ('{user}', '{file}', 0, 0, 'closing', '2026-11-01', {cents}, 'EUR');
             insert into passbook.import_lines (user_id, file_id, statement, position, line, booking_date, amount_cents, currency,
               pending, source_id, source_id_is_authoritative, replaces, reference, counterparty_name, counterparty_account, description, bank_transaction_code,
               category, own_category, own_parent, tags, note, original_cents, original_currency, fee_included, transfer_with, raw)
               values ('{user}', '{file}', 0, 0, 1, '2026-11-01', {cents}, 'EUR', false, '{word}', false, '{word}', '{word}',
                 '{word}', '{word}', '{word}', '{word}', '{word}', '{word}', '{word}', '{{{word}}}', '{word}', {cents}, 'EUR', false,
                 '{word}', '{word}');
             insert into passbook.import_rules (user_id, name, rules) values ('{user}', '{word}', '# {word}');
             insert into passbook.csv_profiles (user_id, name, profile) values ('{user}', '{word}', '# {word}');
             insert into passbook.stated_balances (user_id, account_id, date, position, balance_cents)
               values ('{user}', '{account}', '2025-01-{day:02}', 0, {cents});
             insert into passbook.covered_days (user_id, account_id, first_day, last_day)
               values ('{user}', '{account}', '2025-01-01', '2025-01-{day:02}');"
        )
    }
}
