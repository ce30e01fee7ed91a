//! The in-memory ledger: builder, checks of the grant, and one method per query.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::Currency;
use domain::access::Access;
use domain::bank::Bank;
use domain::budget::BudgetCategoryEntry;
use domain::category::ExpenseCategory;
use domain::period::GroupBy;
use domain::person::{Person, Surfaces};
use domain::portfolio::{HistoryTotals, Interval, IntervalChoice, PortfolioRows};
use domain::ports::{
    BudgetTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture, MerchantTotals, ReadError, Reading,
    SpendingTotals, Target,
};
use domain::range::{DateRange, DaySpan, Days, ResolvedDays};
use domain::recurring::Payment;
use domain::scope::{Scope, Surface};
use domain::tally::CurrencyTotal;
use domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use jiff::civil::Date;
use uuid::Uuid;

use crate::row::Row;
use crate::totals::{Rates, counted, expense_category, is_refund, previous_days, sum};
use crate::{date, user};

/// One call of the ledger, as recorded.
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

    /// Excludes a category from totals.
    #[must_use]
    pub fn with_excluded(mut self, category: ExpenseCategory) -> InMemoryLedger {
        self.excluded.push(category);
        self.excluded.sort_by_key(|category| category.as_str());
        self
    }

    /// Adds a rate: one unit of the currency is `numerator / denominator` euros on every day.
    #[must_use]
    pub fn with_rate(mut self, code: &str, numerator: i64, denominator: i64) -> InMemoryLedger {
        self.rates.insert(Currency::parse(code).expect("a currency code"), (numerator, denominator));
        self
    }

    /// Limits the grant to some scopes.
    #[must_use]
    pub fn with_scopes(mut self, scopes: &[Scope]) -> InMemoryLedger {
        self.scopes = scopes.to_vec();
        self
    }

    /// Limits the grant to some surfaces.
    #[must_use]
    pub fn with_surfaces(mut self, surfaces: Surfaces) -> InMemoryLedger {
        self.surfaces = surfaces;
        self
    }

    /// Makes every call fail.
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

    /// Sets the accounts, wallets and simulated accounts.
    #[must_use]
    pub fn with_held(mut self, held: PortfolioRows) -> InMemoryLedger {
        self.held = held;
        self
    }

    /// Sets the history. Without one the history has no points.
    #[must_use]
    pub fn with_history(mut self, history: HistoryTotals) -> InMemoryLedger {
        self.history = Some(history);
        self
    }

    /// Returns the calls so far, in order.
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

    /// The category of the purchase that a row refunds.
    fn refunded_category(&self, row: &Transaction) -> Option<ExpenseCategory> {
        let purchase = self.rows.iter().find(|purchase| Some(purchase.id) == row.linked_transaction_id)?;
        is_refund(row).then(|| expense_category(purchase)).flatten()
    }
}

const ALL_DAYS: Days = Days::Range(DateRange::EVERYTHING);

