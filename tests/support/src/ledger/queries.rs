//! The queries of the in-memory ledger.

use std::cmp::Reverse;

use domain::access::Access;
use domain::bank::Bank;
use domain::budget::BudgetCategoryEntry;
use domain::category::Category;
use domain::period::{GroupBy, MonthGrouping};
use domain::portfolio::{HistoryTotals, Interval, IntervalChoice, PortfolioRows, SeriesChoice};
use domain::ports::{
    BudgetTotals, CashflowTotals, CategoryTotals, CountedQuery, Ledger, LedgerFuture, MerchantTotals,
    ReadError, SpendingTotals,
};
use domain::range::{DateRange, DaySpan, Days};
use domain::recurring::Payment;
use domain::tally::CurrencyTotal;
use domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use jiff::civil::Date;

use super::InMemoryLedger;
use crate::totals::{expense_category, is_refund, matches, previous_days};

const ALL_DAYS: Days = Days::Range(DateRange::EVERYTHING);

impl Ledger for InMemoryLedger {
    fn person<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {
        self.read(access, ALL_DAYS, |_| Ok(()))
    }

    /// Filters and sorts. The filters by amount are not implemented.
    fn transactions<'a>(
        &'a self,
        access: &'a Access<'a>,
        query: &'a TransactionQuery,
    ) -> LedgerFuture<'a, Vec<Transaction>> {
        self.read(access, query.days.into(), |days| {
            let is_listed = |row: &&Transaction| {
                days.contains(row.date)
                    && query.types.contains(&row.r#type)
                    && matches(
                        row,
                        query.categories.as_deref(),
                        query.accounts.as_deref(),
                        query.merchant.as_ref(),
                    )
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
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CashflowTotals> {
        self.read(access, query.days, |days| {
            let mut totals = CashflowTotals::default();
            for row in self.counted(days, query) {
                let period = period(group_by, row.date);
                match row.category {
                    Category::Income(category) => totals.income.push((period, category, self.sum(row))),
                    Category::Expense(_) => totals.expenses.push((period, self.sum(row))),
                }
                extend(&mut totals.counted_days, row.date);
            }
            Ok(totals)
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
                extend(&mut sums.counted_days, row.date);
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
        group_by: MonthGrouping,
    ) -> LedgerFuture<'a, CategoryTotals> {
        self.read(access, query.days, |days| {
            let mut sums = CategoryTotals::default();
            for row in self.counted(days, query) {
                let Some(category) = expense_category(row) else { continue };
                sums.expenses.push((category, period(group_by, row.date), self.sum(row)));
                extend(&mut sums.counted_days, row.date);
            }
            // The filter by category selects purchases.
            let refunds = CountedQuery { categories: None, ..query.clone() };
            for row in self.counted(days, &refunds) {
                let Some(category) = self.refunded_category(row) else { continue };
                let wanted = query.categories.as_ref();
                if wanted.is_none_or(|wanted| wanted.contains(&Category::Expense(category))) {
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
        _: SeriesChoice,
    ) -> LedgerFuture<'a, HistoryTotals> {
        self.read(access, *days, |days| {
            let last = days.last.unwrap_or(self.today);
            Ok(self.history.clone().unwrap_or(HistoryTotals {
                days: DaySpan { first: days.first.unwrap_or(last), last },
                interval: Interval::Day,
                points_count: 0,
                complete_from: None,
                days_with_totals: Vec::new(),
                series: Vec::new(),
            }))
        })
    }
}

/// Returns the first day of the row's month if the totals are grouped by month.
fn period(group_by: MonthGrouping, date: Date) -> Option<Date> {
    (group_by == MonthGrouping::Month).then(|| date.first_of_month())
}

fn extend(counted_days: &mut Option<(Date, Date)>, date: Date) {
    let (first, last) = counted_days.unwrap_or((date, date));
    *counted_days = Some((first.min(date), last.max(date)));
}
