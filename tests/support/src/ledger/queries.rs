//! The queries of the in-memory ledger. `passbook_domain::rows` computes the totals.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::access::Access;
use passbook_domain::assets::Valuation;
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::portfolio::{HistoryTotals, Interval, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture, MerchantTotals,
    SpendingTotals,
};
use passbook_domain::range::{DateRange, DaySpan, Days};
use passbook_domain::recurring::Payment;
use passbook_domain::transaction::{Transaction, TransactionQuery};

use super::InMemoryLedger;

const ALL_DAYS: Days = Days::Range(DateRange::EVERYTHING);

impl Ledger for InMemoryLedger {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.read(access, ALL_DAYS, |_, _| Ok(()))
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        self.read(access, query.days.into(), |rows, days| rows.page(query, days))
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        self.read(access, query.days, |rows, days| Ok(rows.cashflow(query, days, group_by)))
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        self.read(access, query.days, |rows, days| Ok(rows.spending(query, days, group_by)))
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.read(access, query.days, |rows, days| Ok(rows.spending_by_category(query, days, group_by)))
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        self.read(access, query.days, |rows, days| Ok(rows.top_merchants(query, days, limit)))
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        self.read(access, ALL_DAYS, |rows, _| Ok(rows.payments(as_of)))
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        self.read(access, Days::Month { year, month }, |rows, days| {
            let mut totals = BudgetTotals::default();
            totals.expenses = rows.expenses_by_category(days);
            totals.targets = rows.targets(&self.stored_targets, days);
            totals.targets.extend(self.targets.iter().copied());
            Ok(totals)
        })
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        self.read(access, ALL_DAYS, |_, _| Ok(self.budget_categories.clone()))
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        let value = |assets: &Valuation<'_>, _, zone: TimeZone| {
            Ok(assets.banks(|time| time.to_zoned(zone.clone()).date()))
        };
        self.value(access, ALL_DAYS, value, |_| self.banks.clone())
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        let value = |assets: &Valuation<'_>, _, zone: TimeZone| {
            assets.portfolio(|time| time.to_zoned(zone.clone()).date())
        };
        self.value(access, ALL_DAYS, value, |_| self.held.clone())
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        let value = |assets: &Valuation<'_>, days, _| assets.history(days, interval, by);
        self.value(access, *days, value, |days| {
            let last = days.last.unwrap_or(self.today);
            let range = DaySpan { first: days.first.unwrap_or(last), last };
            self.history.clone().unwrap_or(HistoryTotals::new(range, Interval::Day))
        })
    }
}
