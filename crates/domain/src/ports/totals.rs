//! The totals that a ledger returns, before conversion gaps are reported and percentages are computed.

use jiff::ToSpan as _;
use jiff::civil::Date;

#[cfg(doc)]
use crate::cashflow::TransfersOutside;
use crate::category::{ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::label::GroupLabel;
use crate::money::Money;
use crate::period::days_between;
use crate::person::Person;
use crate::range::{DaySpan, ResolvedDays};
use crate::tally::CurrencyTotal;
use crate::transaction::{Transaction, TransactionType};

/// One page of transactions, and what the whole list has.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TransactionRows {
    /// The rows of the page, and one row more if a next page exists.
    pub rows: Vec<Transaction>,
    /// Number of transactions after today that the list would have if the request had a last day; 0 after the first page.
    pub planned: i64,
    /// Totals of the rows of the list that cannot be converted, by type: for the first page of an order by amount, else empty.
    pub unconverted: Vec<(TransactionType, CurrencyTotal)>,
}

/// Totals of income by category and of expenses.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CashflowTotals {
    /// Number of transactions after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of income, each with the first day of its month and its category.
    pub income: Vec<(Option<Date>, IncomeCategory, CurrencyTotal)>,
    /// Totals of expenses, each with the first day of its month.
    pub expenses: Vec<(Option<Date>, CurrencyTotal)>,
    /// Totals of the expenses that the query leaves out because the person excluded their categories.
    pub excluded: Vec<CurrencyTotal>,
    /// Totals of those expenses that have a category of [`TransfersOutside::OUTGOING`].
    pub outgoing: Vec<CurrencyTotal>,
    /// First and last day of the range on which an included transaction was posted; none if there is no such day.
    /// A ledger may also return none if both ends of the range are known.
    pub counted_days: Option<(Date, Date)>,
    /// The same totals of the complete months of the range; none without such a month.
    pub months: Option<MonthTotals>,
}

/// Expense and refund totals of a range, and expense totals of the days before the range.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SpendingTotals {
    /// Number of expenses after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of expenses, each with the first day of its period; none if the range is not divided into periods.
    pub expenses: Vec<(Option<Date>, CurrencyTotal)>,
    /// Totals of the refunds in the range. The query selects the purchase of a refund, or without a purchase the refund.
    pub refunds: Vec<CurrencyTotal>,
    /// Totals of expenses in the days directly before the range, as many as the range has up to today; empty without such days,
    /// and for a range without a first day.
    pub previous: Vec<CurrencyTotal>,
    /// Totals of those expenses of the range that are after today.
    pub after_today: Vec<CurrencyTotal>,
    /// First and last day of the range on which an included expense was posted; none if there is no such day.
    /// A ledger may also return none if both ends of the range are known.
    pub counted_days: Option<(Date, Date)>,
    /// The same totals of the complete months of the range; none without such a month.
    pub months: Option<MonthTotals>,
}

/// Expense totals by category and month, and refund totals by the category of the refunded purchase.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CategoryTotals {
    /// Number of expenses after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of expenses, each with its category and the first day of its month.
    pub expenses: Vec<(ExpenseCategory, Option<Date>, CurrencyTotal)>,
    /// First and last day of the range on which an included expense was posted; none if there is no such day.
    /// A ledger may also return none if both ends of the range are known.
    pub counted_days: Option<(Date, Date)>,
    /// The same totals of the complete months of the range; none without such a month.
    pub months: Option<MonthTotals>,
    /// Totals of refunds, each with the category of the refunded purchase.
    pub refunds: Vec<(ExpenseCategory, CurrencyTotal)>,
    /// Totals of the refunds without a purchase.
    pub unlinked_refunds: Vec<CurrencyTotal>,
}

/// Expense totals by own category, tag or account.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LabelTotals {
    /// Totals of expenses, each with its own category, tag or account.
    pub groups: Vec<(GroupLabel, CurrencyTotal)>,
    /// Totals of the expenses that have an own category, a tag or an account, each expense once.
    pub labelled: Vec<CurrencyTotal>,
}

/// Expense totals by merchant, and the refunds of the same range.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MerchantTotals {
    /// Number of expenses after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of all expenses, including expenses without a merchant.
    pub total: Vec<CurrencyTotal>,
    /// Names and totals of the merchants with the largest expenses, largest first. A name has its most recent spelling.
    /// Each merchant has one total per currency and existence of a rate.
    pub merchants: Vec<(String, Vec<CurrencyTotal>)>,
    /// Totals of refunds, each with the index in `merchants` of the merchant of the purchase, or without a purchase of that of
    /// the refund. Two merchants may have one name.
    pub refunds: Vec<(usize, CurrencyTotal)>,
    /// Totals of all refunds, including those without a merchant.
    pub total_refunds: Vec<CurrencyTotal>,
}

/// Target of one expense category: the amount that the person plans to spend in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// Amount of the target in hundredths of `currency`.
    pub amount_cents: i64,
    /// Currency in which the target is stored.
    pub currency: Currency,
    /// Amount of the target in hundredths of the preferred currency, at the rate of the end of the month or of today,
    /// whichever is earlier; none without a rate.
    pub converted_cents: Option<i64>,
}

