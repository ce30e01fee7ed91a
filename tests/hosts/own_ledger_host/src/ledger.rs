//! The ledger over the books. The books decide which rows the caller may read. `passbook_domain::rows` and
//! `passbook_domain::assets` compute the totals.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture, MerchantTotals,
    SpendingTotals,
};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::recurring::Payment;
use passbook_domain::transaction::{Transaction, TransactionQuery};

use crate::books::Books;

const ALL_DAYS: Days = Days::Range(DateRange::EVERYTHING);

impl Ledger for Books {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.open(access, ALL_DAYS, |_| Ok(()))
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        self.open(access, query.days.into(), |open| open.rows.page(query, open.days))
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        self.open(access, query.days, |open| Ok(open.rows.cashflow(query, open.days, group_by)))
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        self.open(access, query.days, |open| Ok(open.rows.spending(query, open.days, group_by)))
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.open(access, query.days, |open| Ok(open.rows.spending_by_category(query, open.days, group_by)))
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        self.open(access, query.days, |open| Ok(open.rows.top_merchants(query, open.days, limit)))
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.open(access, ALL_DAYS, |open| Ok(open.rows.payments(as_of)))
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        self.open(access, Days::Month { year, month }, |open| {
            let mut totals = BudgetTotals::default();
            totals.expenses = open.rows.expenses_by_category(open.days);
            totals.targets = open.rows.targets(&open.page.targets, open.days);
            Ok(totals)
        })
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.open(access, ALL_DAYS, |_| Ok(Vec::new()))
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        self.open(access, ALL_DAYS, |open| Ok(open.assets.banks(open.day_of()?)))
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        self.open(access, ALL_DAYS, |open| open.assets.portfolio(open.day_of()?))
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        self.open(access, *days, |open| open.assets.history(open.days, interval, by))
    }
}
