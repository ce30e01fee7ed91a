//! The one person of the demo household, with the banks, accounts and budgets.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::category::{
    Category, ExpenseCategory, ExpenseCategory as Spent, IncomeCategory as Received,
};
use passbook_domain::portfolio::AccountType;
use passbook_records::id;
use passbook_records::record::{Account, Bank, Budget, User};
use uuid::Uuid;

use super::calendar::{Window, at, business_day_from, in_month};

/// Identifier of the demo person.
pub const USER_ID: Uuid = Uuid::from_u128(0xde30_0000_0000_4000_8000_0000_0000_0001);

/// E-mail address of the demo person.
pub const EMAIL: &str = "demo@passbook.example";

/// IANA time zone of the demo person; the household ends on the current day in this zone.
pub const TIME_ZONE: &str = "Europe/Berlin";

/// Returns the person with their settings.
pub(super) fn person() -> User {
    User {
        user_id: USER_ID,
        email: EMAIL.to_owned(),
        preferred_currency: Currency::EUR,
        time_zone: TIME_ZONE.to_owned(),
        excluded_categories: vec![ExpenseCategory::Vacation],
    }
}

/// A bank of the household.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Institution {
    /// The German bank, which receives the salary: connected and up to date.
    Hanse,
    /// The American bank: its owner has to sign in again before it can be updated.
    Platypus,
}

/// Number of days since the last successful update of the American bank.
const PLATYPUS_SILENT_DAYS: i32 = 6;

impl Institution {
    /// Both banks.
    pub(super) const ALL: [Institution; 2] = [Institution::Hanse, Institution::Platypus];

    fn key(self) -> &'static str {
        match self {
            Institution::Hanse => "hanse",
            Institution::Platypus => "platypus",
        }
    }

    fn bank_id(self) -> Uuid {
        id::derive(USER_ID, "bank", self.key())
    }

    /// Returns the day of the bank's last successful update.
    fn updated_on(self, today: Date) -> Date {
        match self {
            Institution::Hanse => today,
            Institution::Platypus => today - PLATYPUS_SILENT_DAYS.days(),
        }
    }

    /// Returns the bank with its connection status on `today`.
    pub(super) fn record(self, today: Date) -> Bank {
        let updated = self.updated_on(today);
        let working = Bank {
            user_id: USER_ID,
            bank_id: self.bank_id(),
            name: "Hanse Direktbank".to_owned(),
            status: BankStatus::Connected,
            new_accounts_available: false,
            last_successful_update: Some(at(updated, 4, 12)),
            last_failed_update: Some(at(today - 41.days(), 4, 12)),
            consent_expires_at: Some(at(today + 77.days(), 0, 0)),
            error_code: None,
        };
        match self {
            Institution::Hanse => working,
            Institution::Platypus => Bank {
                name: "First Platypus Bank".to_owned(),
                status: BankStatus::NeedsUpdate,
                new_accounts_available: true,
                last_failed_update: Some(at(today, 4, 13)),
                consent_expires_at: Some(at(updated, 12, 0)),
                error_code: Some("LOGIN_REQUIRED".to_owned()),
                ..working
            },
        }
    }
}

/// An account of the household.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OwnAccount {
    Checking,
    Savings,
    /// A savings account that was closed some months ago: it is absent from current balances and present in the
    /// history.
    OldSavings,
    Card,
    Brokerage,
    DollarChecking,
    TravelCard,
}

/// The properties of an account that do not depend on the day of generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    key: &'static str,
    name: &'static str,
    institution: Institution,
    account_type: AccountType,
    subtype: &'static str,
    currency: &'static str,
    /// Cash at the end of the day before the window, in hundredths of the account's currency; money owed is negative.
    pub(super) opening_cents: i64,
}

impl OwnAccount {
    /// Every account.
    pub(super) const ALL: [OwnAccount; 7] = [
        OwnAccount::Checking,
        OwnAccount::Savings,
        OwnAccount::OldSavings,
        OwnAccount::Card,
        OwnAccount::Brokerage,
        OwnAccount::DollarChecking,
        OwnAccount::TravelCard,
    ];

    /// Returns the fixed properties of the account.
    #[rustfmt::skip]
    pub(super) const fn facts(self) -> Facts {
        use AccountType::{Credit, Depository, Investment};
        use Institution::{Hanse, Platypus};
        let (key, name, institution, account_type, subtype, currency, opening_cents) = match self {
            OwnAccount::Checking => ("checking", "Girokonto", Hanse, Depository, "checking", "EUR", 434_067),
            OwnAccount::Savings => ("savings", "Tagesgeld", Hanse, Depository, "savings", "EUR", 1_120_000),
            OwnAccount::OldSavings => ("old-savings", "Sparbuch", Hanse, Depository, "savings", "EUR", 215_034),
            OwnAccount::Card => ("card", "Hanse Visa", Hanse, Credit, "credit card", "EUR", -91_288),
            OwnAccount::Brokerage => ("brokerage", "Depot", Hanse, Investment, "brokerage", "EUR", 18_055),
            OwnAccount::DollarChecking => ("dollar-checking", "Dollar Checking", Platypus, Depository, "checking", "USD", 342_019),
            OwnAccount::TravelCard => ("travel-card", "Travel Card", Platypus, Credit, "credit card", "USD", 0),
        };
        Facts { key, name, institution, account_type, subtype, currency, opening_cents }
    }

    /// Returns the derived identifier of the account.
    pub(super) fn account_id(self) -> Uuid {
        id::derive(USER_ID, "account", self.facts().key)
    }

    /// Returns the source identifier, from which the identifiers of the account and its rows are derived.
    pub(super) fn key(self) -> &'static str {
        self.facts().key
    }

    pub(super) fn currency(self) -> Currency {
        currency(self.facts().currency)
    }

    /// Returns the last day whose transactions the bank has reported.
    pub(super) fn known_until(self, today: Date) -> Date {
        match self.facts().institution {
            Institution::Hanse => today,
            // An update early in the morning reports transactions up to the day before.
            silent @ Institution::Platypus => silent.updated_on(today) - 1.day(),
        }
    }

    /// Returns the closing day of the account that is closed.
    pub(super) fn closed_on(self, today: Date) -> Option<Date> {
        (self == OwnAccount::OldSavings).then(|| business_day_from(in_month(today - 8.months(), 15)))
    }

    /// Returns the record of the account with its current balance.
    pub(super) fn record(self, window: Window, balance_cents: i64) -> Account {
        let facts = self.facts();
        let closed_on = self.closed_on(window.today);
        let updated_on = closed_on.unwrap_or_else(|| facts.institution.updated_on(window.today));
        Account {
            user_id: USER_ID,
            account_id: self.account_id(),
            bank_id: facts.institution.bank_id(),
            name: facts.name.to_owned(),
            account_type: facts.account_type,
            subtype: facts.subtype.to_owned(),
            currency: self.currency(),
            balance_cents: Some(balance_cents),
            balance_updated_at: Some(at(updated_on, 4, 12)),
            opened_on: None,
            closed_on,
            rows_complete_from: Some(window.first),
            source: None,
        }
    }
}

/// Parses a currency code of this crate's tables.
pub(super) fn currency(code: &str) -> Currency {
    Currency::parse(code).expect("the tables of the demo household hold valid currency codes")
}

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
pub(super) fn budgets() -> impl Iterator<Item = Budget> {
    TARGETS.iter().map(|(category, target_cents, code)| Budget {
        user_id: USER_ID,
        budget_id: id::derive(USER_ID, "budget", category.as_str()),
        category: *category,
        target_cents: *target_cents,
        currency: currency(code),
    })
}
