//! Ranges of days: as a request contains them, and after they are resolved against the person's current day.

mod named_period;

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::error::Invalid;
use crate::month_start::MonthStart;
use crate::string_enum::string_enum;

pub use named_period::NamedPeriod;

/// The years that a date may have, from the first to the last.
pub const YEARS: std::ops::RangeInclusive<i16> = 1900..=2200;

string_enum! {
    /// A relative range: a number of whole months that ends today, or all days.
    TimeRange {
        OneMonth = "1m",
        ThreeMonths = "3m",
        SixMonths = "6m",
        OneYear = "1y",
        All = "all",
    }
}

/// Parses a calendar day.
///
/// # Errors
///
/// The text is not `YYYY-MM-DD`, the day does not exist, or its year is outside [`YEARS`].
pub fn parse_date(text: &str) -> Result<Date, Invalid> {
    let rule = || Invalid::new("must be a calendar day YYYY-MM-DD from 1900-01-01 to 2200-12-31");
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return Err(rule());
    }
    let date: Date = text.parse().map_err(|_| rule())?;
    if YEARS.contains(&date.year()) { Ok(date) } else { Err(rule()) }
}

/// A requested range. Explicit days take precedence over `time_range`. A missing first day is an open start, and a missing last
/// day is today; if all three are missing, the range includes all days up to today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateRange {
    from: Option<Date>,
    to: Option<Date>,
    time_range: Option<TimeRange>,
    period: Option<NamedPeriod>,
}

impl DateRange {
    /// All days up to today.
    pub const EVERYTHING: DateRange = DateRange { from: None, to: None, time_range: None, period: None };

    /// Creates a range.
    ///
    /// # Errors
    ///
    /// `from` is after `to`.
    pub fn new(
        from: Option<Date>,
        to: Option<Date>,
        time_range: Option<TimeRange>,
    ) -> Result<DateRange, Invalid> {
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            return Err(Invalid::new("must not be after dateTo"));
        }
        Ok(DateRange { from, to, time_range, ..DateRange::EVERYTHING })
    }

    /// Returns the days of a named period.
    pub const fn named(period: NamedPeriod) -> DateRange {
        DateRange { period: Some(period), ..DateRange::EVERYTHING }
    }

    /// Returns the `count` days that end with `today`, both ends inclusive. A count of 0 is treated as 1, and the range
    /// never starts before the first day of [`YEARS`].
    ///
    /// `today` is the person's current day, which `Service::report_settings` of `operations` returns.
    pub fn last_days(count: u16, today: Date) -> DateRange {
        let before = i64::from(count.saturating_sub(1));
        let first = today.saturating_sub(before.days()).max(Date::constant(*YEARS.start(), 1, 1));
        DateRange { from: Some(first.min(today)), to: Some(today), ..DateRange::EVERYTHING }
    }

    /// Returns the first day of the range, inclusive; none if the range has no first day.
    pub fn from(&self) -> Option<Date> {
        self.from
    }

    /// Returns the last day of the range, inclusive; none if the range has no last day.
    pub fn to(&self) -> Option<Date> {
        self.to
    }

    /// Returns the relative range. It is used only if the request has neither a first nor a last day.
    pub fn time_range(&self) -> Option<TimeRange> {
        self.time_range
    }

    /// Returns the named period. A range has either such a period, or days and a relative range.
    pub fn period(&self) -> Option<NamedPeriod> {
        self.period
    }
}

/// The days that a request names. A [`Ledger`](crate::ports::Ledger) resolves them to calendar days with the date of today
/// in the person's time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// A range of days.
    Range(DateRange),
    /// A whole month of the person, by its name. A missing year or month is the current one.
    Month {
        /// Year, within [`YEARS`].
        year: Option<i16>,
        /// Month, 1 to 12.
        month: Option<i8>,
    },
}

impl From<DateRange> for Days {
    fn from(range: DateRange) -> Days {
        Days::Range(range)
    }
}

