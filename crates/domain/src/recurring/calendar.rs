//! Days as numbers, and days of the month that are too short.

use jiff::ToSpan as _;
use jiff::civil::Date;

const EPOCH: Date = Date::constant(1970, 1, 1);
/// Day 0 was a Thursday.
const EPOCH_WEEKDAY_FROM_MONDAY: i32 = 3;

/// A day, counted from the first of January 1970.
pub(super) type Day = i32;

pub(super) fn number(date: Date) -> Day {
    (date - EPOCH).get_days()
}

pub(super) fn date(day: Day) -> Date {
    EPOCH.saturating_add(i64::from(day).days())
}

pub(super) fn day_of_month(day: Day) -> i32 {
    i32::from(date(day).day())
}

/// A day of the month so many months after the month of `of`; the last of that month where there is none.
pub(super) fn in_month(of: Date, later: i32, day: i8) -> Date {
    let month = of.first_of_month().saturating_add(later.months());
    month.saturating_add(i64::from(day.min(month.days_in_month()) - 1).days())
}

/// A day's month and its neighbours, for finding due days without the calendar's help.
#[derive(Clone, Copy, Debug)]
pub(super) struct Month {
    first: Day,
    length: i32,
    length_before: i32,
    length_after: i32,
}

impl Month {
    pub(super) fn of(day: Day) -> Month {
        let first = date(day).first_of_month();
        let length = |later: i32| i32::from(first.saturating_add(later.months()).days_in_month());
        Month { first: number(first), length: length(0), length_before: length(-1), length_after: length(1) }
    }

    /// The day of the month in this month, the one before and the one after; the last where there is none.
    pub(super) fn dues(&self, day: i8) -> [Day; 3] {
        let day = i32::from(day);
        [
            self.first + day.min(self.length) - 1,
            self.first - self.length_before + day.min(self.length_before) - 1,
            self.first + self.length + day.min(self.length_after) - 1,
        ]
    }
}

/// Days from the due day to the day of payment. A due day on a weekend may be met on the banking day before or after.
pub(super) fn lateness(paid: Day, due: Day) -> i32 {
    let days = paid - due;
    let free = match (due + EPOCH_WEEKDAY_FROM_MONDAY).rem_euclid(7) {
        5 => -1..=2,
        6 => -2..=1,
        _ => 0..=0,
    };
    if free.contains(&days) { 0 } else { days }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_month_ends_early() {
        let of = Date::constant(2024, 1, 15);
        let days: Vec<String> = (0..4).map(|later| in_month(of, later, 31).to_string()).collect();
        assert_eq!(days, ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]);
        assert_eq!(date(number(of)), of);
    }

    #[test]
    fn a_weekend_excuses_the_banking_day_beside_it() {
        // The first of August 2026 is a Saturday.
        let saturday = number(Date::constant(2026, 8, 1));
        let found: Vec<i32> = (-3..=3).map(|days| lateness(saturday + days, saturday)).collect();
        assert_eq!(found, [-3, -2, 0, 0, 0, 0, 3]);
        let monday = saturday + 2;
        assert_eq!(lateness(monday + 1, monday), 1);
    }
}
