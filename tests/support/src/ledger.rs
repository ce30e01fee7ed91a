//! The in-memory ledger: its builder, and the checks of the grant.

mod queries;

use crate::row::Row;
use crate::{date, user};
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::access::Access;
use passbook_domain::assets::{Assets, Valuation};
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::person::{Person, Surfaces};
use passbook_domain::portfolio::{HistoryTotals, PortfolioRows};
use passbook_domain::ports::{LedgerFuture, ReadError, Reading, Target};
use passbook_domain::range::{Days, ResolvedDays};
use passbook_domain::rates::Rates;
use passbook_domain::rows::Rows;
use passbook_domain::scope::{Scope, Surface};
use passbook_domain::transaction::Transaction;
use passbook_domain::{Currency, Money};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// The access of one call of the in-memory ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedAccess {
    /// The scope that the operation requires.
    pub scope: Option<Scope>,
    /// The surface of the credential.
    pub surface: Option<Surface>,
}

/// A ledger of one user in memory. Today is 2026-11-21, the preferred currency is the euro, and the grant allows every
/// scope and surface, unless a builder method changes that.
#[derive(Debug)]
pub struct InMemoryLedger {
    today: Date,
    currency: Currency,
    time_zone: String,
    excluded: Vec<ExpenseCategory>,
    rates: Rates,
    scopes: Vec<Scope>,
    surfaces: Surfaces,
    failure: Option<fn() -> ReadError>,
    rows: Vec<Transaction>,
    targets: Vec<(ExpenseCategory, Target)>,
    stored_targets: Vec<(ExpenseCategory, Money)>,
    budget_categories: Vec<BudgetCategoryEntry>,
    banks: Vec<Bank>,
    held: PortfolioRows,
    history: Option<HistoryTotals>,
    assets: Option<Assets>,
    accesses: Mutex<Vec<RecordedAccess>>,
}

impl Default for InMemoryLedger {
    fn default() -> InMemoryLedger {
        InMemoryLedger {
            today: date("2026-11-21"),
            currency: Currency::EUR,
            time_zone: "Europe/Berlin".to_owned(),
            excluded: Vec::new(),
            rates: Rates::new(Currency::EUR),
            scopes: Scope::ALL.to_vec(),
            surfaces: Surfaces { rest: true, mcp: true },
            failure: None,
            rows: Vec::new(),
            targets: Vec::new(),
            stored_targets: Vec::new(),
            budget_categories: Vec::new(),
            banks: Vec::new(),
            held: PortfolioRows::default(),
            history: None,
            assets: None,
            accesses: Mutex::default(),
        }
    }
}

impl InMemoryLedger {
    /// Creates an empty ledger.
    pub fn new() -> InMemoryLedger {
        InMemoryLedger::default()
    }

    /// Sets the day in the user's time zone.
    #[must_use]
    pub fn with_today(mut self, today: &str) -> InMemoryLedger {
        self.today = date(today);
        self
    }

    /// Adds an expense category to those that the user excludes from totals.
    #[must_use]
    pub fn with_excluded(mut self, category: ExpenseCategory) -> InMemoryLedger {
        self.excluded.push(category);
        self.excluded.sort_by_key(|category| category.as_str());
        self
    }

    /// Sets the user's preferred currency and time zone.
    #[must_use]
    pub fn with_settings(mut self, currency: Currency, time_zone: &str) -> InMemoryLedger {
        self.currency = currency;
        self.time_zone = time_zone.to_owned();
        self
    }

    /// Adds an exchange rate of every day from 2020 to 2030: `units` of the currency are worth one euro.
    ///
    /// # Panics
    /// `code` is not a currency code, or `units` not a positive decimal number.
    #[must_use]
    pub fn with_rate(mut self, code: &str, units: &str) -> InMemoryLedger {
        let mut day = date("2020-01-01");
        while day < date("2031-01-01") {
            self = self.with_rate_on(Currency::parse(code).expect("a currency code"), day, units);
            day = day.saturating_add(28.days());
        }
        self
    }

    /// Adds an exchange rate of one day: `units` of the currency are worth one euro.
    ///
    /// # Panics
    /// `units` is not a positive decimal number.
    #[must_use]
    pub fn with_rate_on(mut self, currency: Currency, day: Date, units: &str) -> InMemoryLedger {
        self.rates.insert(currency, day, units).expect("a positive decimal number");
        self
    }

    /// Limits the grant to these scopes.
    #[must_use]
    pub fn with_scopes(mut self, scopes: &[Scope]) -> InMemoryLedger {
        self.scopes = scopes.to_vec();
        self
    }

    /// Limits the grant to these surfaces.
    #[must_use]
    pub fn with_surfaces(mut self, surfaces: Surfaces) -> InMemoryLedger {
        self.surfaces = surfaces;
        self
    }

