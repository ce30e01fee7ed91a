//! Days on which banks work, and months that are too short.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// Days that are free almost everywhere, as month and day.
const HOLIDAYS: [(i8, i8); 5] = [(1, 1), (5, 1), (12, 24), (12, 25), (12, 26)];

/// So many days later, or earlier.
pub(super) fn plus(day: Date, days: i64) -> Date {
    day.checked_add(Span::new().days(days)).expect("a day of this century")
}

/// Days from one day to another.
pub(super) fn between(from: Date, to: Date) -> i64 {
    i64::from((to - from).get_days())
}

/// A day of the month that is so many months after `month`; the last one where there is none.
pub(super) fn in_month(month: Date, later: i32, day: i8) -> Date {
    let month = month.first_of_month() + later.months();
    let day = day.min(month.days_in_month());
    month.with().day(day).build().expect("within the month")
}

pub(super) fn works(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
        && !HOLIDAYS.contains(&(day.month(), day.day()))
}

/// The day itself, or the next on which banks work.
pub(super) fn next_banking_day(mut day: Date) -> Date {
    while !works(day) {
        day = plus(day, 1);
    }
    day
}

/// The day itself, or the last before it on which banks work.
pub(super) fn previous_banking_day(mut day: Date) -> Date {
    while !works(day) {
        day = plus(day, -1);
    }
    day
}
