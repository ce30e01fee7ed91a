//! Periods by name: the person's months and quarters, and years of the calendar.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::month_start::MonthStart;
use crate::string_enum::string_enum;

string_enum! {
    /// A period by its name. Months and quarters are the person's ([`MonthStart`]), years those of the calendar; those of the
    /// present end today.
    NamedPeriod {
        ThisMonth = "this-month",
        LastMonth = "last-month",
        ThisQuarter = "this-quarter",
        LastQuarter = "last-quarter",
        ThisYear = "this-year",
        LastYear = "last-year",
        /// The twelve whole months before this one.
        LastTwelveMonths = "last-12-months",
    }
}

impl NamedPeriod {
    /// Returns the first day, the last day up to today, and the last day of the whole period.
    pub(super) fn days(self, today: Date, month_start: MonthStart) -> Option<(Date, Date, Date)> {
        let month = month_start.month_of(today);
        let quarter = month.checked_sub(i64::from((month.month() - 1) % 3).months()).ok()?;
        let year = today.first_of_year();
        let (start, months, is_over) = match self {
            NamedPeriod::ThisMonth => (month, 1, false),
            NamedPeriod::LastMonth => (month, 1, true),
            NamedPeriod::ThisQuarter => (quarter, 3, false),
            NamedPeriod::LastQuarter => (quarter, 3, true),
            NamedPeriod::ThisYear => (year, 12, false),
            NamedPeriod::LastYear => (year, 12, true),
            NamedPeriod::LastTwelveMonths => (month, 12, true),
        };
        let begins = match self {
            NamedPeriod::ThisYear | NamedPeriod::LastYear => MonthStart::FIRST_DAY,
            _ => month_start,
        };
        if is_over {
            let last = begins.first_day(start).yesterday().ok()?;
            return Some((begins.first_day(start.checked_sub(months.months()).ok()?), last, last));
        }
        let next = start.checked_add(months.months()).ok()?;
        Some((begins.first_day(start), today, begins.first_day(next).yesterday().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::range::{DateRange, Days, ResolvedDays, parse_date};

    #[test]
    fn named_periods_are_months_of_the_person_and_years_of_the_calendar() {
        let date = |text: &str| parse_date(text).expect("a date");
        for (start, today, period, first, last, left_out) in [
            ("1", "2026-11-21", NamedPeriod::ThisMonth, "2026-11-01", "2026-11-21", "2026-11-30"),
            ("1", "2026-11-30", NamedPeriod::ThisMonth, "2026-11-01", "2026-11-30", "2026-11-30"),
            ("1", "2026-01-31", NamedPeriod::LastMonth, "2025-12-01", "2025-12-31", ""),
            ("1", "2024-03-31", NamedPeriod::LastMonth, "2024-02-01", "2024-02-29", ""),
            ("1", "2026-11-21", NamedPeriod::ThisQuarter, "2026-10-01", "2026-11-21", "2026-12-31"),
            ("1", "2026-02-28", NamedPeriod::LastQuarter, "2025-10-01", "2025-12-31", ""),
            ("1", "2026-02-28", NamedPeriod::ThisYear, "2026-01-01", "2026-02-28", "2026-12-31"),
            ("1", "2026-02-28", NamedPeriod::LastYear, "2025-01-01", "2025-12-31", ""),
            ("1", "2026-02-28", NamedPeriod::LastTwelveMonths, "2025-02-01", "2026-01-31", ""),
            ("25", "2026-11-21", NamedPeriod::ThisMonth, "2026-10-25", "2026-11-21", "2026-11-24"),
            ("25", "2026-11-25", NamedPeriod::LastMonth, "2026-10-25", "2026-11-24", ""),
            ("25", "2026-12-26", NamedPeriod::ThisQuarter, "2026-12-25", "2026-12-26", "2027-03-24"),
            ("25", "2026-12-26", NamedPeriod::LastYear, "2025-01-01", "2025-12-31", ""),
            ("10", "2026-02-28", NamedPeriod::LastTwelveMonths, "2025-02-10", "2026-02-09", ""),
            (
                "last-working-day",
                "2026-11-29",
                NamedPeriod::ThisMonth,
                "2026-10-30",
                "2026-11-29",
                "2026-11-29",
            ),
        ] {
            let start = MonthStart::parse(start).expect("a start");
            let (days, today) = (Days::Range(DateRange::named(period)), date(today));
            let expected = ResolvedDays { first: Some(date(first)), last: Some(date(last)) };
            assert_eq!(days.resolve(today, start), expected, "{start} {today} {period}");
            let later = days.left_out(expected, today, start).and_then(|later| later.last);
            assert_eq!(later, parse_date(left_out).ok(), "{start} {today} {period}");
        }
    }
}
