//! Periods by name: months, quarters and years of the calendar.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::string_enum::string_enum;

string_enum! {
    /// A period by its name. Months, quarters and years are those of the calendar; those of the present end today.
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
    pub(super) fn days(self, today: Date) -> Option<(Date, Date, Date)> {
        let month = today.first_of_month();
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
        if is_over {
            let last = start.yesterday().ok()?;
            return Some((start.checked_sub(months.months()).ok()?, last, last));
        }
        Some((start, today, start.checked_add(months.months()).ok()?.yesterday().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::range::{DateRange, Days, ResolvedDays, parse_date};

    #[test]
    fn named_periods_are_those_of_the_calendar() {
        let date = |text: &str| parse_date(text).expect("a date");
        for (today, period, first, last, left_out) in [
            ("2026-11-21", NamedPeriod::ThisMonth, "2026-11-01", "2026-11-21", "2026-11-30"),
            ("2026-11-30", NamedPeriod::ThisMonth, "2026-11-01", "2026-11-30", "2026-11-30"),
            ("2026-01-31", NamedPeriod::LastMonth, "2025-12-01", "2025-12-31", ""),
            ("2024-03-31", NamedPeriod::LastMonth, "2024-02-01", "2024-02-29", ""),
            ("2026-11-21", NamedPeriod::ThisQuarter, "2026-10-01", "2026-11-21", "2026-12-31"),
            ("2026-02-28", NamedPeriod::LastQuarter, "2025-10-01", "2025-12-31", ""),
            ("2026-02-28", NamedPeriod::ThisYear, "2026-01-01", "2026-02-28", "2026-12-31"),
            ("2026-02-28", NamedPeriod::LastYear, "2025-01-01", "2025-12-31", ""),
            ("2026-02-28", NamedPeriod::LastTwelveMonths, "2025-02-01", "2026-01-31", ""),
        ] {
            let (days, today) = (Days::Range(DateRange::named(period)), date(today));
            let expected = ResolvedDays { first: Some(date(first)), last: Some(date(last)) };
            assert_eq!(days.resolve(today), expected, "{today} {period}");
            assert!(!days.is_open(), "{period}");
            let later = days.left_out(expected, today).and_then(|later| later.last);
            assert_eq!(later, parse_date(left_out).ok(), "{today} {period}");
        }
    }
}
