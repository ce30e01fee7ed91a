//! Date arithmetic with banking days and months of different lengths.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// Bank holidays of most countries, each as month and day.
const HOLIDAYS: [(i8, i8); 5] = [(1, 1), (5, 1), (12, 24), (12, 25), (12, 26)];

/// Returns the date `days` days later. A negative number gives an earlier date.
pub(super) fn plus(day: Date, days: i64) -> Date {
    day.checked_add(Span::new().days(days)).expect("a day of this century")
}

/// Returns the number of days from one date to another.
pub(super) fn between(from: Date, to: Date) -> i64 {
    i64::from((to - from).get_days())
}

/// Returns day `day` of the month that is `later` months after `month`. For a shorter month, returns its last day.
pub(super) fn in_month(month: Date, later: i32, day: i8) -> Date {
    let month = month.first_of_month() + later.months();
    let day = day.min(month.days_in_month());
    month.with().day(day).build().expect("within the month")
}

/// Returns true if banks process payments on this day.
pub(super) fn works(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
        && !HOLIDAYS.contains(&(day.month(), day.day()))
}

/// Returns the first banking day on or after `day`.
pub(super) fn next_banking_day(mut day: Date) -> Date {
    while !works(day) {
        day = plus(day, 1);
    }
    day
}

/// Returns the last banking day on or before `day`.
pub(super) fn previous_banking_day(mut day: Date) -> Date {
    while !works(day) {
        day = plus(day, -1);
    }
    day
}