impl Days {
    /// Resolves the days for a person whose current day is `today`, and whose months begin with `month_start`.
    ///
    /// A relative range of n months starts one day after today minus n months and ends today. Today minus n months is
    /// limited to the last day of its month. A missing last day is today, unless the first day is later; the current month ends
    /// today.
    ///
    /// This function is for ledgers without a database. `store` resolves days in PostgreSQL, with
    /// `passbook_read.resolve_first_day` and `resolve_last_day`; tests compare both.
    pub fn resolve(self, today: Date, month_start: MonthStart) -> ResolvedDays {
        match self {
            Days::Month { year, month } => {
                let current = month_start.month_of(today);
                let name =
                    Date::new(year.unwrap_or(current.year()), month.unwrap_or(current.month()), 1).ok();
                let last = name.map(|name| if name == current { today } else { month_start.last_day(name) });
                ResolvedDays { first: name.map(|name| month_start.first_day(name)), last }
            }
            Days::Range(DateRange { period: Some(period), .. }) => {
                let days = period.days(today, month_start);
                ResolvedDays { first: days.map(|(first, ..)| first), last: days.map(|(_, last, _)| last) }
            }
            Days::Range(DateRange { from: None, to: None, time_range, .. }) => {
                let months = match time_range {
                    Some(TimeRange::OneMonth) => 1,
                    Some(TimeRange::ThreeMonths) => 3,
                    Some(TimeRange::SixMonths) => 6,
                    Some(TimeRange::OneYear) => 12,
                    Some(TimeRange::All) | None => return ResolvedDays { first: None, last: Some(today) },
                };
                let before = today.checked_sub(months.months()).and_then(|before| before.tomorrow());
                ResolvedDays { first: before.ok(), last: Some(today) }
            }
            Days::Range(DateRange { from, to, .. }) => {
                let is_later = from.is_some_and(|from| from > today);
                ResolvedDays { first: from, last: to.or((!is_later).then_some(today)) }
            }
        }
    }

    /// Returns the days after today that the request leaves out: all if it names no last day, those of the present month if it
    /// names this month. None for other requests, and if the range is open. `resolved` are the days for `today`.
    pub fn left_out(
        self,
        resolved: ResolvedDays,
        today: Date,
        month_start: MonthStart,
    ) -> Option<ResolvedDays> {
        let last = match self {
            Days::Month { .. } => Some(month_start.last_day(month_start.month_of(today))),
            Days::Range(DateRange { period: Some(period), .. }) => Some(period.days(today, month_start)?.2),
            Days::Range(_) if self.has_missing_end() => None,
            Days::Range(_) => return None,
        };
        let first = resolved.last.filter(|last| *last == today)?.tomorrow().ok()?;
        Some(ResolvedDays { first: Some(first), last })
    }

    /// Returns true if the request names no last day. The range then ends today, or is open if it starts later.
    fn has_missing_end(self) -> bool {
        match self {
            Days::Range(DateRange { period: Some(_), .. }) => false,
            Days::Range(DateRange { from: None, to: None, time_range, .. }) => {
                matches!(time_range, Some(TimeRange::All) | None)
            }
            Days::Range(DateRange { to, .. }) => to.is_none(),
            Days::Month { .. } => false,
        }
    }
}

/// Resolved days of a request, both inclusive. A missing day is an open end. Responses repeat them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ResolvedDays {
    /// First day, inclusive; absent when the range is open at that end.
    #[serde(rename = "dateFrom", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    #[schemars(extend("x-tool-description" = "Absent if open."))]
    pub first: Option<Date>,
    /// Last day, inclusive; absent when the range is open at that end.
    #[serde(rename = "dateTo", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    #[schemars(extend("x-tool-description" = "Absent if open."))]
    pub last: Option<Date>,
}

impl ResolvedDays {
    /// Returns true if `day` is in the range.
    pub fn contains(&self, day: Date) -> bool {
        self.first.is_none_or(|first| first <= day) && self.last.is_none_or(|last| day <= last)
    }
}

/// Transactions after today that a range without a last day leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Planned {
    /// Number of transactions; `dateTo` includes them.
    pub transaction_count: i64,
}

impl Planned {
    /// Returns the number of transactions as a response contains it: none for 0.
    pub fn new(transaction_count: i64) -> Option<Planned> {
        (transaction_count > 0).then_some(Planned { transaction_count })
    }
}

