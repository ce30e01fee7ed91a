//! A builder of small households: a person with a bank, accounts, transactions and budgets.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::portfolio::AccountType;
use passbook_domain::transaction::TransactionType;
use passbook_records::record::{Account, Bank, Budget, ExchangeRate, Record, Transaction, User};
use rust_decimal::Decimal;
use uuid::Uuid;

/// A person with a bank and accounts. Tests add transactions and budgets.
#[derive(Clone, Debug)]
pub struct Household {
    /// The person who owns the household's data.
    pub user: User,
    /// Account identifiers. Transactions are added to the first account.
    pub accounts: Vec<Uuid>,
    /// Transactions, in the order in which they were added.
    pub transactions: Vec<Transaction>,
    /// Budgets, in the order in which they were added.
    pub budgets: Vec<Budget>,
    /// The identifier of the bank of all accounts.
    pub bank: Uuid,
}

impl Household {
    /// Creates a household without transactions, with the euro as preferred currency and UTC as time zone.
    pub fn new() -> Household {
        let user_id = Uuid::new_v4();
        Household {
            user: User {
                user_id,
                email: format!("{}@example.com", user_id.simple()),
                preferred_currency: Currency::EUR,
                time_zone: "UTC".to_owned(),
                excluded_categories: Vec::new(),
            },
            accounts: vec![Uuid::new_v4(), Uuid::new_v4()],
            transactions: Vec::new(),
            budgets: Vec::new(),
            bank: Uuid::new_v4(),
        }
    }

    /// Adds an expense. Returns the transaction, so that the test can change it.
    pub fn expense(
        &mut self,
        date: &str,
        category: ExpenseCategory,
        cents: i64,
        currency: &str,
    ) -> &mut Transaction {
        self.row(date, TransactionType::Expense, Category::Expense(category), cents, currency)
    }

    /// Adds income. Returns the transaction, so that the test can change it.
    pub fn income(
        &mut self,
        date: &str,
        category: IncomeCategory,
        cents: i64,
        currency: &str,
    ) -> &mut Transaction {
        self.row(date, TransactionType::Income, Category::Income(category), cents, currency)
    }

    /// Adds a transaction of any type. Returns the transaction, so that the test can change it.
    pub fn row(
        &mut self,
        date: &str,
        transaction_type: TransactionType,
        category: Category,
        cents: i64,
        currency: &str,
    ) -> &mut Transaction {
        self.transactions.push(Transaction {
            user_id: self.user.user_id,
            transaction_id: Uuid::new_v4(),
            account_id: self.accounts[0],
            date: day(date),
            transaction_type,
            category,
            amount_cents: cents,
            currency: parse_currency(currency),
            title: format!("row {}", self.transactions.len()),
            pending: false,
            provider_category: None,
            merchant_name: None,
            linked_transaction_id: None,
            own_category_id: None,
            tags: Vec::new(),
            note: None,
        });
        self.transactions.last_mut().expect("just added")
    }

    /// Adds a budget with a monthly target.
    pub fn budget(&mut self, category: Category, target_cents: i64, currency: &str) {
        self.budgets.push(Budget {
            user_id: self.user.user_id,
            budget_id: Uuid::new_v4(),
            category,
            target_cents: Some(target_cents),
            currency: parse_currency(currency),
        });
    }

    /// Returns all records of the household, in the order in which they can be loaded.
    pub fn records(&self) -> Vec<Record> {
        let user_id = self.user.user_id;
        let bank = Bank::manual(user_id, self.bank, "First Platypus");
        let accounts = self.accounts.iter().enumerate().map(|(number, account_id)| {
            Record::Account(Account {
                user_id,
                account_id: *account_id,
                bank_id: self.bank,
                name: format!("Account {number}"),
                account_type: AccountType::Depository,
                subtype: "checking".to_owned(),
                currency: self.user.preferred_currency,
                balance_cents: None,
                balance_updated_at: None,
                opened_on: None,
                closed_on: None,
                rows_complete_from: None,
                source: None,
            })
        });
        let mut records = vec![Record::User(self.user.clone()), Record::Bank(bank)];
        records.extend(accounts);
        records.extend(self.transactions.iter().cloned().map(Record::Transaction));
        records.extend(self.budgets.iter().cloned().map(Record::Budget));
        records
    }
}

impl Default for Household {
    fn default() -> Household {
        Household::new()
    }
}

/// Creates an exchange rate: `units` of `currency` for one euro.
pub fn rate(date: &str, currency: &str, units: &str) -> Record {
    Record::ExchangeRate(ExchangeRate {
        currency: parse_currency(currency),
        as_of: day(date),
        units_per_base: decimal(units),
    })
}

/// Parses a date such as `2026-11-21`.
pub fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

/// Parses a decimal number.
pub fn decimal(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

/// Parses a currency code.
pub fn parse_currency(text: &str) -> Currency {
    Currency::parse(text).expect("a currency")
}
