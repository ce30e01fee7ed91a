//! Calendar arithmetic of the demo household: the window of two years, business days and times of day.

use std::iter;

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;

/// The days that the household covers, both ends included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// First day of the window: the first of the month two years ago, so that every month except the current one is
    /// complete.
    pub(super) first: Date,
    /// Last day of the window.
    pub(super) today: Date,
}

impl Window {
    /// Returns the two years that end on `today`.
    pub(super) fn ending(today: Date) -> Window {
        Window { first: today.saturating_sub(2.years()).first_of_month(), today }
    }

    /// Iterates over every day, oldest first.
    pub(super) fn days(self) -> impl Iterator<Item = Date> {
        days(self.first, self.today)
    }

    /// Iterates over the first day of every month, oldest first.
    pub(super) fn months(self) -> impl Iterator<Item = Date> {
        iter::successors(Some(self.first), |month| Some(*month + 1.month()))
            .take_while(move |month| *month <= self.today)
    }

    /// Returns the day before the window, the date of the opening balances.
    pub(super) fn eve(self) -> Date {
        self.first - 1.day()
    }

    /// Returns true if the day is in the window.
    pub(super) fn covers(self, day: Date) -> bool {
        self.first <= day && day <= self.today
    }
}

/// Iterates from `first` to `last`, both included.
pub(super) fn days(first: Date, last: Date) -> impl Iterator<Item = Date> {
    iter::successors(Some(first), |day| Some(*day + 1.day())).take_while(move |day| *day <= last)
}

/// Returns the given day of a month, or the last day of a shorter month.
pub(super) fn in_month(month: Date, day: i8) -> Date {
    let first = month.first_of_month();
    first
        .with()
        .day(day.min(first.days_in_month()))
        .build()
        .expect("the day was limited to the month's length")
}

/// Returns true on Monday to Friday. Public holidays are not modelled.
pub(super) fn is_business_day(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Returns the day itself if it is a business day, otherwise the next business day.
pub(super) fn business_day_from(day: Date) -> Date {
    if is_business_day(day) { day } else { business_day_from(day + 1.day()) }
}

/// Returns the last business day of a month.
pub(super) fn last_business_day(month: Date) -> Date {
    let mut day = month.last_of_month();
    while !is_business_day(day) {
        day -= 1.day();
    }
    day
}

/// Returns the number of days since 1970-01-01.
pub(super) fn day_number(day: Date) -> i64 {
    at(day, 0, 0).as_second().div_euclid(86_400)
}

/// Returns the number of months since year 0.
pub(super) fn month_number(day: Date) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month()) - 1
}

/// Returns a time of day in UTC.
pub(super) fn at(day: Date, hour: i8, minute: i8) -> Timestamp {
    let time = Time::constant(hour, minute, 0, 0);
    day.to_datetime(time)
        .to_zoned(TimeZone::UTC)
        .expect("a day between 1900 and 2200 is within the range of time-stamps")
        .timestamp()
}
