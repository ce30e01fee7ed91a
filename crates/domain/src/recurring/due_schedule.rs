//! Due schedules: the calendar days on which the payments of a stream are due.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cadence::{Cadence, CadenceSpecification};
use super::calendar::{DayNumber, Month, civil_date, day_in_later_month, day_number, days_late};

/// Maximum that the distance of one payment from its due day counts, in days, when schedules are compared. Without the
/// limit a single very late payment would outweigh all payments that are on time.
const DISTANCE_MAX: i32 = 6;
/// Maximum number of days of the month, most frequent first, and of most recent payments that are tried as due days. It
/// limits the number of schedules to compare: at most 28 pairs for two due days a month.
const DUE_DAY_CANDIDATES_MAX: usize = 8;

/// The days on which payments of one stream are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DueSchedule {
    /// Every `months` months on day `day` of the month; 31 is the last day of every month.
    EveryMonths { months: i32, day: i8 },
    /// On two days of every month; `first` is the smaller.
    TwiceAMonth { first: i8, second: i8 },
    /// Every `days` days. `from` is a due day, reduced modulo `days`.
    EveryDays { days: i32, from: DayNumber },
}

impl DueSchedule {
    /// Finds the schedule of `cadence` that is nearest to the payments. Returns it with the mean distance between
    /// payments and due days, in days; each distance is capped at [`DISTANCE_MAX`].
    ///
    /// `paid` are the days of payment, sorted and not empty. Takes O(n) time: the number of schedules is bounded.
    pub(super) fn nearest(cadence: Cadence, paid: &[DayNumber]) -> (DueSchedule, f64) {
        let schedules: Vec<DueSchedule> = match cadence {
            Cadence::Weekly => every_days(7, paid).collect(),
            Cadence::Biweekly => every_days(14, paid).collect(),
            Cadence::SemiMonthly => twice_a_month(paid),
            Cadence::Monthly => {
                every_months(cadence, paid).chain(every_days(28, paid)).chain(every_days(30, paid)).collect()
            }
            Cadence::Quarterly | Cadence::SemiAnnually | Cadence::Annually => {
                every_months(cadence, paid).collect()
            }
        };
        let months: Vec<Month> = paid.iter().map(|day| Month::containing(*day)).collect();
        let distance = |schedule: &DueSchedule| -> i32 {
            let distances =
                paid.iter().zip(&months).map(|(day, month)| schedule.lateness_in(*day, month).abs());
            distances.map(|days| days.min(DISTANCE_MAX)).sum()
        };
        // `min_by_key` returns the first of several equal schedules: a calendar month is preferred to 28 and 30 days.
        let nearest = schedules
            .into_iter()
            .map(|schedule| (distance(&schedule), schedule))
            .min_by_key(|(distance, _)| *distance);
        let (distance, schedule) = nearest.expect("each cadence has a schedule through the last payment");
        (schedule, f64::from(distance) / f64::from(u32::try_from(paid.len()).unwrap_or(u32::MAX)))
    }

    /// Returns the days from the nearest due day to `day`; negative if `day` is before the due day.
    pub(super) fn lateness(&self, day: DayNumber) -> i32 {
        self.lateness_in(day, &Month::containing(day))
    }

    fn lateness_in(&self, day: DayNumber, month: &Month) -> i32 {
        match *self {
            DueSchedule::EveryMonths { day: due, .. } => days_late(day, nearest_due_day(day, month, due)),
            DueSchedule::TwiceAMonth { first, second } => {
                let late_for = |due| days_late(day, nearest_due_day(day, month, due));
                let (first_late, second_late) = (late_for(first), late_for(second));
                if first_late.abs() <= second_late.abs() { first_late } else { second_late }
            }
            DueSchedule::EveryDays { days, from } => {
                let after = (day - from).rem_euclid(days);
                if after * 2 > days { after - days } else { after }
            }
        }
    }

    /// Returns the due day that follows the due day nearest to the payment day `paid`.
    pub(super) fn due_day_after(&self, paid: DayNumber) -> DayNumber {
        let month = Month::containing(paid);
        let later = |due: DayNumber, months: i32, day: i8| {
            day_number(day_in_later_month(civil_date(due), months, day))
        };
        match *self {
            DueSchedule::EveryMonths { months, day } => {
                later(nearest_due_day(paid, &month, day), months, day)
            }
            DueSchedule::TwiceAMonth { first, second } => {
                let first_due = nearest_due_day(paid, &month, first);
                let second_due = nearest_due_day(paid, &month, second);
                if days_late(paid, first_due).abs() <= days_late(paid, second_due).abs() {
                    later(first_due, 0, second)
                } else {
                    later(second_due, 1, first)
                }
            }
            DueSchedule::EveryDays { days, .. } => paid - self.lateness(paid) + days,
        }
    }

    /// Returns a number that distinguishes this schedule from others of the same cadence. Every payment day `paid` of a
    /// stream gives the same number. The number is part of the stream's identifier (`stream.rs`), so the formula
    /// must not change.
    ///
    /// The number is the day of the month, of the week or of the cycle. For a period of several months, it is the day
    /// of the month plus 100 times the month's position in the period.
    pub(super) fn anchor(&self, paid: DayNumber) -> i32 {
        match *self {
            DueSchedule::EveryMonths { months, day } => {
                let due = civil_date(nearest_due_day(paid, &Month::containing(paid), day));
                let month = i32::from(due.year()) * 12 + i32::from(due.month());
                month.rem_euclid(months) * 100 + i32::from(day)
            }
            DueSchedule::TwiceAMonth { first, .. } => i32::from(first),
            DueSchedule::EveryDays { days, from } => from.rem_euclid(days),
        }
    }
}

