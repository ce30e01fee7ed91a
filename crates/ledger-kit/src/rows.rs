//! Filters, order and totals of rows in memory.
//!
//! [`Rows`] has one method per method of [`Ledger`](passbook_domain::ports::Ledger) that reads transactions.

mod filters;
mod merchants;

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::Money;
use passbook_domain::cashflow::TransfersOutside;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::label::GroupLabel;
use passbook_domain::page::Cursor;
use passbook_domain::period::{GroupBy, MonthGrouping, days_between};
use passbook_domain::person::Person;
use passbook_domain::ports::{
    CashflowTotals, CategoryTotals, CountedQuery, MonthTotals, ReadError, SpendingTotals, Target,
    TransactionRows,
};
use passbook_domain::range::{Days, ResolvedDays};
use passbook_domain::recurring::{Payment, WINDOW_MONTHS};
use passbook_domain::tally::CurrencyTotal;
use passbook_domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use uuid::Uuid;

use crate::rates::Rates;

/// The rows of one person, with the settings and the exchange rates that their totals depend on.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    /// The rows that exist for any answer.
    rows: Vec<&'a Transaction>,
    /// Identifiers of the pending rows that do not exist, each with the identifier of a posted row that replaces it.
    replaced: BTreeSet<(Uuid, Uuid)>,
    person: &'a Person,
    rates: &'a Rates,
    own_categories: &'a [GroupLabel],
}

/// The position of a row in an order by amount: the amount in the preferred currency, the day, and the identifier.
type Position = (Option<i64>, Date, Uuid);

