//! The day on which a person's months begin.

use std::fmt;

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use crate::error::Invalid;
use crate::string_enum::json_schema;

/// The day on which the months of a person begin, such as payday: a day from 1 to 28, or the last working day of the month
/// before, Monday to Friday. Holidays are not known.
///
/// A month that begins up to the 16th is named by the calendar month in which it begins, a later one by the next: that which
/// has most of its days. Months are named by the first day of a calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthStart(u8);

impl Default for MonthStart {
    fn default() -> MonthStart {
        MonthStart::FIRST_DAY
    }
}

impl MonthStart {
    /// Months of the calendar.
    pub const FIRST_DAY: MonthStart = MonthStart(1);

    /// Months that begin on the last working day of the calendar month before.
    pub const LAST_WORKING_DAY: MonthStart = MonthStart(0);

    /// Parses a day from `1` to `28`, or `last-working-day`.
    ///
    /// # Errors
    ///
    /// The text is neither.
    pub fn parse(text: &str) -> Result<MonthStart, Invalid> {
        let days = (1..=28).map(MonthStart).chain([MonthStart::LAST_WORKING_DAY]);
        let mut named = days.filter(|start| start.to_string() == text);
        named.next().ok_or_else(|| Invalid::new("must be a day from 1 to 28, or last-working-day"))
    }

    /// Returns the value as the database stores it: the day, or 0 for the last working day.
    pub fn number(self) -> i16 {
        i16::from(self.0)
    }

    /// Returns the value that the database stores; none for another number.
    pub fn from_number(number: i16) -> Option<MonthStart> {
        u8::try_from(number).ok().filter(|number| *number <= 28).map(MonthStart)
    }

    /// Returns the name of the month that contains a day.
    pub fn month_of(self, day: Date) -> Date {
        let shifted = match self.0 {
            // The next working day lies in the calendar month that follows the last working day of a month.
            0 => day.saturating_add(days_to_working_day(day, Weekday::Friday, Weekday::Saturday).days()),
            start => day.saturating_sub(i64::from(start - 1).days()),
        };
        shifted.first_of_month().saturating_add(i64::from(self.begins_before()).months())
    }

    /// Returns the first day of the month with a name.
    pub fn first_day(self, month: Date) -> Date {
        match self.0 {
            0 => month.saturating_sub(days_to_working_day(month, Weekday::Monday, Weekday::Sunday).days()),
            start => month
                .saturating_sub(i64::from(self.begins_before()).months())
                .saturating_add(i64::from(start - 1).days()),
        }
    }

    /// Returns the last day of the month with a name.
    pub fn last_day(self, month: Date) -> Date {
        self.first_day(month.saturating_add(1.month())).saturating_sub(1.day())
    }

    /// Returns the same day of an earlier month; its last day if it has no such day. A month that begins with the last working
    /// day has the same days if as many have passed.
    pub(crate) fn months_before(self, day: Date, months: i64) -> Date {
        if self != MonthStart::LAST_WORKING_DAY {
            return day.saturating_sub(months.months());
        }
        let month = self.month_of(day);
        let earlier = month.saturating_sub(months.months());
        (self.first_day(earlier).saturating_add(day - self.first_day(month))).min(self.last_day(earlier))
    }

    /// Returns true if the month begins in the calendar month before the one that names it, counted from a fixed day.
    fn begins_before(self) -> bool {
        self.0 > 16
    }
}

/// Returns the number of days to the next working day: 3 on `three`, 2 on `two`, else 1. Backwards with the days after a weekend.
fn days_to_working_day(day: Date, three: Weekday, two: Weekday) -> i64 {
    match day.weekday() {
        weekday if weekday == three => 3,
        weekday if weekday == two => 2,
        _ => 1,
    }
}

impl fmt::Display for MonthStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("last-working-day"),
            day => day.fmt(f),
        }
    }
}

impl serde::Serialize for MonthStart {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

json_schema!(MonthStart, "MonthStart", inline: true, {
    "type": "string", "pattern": "^([1-9]|1[0-9]|2[0-8]|last-working-day)$"
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_one_another_and_have_their_own_names() {
        let starts = (0..=28).filter_map(MonthStart::from_number).collect::<Vec<_>>();
        assert_eq!(starts.len(), 29);
        for start in starts {
            let mut month = Date::constant(2023, 1, 1);
            while month < Date::constant(2027, 1, 1) {
                let (first, last) = (start.first_day(month), start.last_day(month));
                for day in first.series(1.day()).take_while(|day| *day <= last) {
                    assert_eq!(start.month_of(day), month, "{start} {day}");
                }
                assert_eq!(start.first_day(month.saturating_add(1.month())), last.tomorrow().expect("a day"));
                month = month.saturating_add(1.month());
            }
        }
    }

    #[test]
    fn months_begin_on_their_day() {
        for (start, month, first, last) in [
            ("25", "2026-11-01", "2026-10-25", "2026-11-24"),
            ("28", "2024-03-01", "2024-02-28", "2024-03-27"),
            ("16", "2026-02-01", "2026-02-16", "2026-03-15"),
            ("17", "2026-03-01", "2026-02-17", "2026-03-16"),
            ("1", "2024-02-01", "2024-02-01", "2024-02-29"),
            // 31 October 2026 is a Saturday, 28 February 2027 a Sunday.
            ("last-working-day", "2026-11-01", "2026-10-30", "2026-11-29"),
            ("last-working-day", "2027-03-01", "2027-02-26", "2027-03-30"),
        ] {
            let date = |text: &str| text.parse::<Date>().expect("a date");
            let found = MonthStart::parse(start).expect("a start");
            assert_eq!(
                (found.first_day(date(month)), found.last_day(date(month))),
                (date(first), date(last))
            );
        }
        for bad in ["0", "29", "01", "", "Friday"] {
            assert!(MonthStart::parse(bad).is_err(), "{bad}");
        }
    }
}
