//! Comparison of a range with earlier days: which days are compared, and how totals changed.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::category::{ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::money::Money;
use crate::month_start::MonthStart;
use crate::percent::Percent;
use crate::period::days_between;
use crate::range::{DaySpan, ResolvedDays};
use crate::string_enum::string_enum;
use crate::tally::{Overflow, Unconverted};

string_enum! {
    /// The earlier days with which a range is compared.
    #[derive(Default)]
    CompareTo {
        #[default]
        None = "none",
        /// The days directly before the range: as many months if it begins with a month and ends with one, else as many days.
        PreviousPeriod = "previous-period",
        SameDaysOfLastMonth = "same-days-of-last-month",
        SameDaysOfLastYear = "same-days-of-last-year",
    }
}

/// The days of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedDays {
    /// The days of the range up to today.
    pub now: DaySpan,
    /// The earlier days.
    pub before: DaySpan,
}

impl CompareTo {
    /// Returns the days of a comparison on the day `today`; none without a comparison, and for a range that is open or begins
    /// after today. `whole_last` is the last day of a period that is not over, such as the end of this month.
    ///
    /// A range that is not over is compared up to today with as many days. An earlier month that lacks a day ends with its last
    /// day, and the end of a month is compared with the end of the earlier month.
    pub fn days(
        self,
        range: ResolvedDays,
        whole_last: Option<Date>,
        today: Date,
        month_start: MonthStart,
    ) -> Option<ComparedDays> {
        let (first, whole_last) = (range.first?, whole_last.or(range.last)?);
        let now = DaySpan { first, last: range.last?.min(today) };
        if first > now.last {
            return None;
        }
        let (begins, months) = match self {
            CompareTo::None => return None,
            CompareTo::SameDaysOfLastMonth => (month_start, 1),
            CompareTo::SameDaysOfLastYear => (month_start, 12),
            CompareTo::PreviousPeriod => match whole_months(first, whole_last, month_start) {
                Some(months) => months,
                None => {
                    let days = days_between(first, now.last).days();
                    let before =
                        DaySpan { first: first.checked_sub(days).ok()?, last: first.yesterday().ok()? };
                    return Some(ComparedDays { now, before });
                }
            },
        };
        let mut last = begins.months_before(now.last, months);
        if now.last == begins.last_day(begins.month_of(now.last)) {
            last = begins.last_day(begins.month_of(last));
        }
        Some(ComparedDays { now, before: DaySpan { first: begins.months_before(first, months), last } })
    }
}

/// Returns the number of months from `first` to `last` if they are whole months, of the person or of the calendar, with their
/// start.
fn whole_months(first: Date, last: Date, month_start: MonthStart) -> Option<(MonthStart, i64)> {
    let number = |day: Date| 12 * i64::from(day.year()) + i64::from(day.month());
    [month_start, MonthStart::FIRST_DAY].into_iter().find_map(|begins| {
        let (from, to) = (begins.month_of(first), begins.month_of(last));
        let is_whole = first == begins.first_day(from) && last == begins.last_day(to);
        is_whole.then(|| (begins, number(to) - number(from) + 1))
    })
}

/// A total of earlier days, and its change to the total of the range up to today.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedTotal {
    /// The total of the earlier days.
    pub total: Money,
    /// The total of the range up to today minus this total; signed.
    pub change: Money,
    /// The change in percent of this total; absent if this total is 0 or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Percent")]
    pub change_percent: Option<Percent>,
}

impl ComparedTotal {
    /// Compares two totals in hundredths of one currency.
    ///
    /// # Errors
    /// Their difference exceeds 64 bits.
    pub fn new(before: i64, now: i64, currency: Currency) -> Result<ComparedTotal, Overflow> {
        Ok(ComparedTotal {
            total: Money::new(before, currency),
            change: Money::new(now.checked_sub(before).ok_or(Overflow)?, currency),
            change_percent: Percent::change(before, now),
        })
    }
}

