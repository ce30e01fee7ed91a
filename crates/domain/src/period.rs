//! Division of a range of days into months, ISO weeks or days.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

use crate::string_enum::string_enum;

/// Maximum number of periods in one response. 1,200 is a hundred years of months or more than three years of days.
pub const PERIODS_MAX: usize = 1_200;

string_enum! {
    /// Length of the periods into which a range is divided.
    #[derive(Default)]
    GroupBy {
        #[default]
        Month = "month",
        Week = "week",
        Day = "day",
        None = "none",
    }
}

string_enum! {
    /// Division of a range into months, for responses without shorter periods.
    #[derive(Default)]
    MonthGrouping {
        #[default]
        None = "none",
        Month = "month",
    }
}

impl From<MonthGrouping> for GroupBy {
    fn from(grouping: MonthGrouping) -> GroupBy {
        match grouping {
            MonthGrouping::None => GroupBy::None,
            MonthGrouping::Month => GroupBy::Month,
        }
    }
}

/// One period of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// Label of the period, such as `2026-10`, `2026-W43` or `2026-10-22`.
    pub label: String,
    /// First day of the period, inclusive. Not before the first day of the range.
    pub first: Date,
    /// Last day of the period, inclusive. Not after the last day of the range.
    pub last: Date,
}

/// The error for a range that would have more periods than [`PERIODS_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a range may be cut into at most {PERIODS_MAX} periods")]
pub struct TooManyPeriods;

impl GroupBy {
    /// Returns the first day of the period that contains `date`: the first of the month, the Monday, or the day itself.
    pub fn start_of(self, date: Date) -> Date {
        match self {
            GroupBy::Month => date.first_of_month(),
            GroupBy::Week => {
                let since_monday = i64::from(date.weekday().since(Weekday::Monday));
                date.checked_sub(since_monday.days()).unwrap_or(date)
            }
            GroupBy::Day | GroupBy::None => date,
        }
    }

    fn step(self) -> Option<Span> {
        match self {
            GroupBy::Month => Some(1.month()),
            GroupBy::Week => Some(1.week()),
            GroupBy::Day => Some(1.day()),
            GroupBy::None => None,
        }
    }

    fn label(self, start: Date) -> String {
        match self {
            GroupBy::Month => start.strftime("%Y-%m").to_string(),
            GroupBy::Week => {
                let week = start.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            GroupBy::Day | GroupBy::None => start.to_string(),
        }
    }
}

/// Returns every period that has a day in the range from `first` to `last`, in order. Returns nothing if `first` is
/// after
/// `last` or if `group_by` is [`GroupBy::None`].
///
/// # Errors
///
/// There are more than [`PERIODS_MAX`] periods.
pub fn periods(group_by: GroupBy, first: Date, last: Date) -> Result<Vec<Period>, TooManyPeriods> {
    let Some(step) = group_by.step() else { return Ok(Vec::new()) };
    let mut periods = Vec::new();
    let mut start = group_by.start_of(first);
    while start <= last {
        if periods.len() == PERIODS_MAX {
            return Err(TooManyPeriods);
        }
        let next = start.checked_add(step).map_err(|_| TooManyPeriods)?;
        let end = next.checked_sub(1.day()).map_err(|_| TooManyPeriods)?;
        periods.push(Period { label: group_by.label(start), first: start.max(first), last: end.min(last) });
        start = next;
    }
    Ok(periods)
}

/// Returns the number of days from `first` to `last`, both inclusive; 0 if `first` is after `last`.
pub fn days_between(first: Date, last: Date) -> i64 {
    let span = last.since((jiff::Unit::Day, first)).map_or(0, |span| i64::from(span.get_days()));
    (span + 1).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn cut(group_by: GroupBy, first: &str, last: &str) -> Vec<String> {
        let periods = periods(group_by, day(first), day(last)).expect("few");
        periods.iter().map(|period| format!("{} {}..{}", period.label, period.first, period.last)).collect()
    }

    #[test]
    fn first_and_last_month_are_limited_to_range() {
        assert_eq!(
            cut(GroupBy::Month, "2026-10-22", "2026-11-21"),
            ["2026-10 2026-10-22..2026-10-31", "2026-11 2026-11-01..2026-11-21"]
        );
    }

    #[test]
    fn weeks_are_labelled_as_iso_weeks() {
        assert_eq!(
            cut(GroupBy::Week, "2026-12-30", "2027-01-04"),
            ["2026-W53 2026-12-30..2027-01-03", "2027-W01 2027-01-04..2027-01-04"]
        );
    }

    #[test]
    fn no_grouping_and_empty_range_have_no_periods() {
        assert!(cut(GroupBy::None, "2026-01-01", "2026-12-31").is_empty());
        assert!(cut(GroupBy::Day, "2026-01-02", "2026-01-01").is_empty());
    }

    #[test]
    fn more_than_1200_periods_are_rejected() {
        let first = day("2020-01-01");
        let last = first.checked_add(1_199.days()).expect("in range");
        assert_eq!(periods(GroupBy::Day, first, last).map(|found| found.len()), Ok(1_200));
        let later = last.checked_add(1.day()).expect("in range");
        assert_eq!(periods(GroupBy::Day, first, later), Err(TooManyPeriods));
    }

    proptest! {
        #[test]
        fn periods_cover_range_without_overlap(offset in 0..80_000_i64, length in 0..1_100_i64, which in 0..3_usize) {
            let first = day("1950-01-01").checked_add(offset.days()).expect("in range");
            let last = first.checked_add(length.days()).expect("in range");
            let group_by = [GroupBy::Month, GroupBy::Week, GroupBy::Day][which];
            let found = periods(group_by, first, last).expect("few");
            let covered: i64 = found.iter().map(|period| days_between(period.first, period.last)).sum();
            prop_assert_eq!(covered, length + 1);
            prop_assert!(found.iter().all(|period| group_by.start_of(period.last) <= period.first));
        }
    }
}
