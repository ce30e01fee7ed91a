//! Functions that add up the totals of a ledger, and divide ranges into periods. For the operations of a host too.

use std::collections::BTreeMap;

use jiff::civil::Date;
use passbook_domain::average::{CashflowPerMonth, SpendingPerMonth};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::comparison::ComparedTotal;
use passbook_domain::period::{GroupBy, MonthGrouping, PERIODS_MAX, Period, periods};
use passbook_domain::person::Person;
use passbook_domain::ports::{CountedQuery, MonthTotals};
use passbook_domain::range::ResolvedDays;
use passbook_domain::rounding::divide;
use passbook_domain::tally::{CurrencyTotal, Overflow, Tally, Unconverted};
use passbook_domain::transaction::TransactionType;
use passbook_domain::{Currency, Money};

use crate::error::Error;

/// Adds up the totals that have the same key, such as a category. Keys are in the order of their first occurrence.
///
/// # Errors
/// A sum exceeds 64 bits.
pub fn tallies<K: PartialEq + Copy>(
    sums: impl IntoIterator<Item = (K, CurrencyTotal)>,
) -> Result<Vec<(K, Tally)>, Overflow> {
    let mut tallies: Vec<(K, Tally)> = Vec::new();
    for (key, sum) in sums {
        let at = tallies.iter().position(|(known, _)| *known == key);
        let at = at.unwrap_or_else(|| {
            tallies.push((key, Tally::default()));
            tallies.len() - 1
        });
        tallies[at].1.add(&sum)?;
    }
    Ok(tallies)
}

/// Compares the totals of each category that either side has, by name. `before` and `now` have each category once.
///
/// # Errors
/// A difference exceeds 64 bits.
pub(crate) fn compare_categories<C: Copy + Ord + std::fmt::Display>(
    before: Vec<(C, Tally)>,
    now: Vec<(C, Tally)>,
    currency: Currency,
) -> Result<Vec<(C, ComparedTotal)>, Overflow> {
    let mut totals: BTreeMap<String, (C, i64, i64)> = BTreeMap::new();
    for (category, tally) in before {
        totals.entry(category.to_string()).or_insert((category, 0, 0)).1 = tally.cents;
    }
    for (category, tally) in now {
        totals.entry(category.to_string()).or_insert((category, 0, 0)).2 = tally.cents;
    }
    let compared = totals
        .into_values()
        .map(|(category, before, now)| Ok((category, ComparedTotal::new(before, now, currency)?)));
    compared.collect()
}

/// Returns the amounts without an exchange rate that totals of expenses and of refunds leave out. Those of refunds are marked
/// with their transaction type.
pub fn with_refunds(spent: Tally, refunds: Tally) -> Vec<Unconverted> {
    spent.unconverted.into_iter().chain(refunds.unconverted_of_type(TransactionType::Income)).collect()
}

/// Returns the expense categories that a query leaves out because the user excluded them. A query leaves out none if it
/// includes them or names its categories.
pub fn excluded_categories(person: &Person, query: &CountedQuery) -> Vec<ExpenseCategory> {
    if query.include_excluded || query.categories.is_some() {
        return Vec::new();
    }
    person.excluded_categories.clone()
}

/// Returns the first and last day of the range. An open range starts at the first counted transaction, and ends today
/// or at a later counted transaction. Returns `None` for a range without a start and without counted transactions.
pub fn counted_span(
    days: ResolvedDays,
    counted_days: Option<(Date, Date)>,
    today: Date,
) -> Option<(Date, Date)> {
    let first = days.first.or(counted_days.map(|(first, _)| first))?;
    let open_end = counted_days.map_or(today, |(_, last)| last.max(today));
    Some((first, days.last.unwrap_or(open_end)))
}

/// Divides a range into the person's periods. A range without days has none.
///
/// # Errors
/// There would be more than [`PERIODS_MAX`] periods.
pub fn divide_range(
    group_by: GroupBy,
    span: Option<(Date, Date)>,
    person: &Person,
) -> Result<Vec<Period>, Error> {
    let Some((first, last)) = span else { return Ok(Vec::new()) };
    periods(group_by, first, last, person.month_start).map_err(|_| {
        Error::invalid_parameter(
            "groupBy",
            format!("would cut this range into more than {PERIODS_MAX} periods: use longer periods or a shorter range"),
        )
    })
}

/// Divides a range into the person's months; `None` if the request has no grouping.
///
/// # Errors
/// There would be more than [`PERIODS_MAX`] months.
pub fn months(
    group_by: MonthGrouping,
    span: Option<(Date, Date)>,
    person: &Person,
) -> Result<Option<Vec<Period>>, Error> {
    match group_by {
        MonthGrouping::None => Ok(None),
        MonthGrouping::Month => divide_range(GroupBy::Month, span, person).map(Some),
    }
}

/// Returns the average spending of complete months.
pub(crate) fn spending_per_month(
    months: Option<&MonthTotals>,
    currency: Currency,
) -> Result<Option<SpendingPerMonth>, Overflow> {
    let average = |months: &MonthTotals| {
        let total_expense = per_month(&months.expenses, months, currency)?;
        Ok(SpendingPerMonth { days: months.days, month_count: months.count(), total_expense })
    };
    months.map(average).transpose()
}

/// Returns the average income and expenses of complete months.
pub(crate) fn cashflow_per_month(
    months: Option<&MonthTotals>,
    currency: Currency,
) -> Result<Option<CashflowPerMonth>, Overflow> {
    let average = |months: &MonthTotals| {
        let income_total = per_month(&months.income, months, currency)?;
        let expense_total = per_month(&months.expenses, months, currency)?;
        let net = Money::new(income_total.amount_cents - expense_total.amount_cents, currency);
        let (days, month_count) = (months.days, months.count());
        Ok(CashflowPerMonth { days, month_count, income_total, expense_total, net })
    };
    months.map(average).transpose()
}

fn per_month(totals: &[CurrencyTotal], months: &MonthTotals, currency: Currency) -> Result<Money, Overflow> {
    let average = divide(Tally::from_totals(totals)?.cents.into(), months.count().into());
    Ok(Money::new(i64::try_from(average).map_err(|_| Overflow)?, currency))
}