    /// Makes every call of the ledger fail with the error that `failure` returns.
    #[must_use]
    pub fn with_failure(mut self, failure: fn() -> ReadError) -> InMemoryLedger {
        self.failure = Some(failure);
        self
    }

    /// Adds a transaction.
    #[must_use]
    pub fn with_row(mut self, row: Row) -> InMemoryLedger {
        let mut transaction = row.transaction;
        if transaction.id.is_nil() {
            transaction.id = Uuid::from_u128(self.rows.len() as u128 + 1);
        }
        self.rows.push(transaction);
        self
    }

    /// Adds transactions.
    #[must_use]
    pub fn with_rows(self, rows: impl IntoIterator<Item = Row>) -> InMemoryLedger {
        rows.into_iter().fold(self, InMemoryLedger::with_row)
    }

    /// Adds a monthly target of an expense category.
    #[must_use]
    pub fn with_target(mut self, category: ExpenseCategory, target: Target) -> InMemoryLedger {
        self.targets.push((category, target));
        self
    }

    /// Adds a monthly target of an expense category, which is converted when it is read.
    #[must_use]
    pub fn with_stored_target(mut self, category: ExpenseCategory, target: Money) -> InMemoryLedger {
        self.stored_targets.push((category, target));
        self
    }

    /// Adds transactions as they are stored.
    #[must_use]
    pub fn with_transactions(
        mut self,
        transactions: impl IntoIterator<Item = Transaction>,
    ) -> InMemoryLedger {
        self.rows.extend(transactions);
        self
    }

    /// Adds a budgeted income category.
    #[must_use]
    pub fn with_budget_category(mut self, entry: BudgetCategoryEntry) -> InMemoryLedger {
        self.budget_categories.push(entry);
        self
    }

    /// Adds a bank.
    #[must_use]
    pub fn with_bank(mut self, bank: Bank) -> InMemoryLedger {
        self.banks.push(bank);
        self
    }

    /// Sets the rows of the portfolio.
    #[must_use]
    pub fn with_held(mut self, held: PortfolioRows) -> InMemoryLedger {
        self.held = held;
        self
    }

    /// Sets the portfolio history. By default it has no points.
    #[must_use]
    pub fn with_history(mut self, history: HistoryTotals) -> InMemoryLedger {
        self.history = Some(history);
        self
    }

    /// Sets the stored assets, in place of all rows of banks and the portfolio.
    #[must_use]
    pub fn with_assets(mut self, assets: Assets) -> InMemoryLedger {
        self.assets = Some(assets);
        self
    }

    /// Returns the accesses of all calls so far, in order.
    pub fn accesses(&self) -> Vec<RecordedAccess> {
        self.accesses.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn check(&self, access: &Access<'_>) -> Result<Person, ReadError> {
        let credential = access.credential();
        let recorded = RecordedAccess { scope: access.scope(), surface: credential.surface() };
        self.accesses.lock().unwrap_or_else(PoisonError::into_inner).push(recorded);
        if let Some(failure) = self.failure {
            return Err(failure());
        }
        let stored = self.scopes.iter().map(|scope| scope.as_str());
        let allowed = access.is_surface_allowed(self.surfaces, stored);
        if credential.user() != user() || !allowed {
            return Err(ReadError::Forbidden);
        }
        access.check_scope(&self.scopes)?;
        let person =
            Person::new(user(), "user@example.org", self.currency, self.time_zone.clone(), self.today);
        Ok(person.with_excluded_categories(self.excluded.clone()))
    }

    /// Reads from the stored assets; from the rows that the test has set if there are no stored assets.
    fn value<'a, T: Send + 'a>(
        &'a self,
        access: &Access<'_>,
        days: Days,
        value: impl FnOnce(&Valuation<'_>, ResolvedDays, TimeZone) -> Result<T, ReadError>,
        rows: impl FnOnce(ResolvedDays) -> T,
    ) -> LedgerFuture<'a, T> {
        let reading = self.check(access).and_then(|person| {
            let days = days.resolve(self.today);
            let data = match &self.assets {
                Some(assets) => {
                    let zone = TimeZone::get(&person.time_zone).expect("a time zone of this machine");
                    value(&Valuation::new(assets, &person, &self.rates), days, zone)?
                }
                None => rows(days),
            };
            Ok(Reading::new(person, self.surfaces, days, data))
        });
        Box::pin(std::future::ready(reading))
    }

    fn read<'a, T: Send + 'a>(
        &'a self,
        access: &Access<'_>,
        days: Days,
        data: impl FnOnce(&Rows<'_>, ResolvedDays) -> Result<T, ReadError>,
    ) -> LedgerFuture<'a, T> {
        let reading = self.check(access).and_then(|person| {
            let days = days.resolve(self.today);
            let data = data(&Rows::new(&self.rows, &person, &self.rates), days)?;
            Ok(Reading::new(person, self.surfaces, days, data))
        });
        Box::pin(std::future::ready(reading))
    }
}
