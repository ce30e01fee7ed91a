//! Calendar arithmetic on day numbers (days since 1970-01-01): conversion, days of the month in short months, and
//! weekend shifts.

use jiff::ToSpan as _;
use jiff::civil::Date;

/// A day as the number of days since 1970-01-01. Integers make gaps between payments cheap to compute.
pub(super) type DayNumber = i32;

const EPOCH: Date = Date::constant(1970, 1, 1);
/// 1970-01-01 was a Thursday: three days after Monday.
const EPOCH_DAYS_SINCE_MONDAY: i32 = 3;
/// Number of days since Monday for a Saturday, and for a Sunday.
const SATURDAY: i32 = 5;
const SUNDAY: i32 = 6;

/// Converts a date to the number of days since 1970-01-01.
pub(super) fn day_number(date: Date) -> DayNumber {
    (date - EPOCH).get_days()
}

/// Converts the number of days since 1970-01-01 to a date.
pub(super) fn civil_date(day: DayNumber) -> Date {
    EPOCH.saturating_add(i64::from(day).days())
}

/// Returns the day of the month of `day`, 1 to 31.
pub(super) fn day_of_month(day: DayNumber) -> i32 {
    i32::from(civil_date(day).day())
}

/// Returns day `day_of_month` of the month that is `months` after the month of `date`. In a shorter month it is the
/// last day of that month.
pub(super) fn day_in_later_month(date: Date, months: i32, day_of_month: i8) -> Date {
    let month = date.first_of_month().saturating_add(months.months());
    month.saturating_add(i64::from(day_of_month.min(month.days_in_month()) - 1).days())
}

/// First day and length of a month, with the lengths of the months before and after it.
///
/// A schedule is compared with every payment for each of its candidate due days. Computing the month of each payment
/// once, as integers, keeps calendar arithmetic out of that loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Month {
    first: DayNumber,
    length: i32,
    previous_length: i32,
    next_length: i32,
}

impl Month {
    /// Creates the month that contains `day`.
    pub(super) fn containing(day: DayNumber) -> Month {
        let first = civil_date(day).first_of_month();
        let length = |months: i32| i32::from(first.saturating_add(months.months()).days_in_month());
        Month {
            first: day_number(first),
            length: length(0),
            previous_length: length(-1),
            next_length: length(1),
        }
    }

    /// Returns the due days that fall on `day_of_month` in this month, the previous month and the next month, in this
    /// order. In a shorter month the due day is the last day of that month.
    pub(super) fn nearby_due_days(&self, day_of_month: i8) -> [DayNumber; 3] {
        let day = i32::from(day_of_month);
        [
            self.first + day.min(self.length) - 1,
            self.first - self.previous_length + day.min(self.previous_length) - 1,
            self.first + self.length + day.min(self.next_length) - 1,
        ]
    }
}

/// Returns the days from the due day to the payment day; negative if the payment was early.
///
/// Banks move a payment that is due on a weekend to the previous or the next banking day. A payment from the Friday
/// before to the Monday after a due weekend day therefore counts as on time (0). Public holidays are not known.
pub(super) fn days_late(paid: DayNumber, due: DayNumber) -> i32 {
    let days = paid - due;
    let on_time = match (due + EPOCH_DAYS_SINCE_MONDAY).rem_euclid(7) {
        SATURDAY => -1..=2,
        SUNDAY => -2..=1,
        _ => 0..=0,
    };
    if on_time.contains(&days) { 0 } else { days }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_31_is_last_day_of_shorter_month() {
        let date = Date::constant(2024, 1, 15);
        let days: Vec<String> =
            (0..4).map(|months| day_in_later_month(date, months, 31).to_string()).collect();
        assert_eq!(days, ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]);
        assert_eq!(civil_date(day_number(date)), date);
    }

    #[test]
    fn payment_on_banking_day_beside_due_weekend_is_on_time() {
        // 1 August 2026 is a Saturday.
        let saturday = day_number(Date::constant(2026, 8, 1));
        let found: Vec<i32> = (-3..=3).map(|days| days_late(saturday + days, saturday)).collect();
        assert_eq!(found, [-3, -2, 0, 0, 0, 0, 3]);
        let monday = saturday + 2;
        assert_eq!(days_late(monday + 1, monday), 1);
    }
}