impl<'a> Rows<'a> {
    /// Takes the rows of a person, in any order. A pending row does not exist if a posted row of the same account and
    /// type links to it, unless the link is that of a transfer or a refund.
    pub fn new(rows: &'a [Transaction], person: &'a Person, rates: &'a Rates) -> Rows<'a> {
        let by_id: HashMap<Uuid, &Transaction> = rows.iter().map(|row| (row.id, row)).collect();
        let replaced: BTreeSet<(Uuid, Uuid)> = rows
            .iter()
            .filter_map(|row| Some((row, *by_id.get(&row.linked_transaction_id?)?)))
            .filter(|(row, pending)| filters::replaces(row, pending))
            .map(|(row, pending)| (pending.id, row.id))
            .collect();
        let exists = |row: &&Transaction| replacing(&replaced, row.id).next().is_none();
        let rows = rows.iter().filter(exists).collect();
        Rows { rows, replaced, person, rates, own_categories: &[] }
    }

    /// Sets the own categories of the person, so that a filter by one includes those that it contains.
    #[must_use]
    pub fn with_own_categories(self, own_categories: &'a [GroupLabel]) -> Rows<'a> {
        Rows { own_categories, ..self }
    }

    /// Returns one page of transactions, and one row more if there is a next page.
    ///
    /// # Errors
    /// [`ReadError::UnknownCursor`] if the order is by amount and no row has date and identifier of the cursor.
    pub fn page(&self, query: &TransactionQuery, days: ResolvedDays) -> Result<TransactionRows, ReadError> {
        let mut page = TransactionRows::default();
        if query.after.is_none()
            && let Some(later) =
                Days::from(query.days).left_out(days, self.person.today, self.person.month_start)
        {
            page.planned =
                count(self.rows.iter().filter(|row| filters::lists(query, later, row, self.own_categories)));
        }
        let listed = self.rows.iter().filter(|row| filters::lists(query, days, row, self.own_categories));
        let mut listed: Vec<(Position, &Transaction)> =
            listed.map(|row| (self.position(row), *row)).collect();
        listed.sort_by(|(one, _), (other, _)| compare(query.sort, one, other));
        let by_amount =
            matches!(query.sort, TransactionSort::AmountDescending | TransactionSort::AmountAscending);
        if by_amount && query.after.is_none() {
            let unconverted = listed.iter().filter(|((converted, ..), _)| converted.is_none());
            page.unconverted = unconverted.map(|(_, row)| (row.r#type, self.total(row))).collect();
        }
        if let Some(cursor) = query.after {
            let start = self.start(query.sort, cursor)?;
            listed.retain(|(position, _)| compare(query.sort, position, &start).is_gt());
        }
        let rows_max = usize::try_from(query.page_size.get()).expect("a page size is small") + 1;
        page.rows = listed.into_iter().take(rows_max).map(|(_, row)| self.shown(row)).collect();
        Ok(page)
    }

    /// Returns the totals of income and of expenses.
    pub fn cashflow(
        &self,
        query: &CountedQuery,
        days: ResolvedDays,
        group_by: MonthGrouping,
    ) -> CashflowTotals {
        let mut totals = CashflowTotals::default();
        for row in self.counted(query, days) {
            let month = self.month(group_by, row.date);
            match row.category {
                Category::Income(category) => totals.income.push((month, category, self.total(row))),
                Category::Expense(category) => {
                    totals.expenses.push((month, self.total(row)));
                    let is_outgoing = TransfersOutside::OUTGOING.contains(&category);
                    totals.outgoing.extend(is_outgoing.then(|| self.total(row)));
                }
            }
            extend(&mut totals.counted_days, row.date);
        }
        let with_excluded = query.clone().with_excluded();
        let all = self.counted(&with_excluded, days);
        let excluded = &self.person.excluded_categories;
        let is_excluded = |row: &&Transaction| !filters::counts_category(query, row.category, excluded);
        totals.excluded = all.filter(is_excluded).map(|row| self.total(row)).collect();
        let left_out = query.days.left_out(days, self.person.today, self.person.month_start);
        totals.planned = left_out.map_or(0, |later| count(self.counted(query, later)));
        totals.months = self.months(query, days, totals.counted_days);
        totals
    }

    /// Returns the totals of expenses by period, of refunds, and of the expenses of the days before the range.
    pub fn spending(&self, query: &CountedQuery, days: ResolvedDays, group_by: GroupBy) -> SpendingTotals {
        let mut totals = SpendingTotals::default();
        for row in self.counted(query, days) {
            if expense_category(row).is_none() {
                continue;
            }
            totals
                .expenses
                .push((Some(group_by.start_of(row.date, self.person.month_start)), self.total(row)));
            extend(&mut totals.counted_days, row.date);
        }
        totals.refunds = self.refunds(query, days).map(|(refund, _)| self.total(refund)).collect();
        if let Some(before) = previous_days(days, self.person.today) {
            totals.previous = self.expenses(query, before).map(|row| self.total(row)).collect();
        }
        let after_today = self.expenses(query, days).filter(|row| row.date > self.person.today);
        totals.after_today = after_today.map(|row| self.total(row)).collect();
        totals.planned = self.planned_expenses(query, days);
        totals.months = self.months(query, days, totals.counted_days);
        totals
    }

    /// Returns the totals of expenses by category, and of refunds by the category of the refunded purchase.
    pub fn spending_by_category(
        &self,
        query: &CountedQuery,
        days: ResolvedDays,
        group_by: MonthGrouping,
    ) -> CategoryTotals {
        let mut totals = CategoryTotals::default();
        for row in self.counted(query, days) {
            let Some(category) = expense_category(row) else { continue };
            totals.expenses.push((category, self.month(group_by, row.date), self.total(row)));
            extend(&mut totals.counted_days, row.date);
        }
        totals.planned = self.planned_expenses(query, days);
        totals.months = self.months(query, days, totals.counted_days);
        for (refund, owner) in self.refunds(query, days) {
            match expense_category(owner) {
                Some(category) => totals.refunds.push((category, self.total(refund))),
                None => totals.unlinked_refunds.push(self.total(refund)),
            }
        }
        totals
    }

    /// Returns income and expenses of the [`WINDOW_MONTHS`] months up to and including `as_of`, converted at the rates of
    /// that day. Without `as_of`, the current day is used.
    pub fn payments(&self, as_of: Option<Date>) -> Vec<Payment> {
        let as_of = as_of.unwrap_or(self.person.today);
        let before = as_of.saturating_sub(WINDOW_MONTHS.months());
        let in_window = |row: &&&Transaction| {
            row.r#type != TransactionType::InternalTransfer && row.date > before && row.date <= as_of
        };
        let payment = |row: &&Transaction| {
            let converted = self.rates.convert(row.amount(), self.person.preferred_currency, as_of);
            Payment::new((*row).clone(), converted)
        };
        self.rows.iter().filter(in_window).map(payment).collect()
    }

    /// Returns the first day of the person's month that contains a day, if the totals are grouped by month.
    fn month(&self, group_by: MonthGrouping, day: Date) -> Option<Date> {
        (group_by == MonthGrouping::Month).then(|| GroupBy::Month.start_of(day, self.person.month_start))
    }

    /// Returns the totals of a month's refunds by the category of their purchase, also of excluded categories.
    pub fn refunds_by_category(&self, days: ResolvedDays) -> Vec<(ExpenseCategory, CurrencyTotal)> {
        let all = CountedQuery::EVERYTHING.with_excluded();
        let refunds = self.refunds(&all, days);
        refunds.filter_map(|(refund, owner)| Some((expense_category(owner)?, self.total(refund)))).collect()
    }

    /// Returns the totals of a month's expenses by category, also of excluded categories.
    pub fn expenses_by_category(&self, days: ResolvedDays) -> Vec<(ExpenseCategory, CurrencyTotal)> {
        let all = CountedQuery::EVERYTHING.with_excluded();
        let counted = self.counted(&all, days);
        counted.filter_map(|row| Some((expense_category(row)?, self.total(row)))).collect()
    }

    /// Converts targets at the rates of the last day of the month or of today, whichever is earlier.
    pub fn targets(
        &self,
        targets: &[(ExpenseCategory, Money)],
        days: ResolvedDays,
    ) -> Vec<(ExpenseCategory, Target)> {
        let day = days.last.map_or(self.person.today, |last| last.min(self.person.today));
        let target = |(category, amount): &(ExpenseCategory, Money)| {
            let converted_cents = self.rates.convert(*amount, self.person.preferred_currency, day);
            (*category, Target::new(*amount, converted_cents))
        };
        targets.iter().map(target).collect()
    }

    /// Returns the rows that count in a query: no transfers, and pending rows and excluded categories as the query says.
    fn counted(&self, query: &CountedQuery, days: ResolvedDays) -> impl Iterator<Item = &'a Transaction> {
        let (excluded, own) = (&self.person.excluded_categories, self.own_categories);
        let counts = move |row: &&Transaction| filters::counts(query, days, row, excluded, own);
        self.rows.iter().copied().filter(counts)
    }

    /// Returns the expenses that count in a query.
    fn expenses(&self, query: &CountedQuery, days: ResolvedDays) -> impl Iterator<Item = &'a Transaction> {
        self.counted(query, days).filter(|row| expense_category(row).is_some())
    }

    /// Returns the number of expenses after today that the range of the query leaves out.
    pub fn planned_expenses(&self, query: &CountedQuery, days: ResolvedDays) -> i64 {
        let left_out = query.days.left_out(days, self.person.today, self.person.month_start);
        left_out.map_or(0, |later| count(self.expenses(query, later)))
    }

    /// Returns the totals of the complete months of a range.
    fn months(
        &self,
        query: &CountedQuery,
        days: ResolvedDays,
        counted_days: Option<(Date, Date)>,
    ) -> Option<MonthTotals> {
        let totals: Vec<(&Transaction, CurrencyTotal)> =
            self.counted(query, days).map(|row| (row, self.total(row))).collect();
        let side = |is_expense: bool| {
            let rows = totals.iter().filter(move |(row, _)| expense_category(row).is_some() == is_expense);
            rows.map(|(row, total)| (row.date, total))
        };
        MonthTotals::select(days, counted_days, self.person, side(false), side(true))
    }

    /// Returns the total of one row.
    fn total(&self, row: &Transaction) -> CurrencyTotal {
        CurrencyTotal::new(row.amount(), 1, self.converted(row))
    }

    fn converted(&self, row: &Transaction) -> Option<i64> {
        self.rates.convert(row.amount(), self.person.preferred_currency, row.date)
    }

    fn position(&self, row: &Transaction) -> Position {
        (self.converted(row), row.date, row.id)
    }

    /// Returns the position after which a page starts. A cursor has no amount, so an order by amount needs its row.
    fn start(&self, sort: TransactionSort, cursor: Cursor) -> Result<Position, ReadError> {
        match sort {
            TransactionSort::DateDescending | TransactionSort::DateAscending => {
                Ok((None, cursor.date, cursor.id))
            }
            TransactionSort::AmountDescending | TransactionSort::AmountAscending => {
                let row = self.rows.iter().find(|row| row.id == cursor.id && row.date == cursor.date);
                row.map(|row| self.position(row)).ok_or(ReadError::UnknownCursor)
            }
        }
    }

    /// Returns a row as a list shows it: with its amount in the preferred currency if the currency is another one, and
    /// with a link to a row that exists.
    fn shown(&self, row: &Transaction) -> Transaction {
        let preferred = self.person.preferred_currency;
        let is_foreign = row.currency != preferred;
        let converted = self.converted(row).filter(|_| is_foreign);
        let mut shown = row.clone();
        shown.converted = converted.map(|cents| Money::new(cents, preferred));
        shown.linked_transaction_id = self.link(row);
        shown
    }

    /// Returns the identifier of the row that a row links to. A link to a pending row that does not exist is a link to the
    /// posted row that replaces it; the posted row itself has no link.
    fn link(&self, row: &Transaction) -> Option<Uuid> {
        let linked = row.linked_transaction_id?;
        if self.replaced.contains(&(linked, row.id)) {
            return None;
        }
        Some(replacing(&self.replaced, linked).next().unwrap_or(linked))
    }

    /// Returns the refunds of a range, each with the row that it belongs to: its purchase, or without a purchase itself. The
    /// filters select that row; range and pending rows are those of the refund.
    fn refunds(
        &self,
        query: &CountedQuery,
        days: ResolvedDays,
    ) -> impl Iterator<Item = (&'a Transaction, &'a Transaction)> {
        let is_refund = move |row: &&Transaction| {
            row.category == Category::Income(IncomeCategory::Refund)
                && days.contains(row.date)
                && (query.include_pending || !row.pending)
        };
        let refunds = self.rows.iter().copied().filter(is_refund);
        let owned = refunds.map(|refund| (refund, self.purchase(refund).unwrap_or(refund)));
        owned.filter(|(_, owner)| {
            filters::selects(query, owner, &self.person.excluded_categories, self.own_categories)
        })
    }

    /// Returns the purchase that a refund refunds.
    fn purchase(&self, refund: &Transaction) -> Option<&'a Transaction> {
        let linked = self.link(refund)?;
        let purchase = self.rows.iter().copied().find(|purchase| purchase.id == linked)?;
        (purchase.r#type == TransactionType::Expense).then_some(purchase)
    }
}

/// Returns the identifiers of the posted rows that replace a pending row, in ascending order.
fn replacing(replaced: &BTreeSet<(Uuid, Uuid)>, pending: Uuid) -> impl Iterator<Item = Uuid> {
    replaced.range((pending, Uuid::nil())..=(pending, Uuid::max())).map(|(_, posted)| *posted)
}

fn expense_category(row: &Transaction) -> Option<ExpenseCategory> {
    match row.category {
        Category::Expense(category) => Some(category),
        Category::Income(_) => None,
    }
}

/// Compares two positions. A position without an amount comes last in an order by amount.
fn compare(sort: TransactionSort, one: &Position, other: &Position) -> Ordering {
    let without_amount = one.0.is_none().cmp(&other.0.is_none());
    match sort {
        TransactionSort::DateAscending => (one.1, one.2).cmp(&(other.1, other.2)),
        TransactionSort::DateDescending => (other.1, other.2).cmp(&(one.1, one.2)),
        TransactionSort::AmountAscending => without_amount.then(one.cmp(other)),
        TransactionSort::AmountDescending => without_amount.then(other.cmp(one)),
    }
}

/// Extends the first and last counted day by a day.
fn extend(counted_days: &mut Option<(Date, Date)>, day: Date) {
    let (first, last) = counted_days.unwrap_or((day, day));
    *counted_days = Some((first.min(day), last.max(day)));
}

/// Returns the days directly before a range, as many as the range has up to today; none without such days or a first day.
fn previous_days(days: ResolvedDays, today: Date) -> Option<ResolvedDays> {
    let first = days.first?;
    let length = days_between(first, days.last.map_or(today, |last| last.min(today)));
    let before =
        ResolvedDays { first: first.checked_sub(length.days()).ok(), last: first.checked_sub(1.day()).ok() };
    (length > 0).then_some(before)
}

fn count(rows: impl Iterator) -> i64 {
    i64::try_from(rows.count()).expect("a number of rows")
}
