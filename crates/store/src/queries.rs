//! Implements the port `Ledger` for the store: one module per method, with the parameters of its queries and the mapping of
//! their rows.

pub(crate) mod balances;
mod banks;
mod budget_categories;
mod budget_summary;
mod cashflow;
mod counted;
mod names;
mod portfolio;
mod portfolio_history;
mod recurring_payments;
mod spending;
mod spending_categories;
mod spending_labels;
mod top_merchants;
mod transactions;

use jiff::civil::Date;
use passbook_domain::access::{Access, Credential};
use passbook_domain::bank::Bank;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::label::LabelKind;
use passbook_domain::names::{NameKind, Names};
use passbook_domain::period::{GroupBy, MonthGrouping};
use passbook_domain::portfolio::{HistoryTotals, IntervalChoice, PortfolioRows, SeriesChoice};
use passbook_domain::ports::{
    BoxFuture, BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, LabelTotals, Ledger, LedgerFuture,
    MerchantTotals, ReadError, SpendingTotals, TransactionRows,
};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::recurring::Payment;
use passbook_domain::transaction::TransactionQuery;

use crate::store::Store;

impl Ledger for Store {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        Box::pin(async move { self.read(access, &Days::Range(DateRange::default()), &[], |_| Ok(())).await })
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, TransactionRows> {
        Box::pin(transactions::execute(self, access, query))
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        Box::pin(cashflow::execute(self, access, query, group_by))
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> LedgerFuture<'a, SpendingTotals> {
        Box::pin(spending::execute(self, access, query, group_by))
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        Box::pin(spending_categories::execute(self, access, query, group_by))
    }

    fn spending_by_label<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        kind: LabelKind,
    ) -> LedgerFuture<'a, LabelTotals> {
        Box::pin(spending_labels::execute(self, access, query, kind))
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> LedgerFuture<'a, MerchantTotals> {
        Box::pin(top_merchants::execute(self, access, query, limit))
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> LedgerFuture<'a, Vec<Payment>> {
        Box::pin(recurring_payments::execute(self, access, as_of))
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> LedgerFuture<'a, BudgetTotals> {
        Box::pin(budget_summary::execute(self, access, Days::Month { year, month }))
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<BudgetCategoryEntry>> {
        Box::pin(budget_categories::execute(self, access))
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, Vec<Bank>> {
        Box::pin(banks::execute(self, access))
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, PortfolioRows> {
        Box::pin(portfolio::execute(self, access))
    }

    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        Box::pin(portfolio_history::execute(self, access, days, interval, by))
    }

    fn names<'a>(
        &'a self,
        access: &'a Access<'a>,
        kinds: &'a [NameKind],
        merchants: &'a [String],
    ) -> LedgerFuture<'a, Names> {
        Box::pin(names::execute(self, access, kinds, merchants))
    }

    fn snapshot<'a>(
        &'a self,
        credential: &'a Credential,
    ) -> BoxFuture<'a, Result<Box<dyn Ledger + 'a>, ReadError>> {
        Box::pin(async move {
            if self.snapshot.is_some() {
                return Err(ReadError::NotOffered("snapshots of a snapshot"));
            }
            let transaction = self.begin_snapshot(credential).await?;
            Ok(Box::new(self.in_snapshot(transaction)) as Box<dyn Ledger>)
        })
    }
}