/// A range of days with two known ends, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct DaySpan {
    /// First day, inclusive.
    #[serde(rename = "dateFrom")]
    #[schemars(with = "String", extend("format" = "date"))]
    pub first: Date,
    /// Last day, inclusive.
    #[serde(rename = "dateTo")]
    #[schemars(with = "String", extend("format" = "date"))]
    pub last: Date,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_days_end_today_and_include_both_ends() {
        let date = |text: &str| parse_date(text).expect("a date");
        for (count, today, first) in [
            (7, "2026-11-21", "2026-11-15"),
            (1, "2026-11-21", "2026-11-21"),
            (0, "2026-11-21", "2026-11-21"),
            (30, "2024-03-01", "2024-02-01"),
            (u16::MAX, "1950-01-01", "1900-01-01"),
        ] {
            let range = DateRange::last_days(count, date(today));
            assert_eq!((range.from(), range.to()), (Some(date(first)), Some(date(today))), "{count} {today}");
        }
    }

    #[test]
    fn relative_range_ends_today_and_is_limited_to_month_ends() {
        let date = |text: &str| parse_date(text).expect("a date");
        for (today, months, first) in [
            ("2026-11-21", TimeRange::OneMonth, "2026-10-22"),
            ("2026-11-21", TimeRange::ThreeMonths, "2026-08-22"),
            ("2026-11-21", TimeRange::SixMonths, "2026-05-22"),
            ("2026-11-21", TimeRange::OneYear, "2025-11-22"),
            ("2026-03-31", TimeRange::OneMonth, "2026-03-01"),
            ("2026-03-30", TimeRange::OneMonth, "2026-03-01"),
            ("2024-02-29", TimeRange::OneYear, "2023-03-01"),
            ("2026-05-31", TimeRange::ThreeMonths, "2026-03-01"),
        ] {
            let range = Days::Range(DateRange::new(None, None, Some(months)).expect("a range"));
            let expected = ResolvedDays { first: Some(date(first)), last: Some(date(today)) };
            assert_eq!(range.resolve(date(today), MonthStart::FIRST_DAY), expected, "{today} {months:?}");
        }
    }

    #[test]
    fn missing_end_is_today_unless_the_range_starts_later() {
        let date = |text: &str| parse_date(text).expect("a date");
        let today = date("2026-11-21");
        let range = |from: &str, to: &str| {
            let (from, to) = (parse_date(from).ok(), parse_date(to).ok());
            Days::Range(DateRange::new(from, to, None).expect("a range"))
        };
        let month = |month| Days::Month { year: None, month };
        for (days, last, has_missing_end) in [
            (range("", ""), Some("2026-11-21"), true),
            (range("2026-01-01", ""), Some("2026-11-21"), true),
            (range("2026-11-21", ""), Some("2026-11-21"), true),
            (range("2026-11-22", ""), None, true),
            (range("", "2026-12-31"), Some("2026-12-31"), false),
            (month(None), Some("2026-11-21"), false),
            (month(Some(10)), Some("2026-10-31"), false),
            (month(Some(12)), Some("2026-12-31"), false),
        ] {
            assert_eq!(days.resolve(today, MonthStart::FIRST_DAY).last, last.map(date), "{days:?}");
            assert_eq!(days.has_missing_end(), has_missing_end, "{days:?}");
        }
    }

    #[test]
    fn only_existing_days_from_1900_to_2200_are_parsed() {
        for good in ["1900-01-01", "2200-12-31", "2024-02-29"] {
            assert_eq!(parse_date(good).map(|date| date.to_string()), Ok(good.to_owned()));
        }
        for bad in [
            "",
            "2026-1-01",
            "2026-02-30",
            "2023-02-29",
            "1899-12-31",
            "2201-01-01",
            "2026-01-01T00:00:00",
            " 2026-01-01",
            "20260101",
            "2026/01/01",
            "٢٠٢٦-01-01",
            "+026-01-01",
        ] {
            assert!(parse_date(bad).is_err(), "{bad}");
        }
    }
}