/// Income and expenses of the earlier days.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashflowComparison {
    /// The earlier days.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Total income, refunds included.
    pub income_total: ComparedTotal,
    /// Total expenses.
    pub expense_total: ComparedTotal,
    /// Income minus expenses.
    pub net: ComparedTotal,
    /// Income by category, that of the range and that of the earlier days; by name.
    pub income_categories: Vec<ComparedIncome>,
    /// Amounts missing from the earlier totals because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// Income of one category on the earlier days.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ComparedIncome {
    /// The income category. New values may appear: tolerate unknown ones.
    pub category: IncomeCategory,
    /// Its total.
    #[serde(flatten)]
    pub compared: ComparedTotal,
}

/// Gross spending of the earlier days.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendingComparison {
    /// The earlier days.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Gross spending.
    pub total_expense: ComparedTotal,
    /// Spending by category, that of the range and that of the earlier days; by name. Absent where the response has no
    /// categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ComparedSpending>")]
    pub categories: Option<Vec<ComparedSpending>>,
    /// Amounts missing from the earlier totals because they cannot be converted; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// Gross spending of one category on the earlier days.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ComparedSpending {
    /// The expense category. New values may appear: tolerate unknown ones.
    pub category: ExpenseCategory,
    /// Its total.
    #[serde(flatten)]
    pub compared: ComparedTotal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_days_are_as_many_as_have_passed() {
        let date = |text: &str| text.parse::<Date>().expect("a date");
        for (start, compare_to, range, whole_last, expected) in [
            ("1", "previous-period", "2026-11-01 2026-11-21", "2026-11-30", "2026-10-01 2026-10-21"),
            ("1", "previous-period", "2026-10-01 2026-10-31", "", "2026-09-01 2026-09-30"),
            ("1", "previous-period", "2026-02-01 2026-02-28", "", "2026-01-01 2026-01-31"),
            ("1", "previous-period", "2026-10-01 2026-11-21", "2026-12-31", "2026-07-01 2026-08-21"),
            ("1", "previous-period", "2026-11-01 2026-11-30", "", "2026-10-01 2026-10-21"),
            ("1", "previous-period", "2026-11-15 2026-11-21", "", "2026-11-08 2026-11-14"),
            ("1", "previous-period", "2026-11-15 2026-12-31", "", "2026-11-08 2026-11-14"),
            ("1", "same-days-of-last-month", "2026-03-15 2026-03-30", "", "2026-02-15 2026-02-28"),
            ("1", "same-days-of-last-month", "2026-11-01 2026-11-21", "2026-11-30", "2026-10-01 2026-10-21"),
            ("1", "same-days-of-last-year", "2025-02-01 2025-02-28", "", "2024-02-01 2024-02-29"),
            ("1", "same-days-of-last-year", "2026-11-22 2026-11-30", "", ""),
            ("25", "previous-period", "2026-10-25 2026-11-21", "2026-11-24", "2026-09-25 2026-10-21"),
            ("25", "previous-period", "2026-09-25 2026-10-24", "", "2026-08-25 2026-09-24"),
            ("25", "previous-period", "2026-01-01 2026-11-21", "2026-12-31", "2025-01-01 2025-11-21"),
            (
                "last-working-day",
                "previous-period",
                "2026-10-30 2026-11-21",
                "2026-11-29",
                "2026-09-30 2026-10-22",
            ),
            ("last-working-day", "previous-period", "2026-09-30 2026-10-29", "", "2026-08-31 2026-09-29"),
            (
                "last-working-day",
                "same-days-of-last-month",
                "2026-02-27 2026-03-29",
                "",
                "2026-01-30 2026-02-26",
            ),
            ("1", "none", "2026-11-01 2026-11-21", "", ""),
        ] {
            let (first, last) = range.split_once(' ').expect("two days");
            let days = ResolvedDays { first: Some(date(first)), last: Some(date(last)) };
            let start = MonthStart::parse(start).expect("a start");
            let compare_to = CompareTo::parse(compare_to).expect("a value");
            let found = compare_to.days(days, whole_last.parse().ok(), date("2026-11-21"), start);
            let found = found.map(|days| format!("{} {}", days.before.first, days.before.last));
            assert_eq!(found.unwrap_or_default(), expected, "{start} {compare_to} {range}");
        }
        let open = ResolvedDays { first: None, last: Some(date("2026-11-21")) };
        assert_eq!(
            CompareTo::PreviousPeriod.days(open, None, date("2026-11-21"), MonthStart::FIRST_DAY),
            None
        );
    }
}