/// Returns the due day nearest to `paid` among the due days on `day_of_month` in the month of `paid`, the previous and
/// the next month. `month` must contain `paid`.
fn nearest_due_day(paid: DayNumber, month: &Month, day_of_month: i8) -> DayNumber {
    let due_days = month.nearby_due_days(day_of_month).into_iter();
    due_days.min_by_key(|due| days_late(paid, *due).abs()).expect("three due days")
}

/// Returns one schedule of every `days` days for each of the most recent payments, with the day of that payment as a
/// due day.
fn every_days(days: i32, paid: &[DayNumber]) -> impl Iterator<Item = DueSchedule> {
    let recent = paid.iter().rev().take(DUE_DAY_CANDIDATES_MAX);
    recent.map(move |from| DueSchedule::EveryDays { days, from: from.rem_euclid(days) })
}

/// Returns the days of the month of the payments, most frequent first. Days 28 to 30 also count as 31, because they may
/// be the last day of a shorter month.
fn days_of_month(paid: &[DayNumber]) -> Vec<i8> {
    let mut counts: BTreeMap<i8, u32> = BTreeMap::new();
    for day in paid {
        let day = civil_date(*day).day();
        *counts.entry(day).or_default() += 1;
        if (28..31).contains(&day) {
            *counts.entry(31).or_default() += 1;
        }
    }
    let mut days: Vec<(i8, u32)> = counts.into_iter().collect();
    days.sort_by_key(|(day, count)| (Reverse(*count), *day));
    days.into_iter().map(|(day, _)| day).collect()
}

/// Returns the schedules with one due day a month (or every few months), one schedule for each frequent day of the
/// month.
fn every_months(cadence: Cadence, paid: &[DayNumber]) -> impl Iterator<Item = DueSchedule> {
    let months = CadenceSpecification::for_cadence(cadence).months.unwrap_or(1);
    let days = days_of_month(paid).into_iter().take(DUE_DAY_CANDIDATES_MAX);
    days.map(move |day| DueSchedule::EveryMonths { months, day })
}

/// Returns the schedules with two due days a month, one schedule for each pair of frequent days of the month.
fn twice_a_month(paid: &[DayNumber]) -> Vec<DueSchedule> {
    let mut days = days_of_month(paid);
    days.truncate(DUE_DAY_CANDIDATES_MAX);
    days.sort_unstable();
    if let [only] = days[..] {
        // All payments are on one day of the month. The other due day is half a month away.
        days.push(if only > 15 { only - 15 } else { only + 15 });
        days.sort_unstable();
    }
    days.iter()
        .enumerate()
        .flat_map(|(index, first)| days[index + 1..].iter().map(|second| (*first, *second)))
        .map(|(first, second)| DueSchedule::TwiceAMonth { first, second })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(dates: &[&str]) -> Vec<DayNumber> {
        dates.iter().map(|date| day_number(date.parse().expect("a date"))).collect()
    }

    fn next_due_date(cadence: Cadence, dates: &[&str]) -> String {
        let paid = days(dates);
        let (schedule, _) = DueSchedule::nearest(cadence, &paid);
        civil_date(schedule.due_day_after(paid[paid.len() - 1])).to_string()
    }

    #[test]
    fn next_due_day_follows_calendar() {
        for (cadence, dates, expected) in [
            (Cadence::Monthly, &["2026-01-31", "2026-02-28", "2026-03-31"][..], "2026-04-30"),
            (Cadence::Monthly, &["2026-01-31", "2026-02-28"], "2026-03-31"),
            (Cadence::Monthly, &["2026-06-01", "2026-07-01", "2026-08-03"], "2026-09-01"),
            (Cadence::Monthly, &["2026-05-29", "2026-06-30", "2026-07-31"], "2026-08-31"),
            (Cadence::Monthly, &["2026-03-05", "2026-04-02", "2026-04-30", "2026-05-28"], "2026-06-25"),
            (Cadence::SemiMonthly, &["2026-01-15", "2026-01-30", "2026-02-13", "2026-02-27"], "2026-03-15"),
            (Cadence::Biweekly, &["2026-11-05", "2026-11-19"], "2026-12-03"),
            (Cadence::Weekly, &["2026-11-05", "2026-11-12", "2026-11-20"], "2026-11-26"),
            (Cadence::Quarterly, &["2026-02-16", "2026-05-15", "2026-08-17"], "2026-11-15"),
            (Cadence::Annually, &["2024-02-29", "2025-02-28", "2026-02-28"], "2027-02-28"),
        ] {
            assert_eq!(next_due_date(cadence, dates), expected, "{cadence} {dates:?}");
        }
    }

    #[test]
    fn weekend_shifts_do_not_change_due_day_of_month() {
        // Paid on the first of the month, or on the Monday after a first that is on a weekend.
        let paid = days(&["2026-06-01", "2026-07-01", "2026-08-03", "2026-09-01", "2026-11-02"]);
        let (schedule, distance) = DueSchedule::nearest(Cadence::Monthly, &paid);
        assert_eq!((schedule, distance), (DueSchedule::EveryMonths { months: 1, day: 1 }, 0.0));
    }
}
