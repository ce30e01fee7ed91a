//! Division of a range of days into months, ISO weeks or days.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use crate::label::LabelKind;
use crate::month_start::MonthStart;
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

string_enum! {
    /// Division of spending by category: by month, or in addition by own category, tag or account.
    #[derive(Default)]
    CategoryGrouping {
        #[default]
        None = "none",
        Month = "month",
        OwnCategory = "ownCategory",
        Tag = "tag",
        Account = "account",
    }
}

impl CategoryGrouping {
    /// Returns the division of the range.
    pub fn months(self) -> MonthGrouping {
        if self == CategoryGrouping::Month { MonthGrouping::Month } else { MonthGrouping::None }
    }

    /// Returns the kind of labels by which expenses are grouped.
    pub fn labels(self) -> Option<LabelKind> {
        match self {
            CategoryGrouping::None | CategoryGrouping::Month => None,
            CategoryGrouping::OwnCategory => Some(LabelKind::OwnCategory),
            CategoryGrouping::Tag => Some(LabelKind::Tag),
            CategoryGrouping::Account => Some(LabelKind::Account),
        }
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
    /// First day of the whole period, which may lie before the range.
    pub start: Date,
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
    /// Returns the first day of the period that contains `date`: that of the person's month, the Monday, or the day itself.
    pub fn start_of(self, date: Date, month_start: MonthStart) -> Date {
        match self {
            GroupBy::Month => month_start.first_day(month_start.month_of(date)),
            GroupBy::Week => {
                let since_monday = i64::from(date.weekday().since(Weekday::Monday));
                date.checked_sub(since_monday.days()).unwrap_or(date)
            }
            GroupBy::Day | GroupBy::None => date,
        }
    }

    /// Returns the first day after the period that starts on `start`; none without a division, or after the last date.
    fn next(self, start: Date, month_start: MonthStart) -> Option<Date> {
        match self {
            GroupBy::Month => {
                let next = month_start.month_of(start).checked_add(1.month()).ok()?;
                Some(month_start.first_day(next))
            }
            GroupBy::Week => start.checked_add(1.week()).ok(),
            GroupBy::Day => start.tomorrow().ok(),
            GroupBy::None => None,
        }
    }

    /// Returns the label of the period that starts on `start`. A month has its name.
    fn label(self, start: Date, month_start: MonthStart) -> String {
        match self {
            GroupBy::Month => month_start.month_of(start).strftime("%Y-%m").to_string(),
            GroupBy::Week => {
                let week = start.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            GroupBy::Day | GroupBy::None => start.to_string(),
        }
    }
}

/// Returns every period that has a day in the range from `first` to `last`, in order. Returns nothing if `first` is after
/// `last` or if `group_by` is [`GroupBy::None`].
///
/// # Errors
///
/// There are more than [`PERIODS_MAX`] periods.
pub fn periods(
    group_by: GroupBy,
    first: Date,
    last: Date,
    month_start: MonthStart,
) -> Result<Vec<Period>, TooManyPeriods> {
    let mut periods = Vec::new();
    if group_by == GroupBy::None || first > last {
        return Ok(periods);
    }
    let mut start = group_by.start_of(first, month_start);
    while start <= last {
        if periods.len() == PERIODS_MAX {
            return Err(TooManyPeriods);
        }
        let next = group_by.next(start, month_start).ok_or(TooManyPeriods)?;
        let end = next.checked_sub(1.day()).map_err(|_| TooManyPeriods)?;
        let label = group_by.label(start, month_start);
        periods.push(Period { label, start, first: start.max(first), last: end.min(last) });
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
        let periods = periods(group_by, day(first), day(last), MonthStart::FIRST_DAY).expect("few");
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
        for group_by in [GroupBy::Day, GroupBy::Week, GroupBy::Month] {
            assert!(cut(group_by, "2026-01-14", "2026-01-13").is_empty(), "{group_by:?}");
        }
    }

    #[test]
    fn more_than_1200_periods_are_rejected() {
        let first = day("2020-01-01");
        let last = first.checked_add(1_199.days()).expect("in range");
        assert_eq!(
            periods(GroupBy::Day, first, last, MonthStart::FIRST_DAY).map(|found| found.len()),
            Ok(1_200)
        );
        let later = last.checked_add(1.day()).expect("in range");
        assert_eq!(periods(GroupBy::Day, first, later, MonthStart::FIRST_DAY), Err(TooManyPeriods));
    }

    proptest! {
        #[test]
        fn periods_cover_range_without_overlap(
            offset in 0..80_000_i64, length in 0..1_100_i64, which in 0..3_usize, begins in 0..29_i16,
        ) {
            let begins = MonthStart::from_number(begins).expect("a start");
            let first = day("1950-01-01").checked_add(offset.days()).expect("in range");
            let last = first.checked_add(length.days()).expect("in range");
            let group_by = [GroupBy::Month, GroupBy::Week, GroupBy::Day][which];
            let found = periods(group_by, first, last, begins).expect("few");
            let covered: i64 = found.iter().map(|period| days_between(period.first, period.last)).sum();
            prop_assert_eq!(covered, length + 1);
            prop_assert!(found.iter().all(|period| group_by.start_of(period.last, begins) <= period.first));
        }
    }
}