impl Target {
    /// Creates a target with its amount in the preferred currency; none without a rate.
    pub fn new(amount: Money, converted_cents: Option<i64>) -> Target {
        Target { amount_cents: amount.amount_cents, currency: amount.currency, converted_cents }
    }
}

/// Expense totals of a month by category, and the target of each category.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BudgetTotals {
    /// Number of expenses of the current month after today.
    pub planned: i64,
    /// Totals of the month's expenses, each with its category.
    pub expenses: Vec<(ExpenseCategory, CurrencyTotal)>,
    /// Targets, each with its category. Excluded categories have none here.
    pub targets: Vec<(ExpenseCategory, Target)>,
    /// Totals of the month's refunds, each with the category of the refunded purchase.
    pub refunds: Vec<(ExpenseCategory, CurrencyTotal)>,
}

/// Mean length of a month in days of 400 years, as a fraction.
const MONTH_DAYS: (i64, i64) = (146_097, 4_800);

/// The totals of the complete months of a range: those that lie in its days up to today.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MonthTotals {
    /// First day of the first month to last day of the last month.
    pub days: DaySpan,
    /// Totals of income; empty if the query reads expenses only.
    pub income: Vec<CurrencyTotal>,
    /// Totals of expenses.
    pub expenses: Vec<CurrencyTotal>,
}

impl MonthTotals {
    /// Creates the totals of complete months, which have no income and no expenses yet.
    pub fn new(days: DaySpan) -> MonthTotals {
        MonthTotals { days, income: Vec::new(), expenses: Vec::new() }
    }

    /// Adds up totals of single days or months of a range. A range without a first day starts at the first of `counted_days`.
    /// Returns none without a complete month.
    pub fn select<'t>(
        range: ResolvedDays,
        counted_days: Option<(Date, Date)>,
        person: &Person,
        income: impl IntoIterator<Item = (Date, &'t CurrencyTotal)>,
        expenses: impl IntoIterator<Item = (Date, &'t CurrencyTotal)>,
    ) -> Option<MonthTotals> {
        let from = range.first.or(counted_days.map(|(first, _)| first))?;
        let until = range.last.map_or(person.today, |last| last.min(person.today));
        let begins = person.month_start;
        let (month, next) = (begins.month_of(from), begins.month_of(until.tomorrow().ok()?));
        let whole =
            if begins.first_day(month) == from { month } else { month.checked_add(1.month()).ok()? };
        let (first, last) = (begins.first_day(whole), begins.first_day(next).yesterday().ok()?);
        let within = |day: &Date| (first..=last).contains(day);
        let mut months = MonthTotals::new(DaySpan { first, last });
        months.income = income.into_iter().filter(|(day, _)| within(day)).map(|(_, sum)| *sum).collect();
        months.expenses = expenses.into_iter().filter(|(day, _)| within(day)).map(|(_, sum)| *sum).collect();
        (first <= last).then_some(months)
    }

    /// Returns the number of months. Whole months in a row differ from so many mean months by less than half a month,
    /// whatever day they begin on.
    pub fn count(&self) -> i64 {
        let (numerator, denominator) = MONTH_DAYS;
        let days = days_between(self.days.first, self.days.last);
        (2 * days * denominator + numerator) / (2 * numerator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::month_start::MonthStart;
    use crate::person::UserId;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the person of a test")]
    fn months_are_those_that_lie_in_the_range_up_to_today() {
        let day = |text: &str| text.parse::<Date>().expect("a day");
        for (start, first, last, expected) in [
            ("1", "2026-01-01", "2026-12-31", "2026-01-01..2026-10-31 10"),
            ("1", "2026-01-02", "2026-11-21", "2026-02-01..2026-10-31 9"),
            ("1", "2024-02-01", "2024-02-29", "2024-02-01..2024-02-29 1"),
            ("1", "1900-01-01", "2200-12-31", "1900-01-01..2026-10-31 1522"),
            ("1", "2026-10-02", "2026-11-21", "none"),
            ("1", "2026-12-01", "2026-12-31", "none"),
            ("1", "", "2026-10-31", "2026-09-01..2026-10-31 2"),
            ("25", "2026-01-01", "2026-12-31", "2026-01-25..2026-10-24 9"),
            ("last-working-day", "2026-01-30", "2026-02-26", "2026-01-30..2026-02-26 1"),
            ("last-working-day", "2025-12-31", "2026-11-21", "2025-12-31..2026-10-29 10"),
        ] {
            let user = UserId::from_authenticated(uuid::Uuid::nil());
            let person = Person::new(user, "", Currency::EUR, "UTC", day("2026-11-21"))
                .with_month_start(MonthStart::parse(start).expect("a start"));
            let range = ResolvedDays { first: first.parse().ok(), last: Some(day(last)) };
            let counted = Some((day("2026-08-03"), day("2026-08-03")));
            let months = MonthTotals::select(range, counted, &person, [], []);
            let found = months.map_or("none".to_owned(), |months| {
                format!("{}..{} {}", months.days.first, months.days.last, months.count())
            });
            assert_eq!(found, expected, "{start} {first}..{last}");
        }
    }
}
