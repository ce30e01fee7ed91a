//! The in-memory ledger: its builder, and the checks of the grant.

mod queries;

use crate::row::Row;
use crate::totals::{Rates, counted, expense_category, is_refund, sum};
use crate::{date, user};
use domain::Currency;
use domain::access::Access;
use domain::bank::Bank;
use domain::budget::BudgetCategoryEntry;
use domain::category::ExpenseCategory;
use domain::person::{Person, Surfaces};
use domain::portfolio::{HistoryTotals, PortfolioRows};
use domain::ports::{CountedQuery, LedgerFuture, ReadError, Reading, Target};
use domain::range::{Days, ResolvedDays};
use domain::scope::{Scope, Surface};
use domain::tally::CurrencyTotal;
use domain::transaction::Transaction;
use jiff::civil::Date;
use std::collections::HashMap;
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
    excluded: Vec<ExpenseCategory>,
    rates: Rates,
    scopes: Vec<Scope>,
    surfaces: Surfaces,
    failure: Option<fn() -> ReadError>,
    rows: Vec<Transaction>,
    targets: Vec<(ExpenseCategory, Target)>,
    budget_categories: Vec<BudgetCategoryEntry>,
    banks: Vec<Bank>,
    held: PortfolioRows,
    history: Option<HistoryTotals>,
    accesses: Mutex<Vec<RecordedAccess>>,
}

impl Default for InMemoryLedger {
    fn default() -> InMemoryLedger {
        InMemoryLedger {
            today: date("2026-11-21"),
            excluded: Vec::new(),
            rates: HashMap::from([(Currency::EUR, (1, 1))]),
            scopes: Scope::ALL.to_vec(),
            surfaces: Surfaces { rest: true, mcp: true },
            failure: None,
            rows: Vec::new(),
            targets: Vec::new(),
            budget_categories: Vec::new(),
            banks: Vec::new(),
            held: PortfolioRows::default(),
            history: None,
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

    /// Adds an exchange rate: one unit of the currency is `numerator / denominator` euros on every day.
    #[must_use]
    pub fn with_rate(mut self, code: &str, numerator: i64, denominator: i64) -> InMemoryLedger {
        self.rates.insert(Currency::parse(code).expect("a currency code"), (numerator, denominator));
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
        let allowed = match credential.surface() {
            Some(Surface::Rest) => self.surfaces.rest,
            Some(Surface::Mcp) => self.surfaces.mcp,
            None => true,
        };
        if credential.user() != user() || !allowed {
            return Err(ReadError::Forbidden);
        }
        match access.scope() {
            Some(scope) if !self.scopes.contains(&scope) => Err(ReadError::MissingScope(scope)),
            _ => Ok(Person {
                id: user(),
                email: "user@example.org".to_owned(),
                preferred_currency: Currency::EUR,
                time_zone: "Europe/Berlin".to_owned(),
                today: self.today,
                excluded_categories: self.excluded.clone(),
            }),
        }
    }

    fn read<'a, T: Send + 'a>(
        &'a self,
        access: &Access<'_>,
        days: Days,
        data: impl FnOnce(ResolvedDays) -> Result<T, ReadError>,
    ) -> LedgerFuture<'a, T> {
        let reading = self.check(access).and_then(|person| {
            let days = days.resolve(self.today);
            Ok(Reading { person, surfaces: self.surfaces, days, data: data(days)? })
        });
        Box::pin(std::future::ready(reading))
    }

    fn counted(&self, days: ResolvedDays, query: &CountedQuery) -> Vec<&Transaction> {
        counted(&self.rows, days, query, &self.excluded)
    }

    fn sum(&self, row: &Transaction) -> CurrencyTotal {
        sum(row, &self.rates)
    }

    /// Returns the category of the purchase that a refund refunds.
    fn refunded_category(&self, row: &Transaction) -> Option<ExpenseCategory> {
        let purchase = self.rows.iter().find(|purchase| Some(purchase.id) == row.linked_transaction_id)?;
        is_refund(row).then(|| expense_category(purchase)).flatten()
    }
}
