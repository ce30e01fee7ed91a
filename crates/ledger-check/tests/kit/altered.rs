//! A ledger that changes queries or answers of a right ledger.

use jiff::civil::Date;
use passbook_domain::access::{Access, Credential};
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture, MerchantTotals,
    ReadError, Reading, SpendingTotals,
};
use passbook_domain::range::Days;
use passbook_domain::recurring::Payment;
use passbook_domain::transaction::{Transaction, TransactionQuery};
use passbook_test_support::{InMemoryLedger, ready};

/// The changes of a wrong ledger. The default changes nothing.
#[derive(Clone, Copy)]
pub(crate) struct Alteration {
    pub(crate) listed: fn(&mut TransactionQuery),
    pub(crate) page: fn(&TransactionQuery, Vec<Transaction>) -> Vec<Transaction>,
    pub(crate) counted: fn(&mut CountedQuery),
    pub(crate) cashflow: fn(&mut CashflowTotals),
    pub(crate) spending: fn(&mut SpendingTotals),
    pub(crate) banks: fn(&mut Vec<Bank>),
    pub(crate) portfolio: fn(&mut PortfolioRows),
    pub(crate) history: fn(&mut HistoryTotals),
    pub(crate) ignores_scopes: bool,
}

impl Default for Alteration {
    fn default() -> Alteration {
        Alteration {
            listed: |_| {},
            page: |_, rows| rows,
            counted: |_| {},
            cashflow: |_| {},
            spending: |_| {},
            banks: |_| {},
            portfolio: |_| {},
            history: |_| {},
            ignores_scopes: false,
        }
    }
}

pub(crate) struct Altered {
    pub(crate) right: InMemoryLedger,
    pub(crate) alteration: Alteration,
}

impl Altered {
    /// Calls the right ledger with the access of the caller, or with one that needs no scope.
    #[expect(clippy::disallowed_methods, reason = "a wrong ledger that checks no scope")]
    fn call<'a, T: Send + 'a>(
        &self,
        access: &Access<'_>,
        call: impl FnOnce(&InMemoryLedger, &Access<'_>) -> Result<Reading<T>, ReadError>,
        change: impl FnOnce(&mut T),
    ) -> LedgerFuture<'a, T> {
        let credential = Credential::new(access.credential().user(), access.credential().grant().clone());
        let unscoped = Access::for_operation(&credential, None);
        let access = if self.alteration.ignores_scopes { &unscoped } else { access };
        let reading = call(&self.right, access).map(|mut reading| {
            change(&mut reading.data);
            reading
        });
        Box::pin(std::future::ready(reading))
    }

    fn counted(&self, query: &CountedQuery) -> CountedQuery {
        let mut query = query.clone();
        (self.alteration.counted)(&mut query);
        query
    }
}

impl Ledger for Altered {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.call(access, |ledger, access| ready(ledger.person(access)), |()| {})
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        let mut listed = query.clone();
        (self.alteration.listed)(&mut listed);
        let page = |rows: &mut Vec<Transaction>| *rows = (self.alteration.page)(query, std::mem::take(rows));
        self.call(access, |ledger, access| ready(ledger.transactions(access, &listed)), page)
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        let query = self.counted(query);
        let change = self.alteration.cashflow;
        self.call(access, |ledger, access| ready(ledger.cashflow(access, &query, group_by)), change)
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        let query = self.counted(query);
        let change = self.alteration.spending;
        self.call(access, |ledger, access| ready(ledger.spending(access, &query, group_by)), change)
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        let query = self.counted(query);
        let call = |ledger: &InMemoryLedger, access: &Access<'_>| {
            ready(ledger.spending_by_category(access, &query, group_by))
        };
        self.call(access, call, |_| {})
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        let query = self.counted(query);
        let call =
            |ledger: &InMemoryLedger, access: &Access<'_>| ready(ledger.top_merchants(access, &query, limit));
        self.call(access, call, |_| {})
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.call(access, |ledger, access| ready(ledger.recurring_payments(access, as_of)), |_| {})
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        self.call(access, |ledger, access| ready(ledger.budget_summary(access, year, month)), |_| {})
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.call(access, |ledger, access| ready(ledger.budget_categories(access)), |_| {})
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        self.call(access, |ledger, access| ready(ledger.banks(access)), self.alteration.banks)
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        self.call(access, |ledger, access| ready(ledger.portfolio(access)), self.alteration.portfolio)
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        let days = *days;
        let call = |ledger: &InMemoryLedger, access: &Access<'_>| {
            ready(ledger.portfolio_history(access, &days, interval, by))
        };
        self.call(access, call, self.alteration.history)
    }
}