impl Ledger for InMemoryLedger {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.read(access, ALL_DAYS, |_| Ok(()))
    }

    /// Filters by day, type, category and pending, and sorts by date or by amount. Other filters are not implemented.
    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        self.read(access, query.days.into(), |days| {
            let is_listed = |row: &&Transaction| {
                days.contains(row.date)
                    && query.types.contains(&row.r#type)
                    && query.categories.as_ref().is_none_or(|listed| listed.contains(&row.category))
                    && query.pending.is_none_or(|pending| row.pending == pending)
            };
            let mut rows: Vec<&Transaction> = self.rows.iter().filter(is_listed).collect();
            rows.sort_by_key(|row| (row.date, row.id));
            match query.sort {
                TransactionSort::DateAscending => {}
                TransactionSort::DateDescending => rows.reverse(),
                TransactionSort::AmountAscending => rows.sort_by_key(|row| row.amount_cents),
                TransactionSort::AmountDescending => rows.sort_by_key(|row| Reverse(row.amount_cents)),
            }
            if let Some(cursor) = query.after {
                let last = rows.iter().position(|row| row.id == cursor.id && row.date == cursor.date);
                rows.drain(..=last.ok_or(ReadError::UnknownCursor)?);
            }
            let rows_max = usize::try_from(query.page_size.get()).expect("a page size is small") + 1;
            Ok(rows.into_iter().take(rows_max).cloned().collect())
        })
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
    ) -> LedgerFuture<'a, Vec<(TransactionType, CurrencyTotal)>> {
        self.read(access, query.days, |days| {
            Ok(self.counted(days, query).into_iter().map(|row| (row.r#type, self.sum(row))).collect())
        })
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        self.read(access, query.days, |days| {
            let mut sums = SpendingTotals::default();
            for row in self.counted(days, query) {
                if expense_category(row).is_some() {
                    sums.expenses.push((Some(group_by.start_of(row.date)), self.sum(row)));
                } else if is_refund(row) {
                    sums.refunds.push(self.sum(row));
                } else {
                    continue;
                }
                let (first, last) = sums.counted_days.unwrap_or((row.date, row.date));
                sums.counted_days = Some((first.min(row.date), last.max(row.date)));
            }
            if let Some(previous) = previous_days(days) {
                let previous = self.counted(previous, query);
                let expenses = previous.into_iter().filter(|row| expense_category(row).is_some());
                sums.previous = expenses.map(|row| self.sum(row)).collect();
            }
            Ok(sums)
        })
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.read(access, query.days, |days| {
            let mut sums = CategoryTotals::default();
            for row in self.counted(days, query) {
                if let Some(category) = expense_category(row) {
                    sums.expenses.push((category, self.sum(row)));
                } else if let Some(category) = self.refunded_category(row) {
                    sums.refunds.push((category, self.sum(row)));
                }
            }
            Ok(sums)
        })
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        self.read(access, query.days, |days| {
            let mut sums = MerchantTotals::default();
            for row in self.counted(days, query).into_iter().filter(|row| expense_category(row).is_some()) {
                sums.total.push(self.sum(row));
                let Some(name) = &row.merchant_name else { continue };
                match sums.merchants.iter_mut().find(|(merchant, _)| merchant == name) {
                    Some((_, merchant)) => merchant.push(self.sum(row)),
                    None => sums.merchants.push((name.clone(), vec![self.sum(row)])),
                }
            }
            let spent =
                |sums: &[CurrencyTotal]| sums.iter().filter_map(|sum| sum.converted_cents).sum::<i64>();
            sums.merchants.sort_by_key(|(name, sums)| (Reverse(spent(sums)), name.clone()));
            sums.merchants.truncate(usize::try_from(limit).expect("a limit is small"));
            Ok(sums)
        })
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        _: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.read(access, ALL_DAYS, |_| {
            let rows = self.rows.iter().filter(|row| row.r#type != TransactionType::InternalTransfer);
            let payment = |row: &Transaction| Payment {
                id: row.id,
                date: row.date,
                transaction_type: row.r#type,
                category: row.category,
                amount_cents: row.amount_cents,
                currency: row.currency,
                title: row.title.clone(),
                merchant_name: row.merchant_name.clone(),
                account_name: row.account_name.clone(),
                converted_cents: self.sum(row).converted_cents,
            };
            Ok(rows.map(payment).collect())
        })
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        self.read(access, Days::Month { year, month }, |days| {
            let rows = self.counted(days, &CountedQuery::EVERYTHING).into_iter();
            let expenses = rows.filter_map(|row| Some((expense_category(row)?, self.sum(row)))).collect();
            Ok(BudgetTotals { expenses, targets: self.targets.clone() })
        })
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.read(access, ALL_DAYS, |_| Ok(self.budget_categories.clone()))
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        self.read(access, ALL_DAYS, |_| Ok(self.banks.clone()))
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        self.read(access, ALL_DAYS, |_| Ok(self.held.clone()))
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        _: IntervalChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        self.read(access, *days, |days| {
            let last = days.last.unwrap_or(self.today);
            Ok(self.history.clone().unwrap_or(HistoryTotals {
                days: DaySpan { first: days.first.unwrap_or(last), last },
                interval: Interval::Day,
                points_count: 0,
                complete_from: None,
                days_with_totals: Vec::new(),
            }))
        })
    }
}
