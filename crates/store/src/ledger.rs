//! Implements the ledger port. Each method delegates to a module of `queries`.

use domain::access::Access;
use domain::bank::Bank;
use domain::budget::BudgetCategoryEntry;
use domain::period::GroupBy;
use domain::portfolio::{Held, HistorySums, IntervalChoice};
use domain::ports::{Answer, BudgetSums, CategorySums, CountedQuery, Ledger, MerchantSums, SpendingSums};
use domain::range::{DateRange, Days};
use domain::recurring::Payment;
use domain::tally::Sum;
use domain::transaction::{Transaction, TransactionQuery, TransactionType};
use jiff::civil::Date;

use crate::pool::Store;
use crate::queries;

impl Ledger for Store {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, ()> {
        Box::pin(async move { self.read(access, &Days::Range(DateRange::default()), &[], |_| Ok(())).await })
    }

    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> Answer<'a, Vec<Transaction>> {
        Box::pin(queries::transactions::execute(self, access, query))
    }

    fn cashflow<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
    ) -> Answer<'a, Vec<(TransactionType, Sum)>> {
        Box::pin(queries::cashflow::execute(self, access, query))
    }

    fn spending<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        group_by: GroupBy,
    ) -> Answer<'a, SpendingSums> {
        Box::pin(queries::spending::execute(self, access, query, group_by))
    }

    fn spending_by_category<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
    ) -> Answer<'a, CategorySums> {
        Box::pin(queries::spending_categories::execute(self, access, query))
    }

    fn top_merchants<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a CountedQuery,
        limit: i64,
    ) -> Answer<'a, MerchantSums> {
        Box::pin(queries::top_merchants::execute(self, access, query, limit))
    }

    fn recurring_payments<'a>(
        &'a self,
        access: &'a Access<'a>,
        as_of: Option<Date>,
    ) -> Answer<'a, Vec<Payment>> {
        Box::pin(queries::recurring_payments::execute(self, access, as_of))
    }

    fn budget_summary<'a>(
        &'a self,
        access: &'a Access<'a>,
        year: Option<i16>,
        month: Option<i8>,
    ) -> Answer<'a, BudgetSums> {
        Box::pin(queries::budget_summary::execute(self, access, Days::Month { year, month }))
    }

    fn budget_categories<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, Vec<BudgetCategoryEntry>> {
        Box::pin(queries::budget_categories::execute(self, access))
    }

    fn banks<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, Vec<Bank>> {
        Box::pin(queries::banks::execute(self, access))
    }

    fn portfolio<'a>(&'a self, access: &'a Access<'a>) -> Answer<'a, Held> {
        Box::pin(queries::portfolio::execute(self, access))
    }
    fn portfolio_history<'a>(
        &'a self,
        access: &'a Access<'a>,
        days: &'a Days,
        interval: IntervalChoice,
    ) -> Answer<'a, HistorySums> {
        Box::pin(queries::portfolio_history::execute(self, access, days, interval))
    }
}
