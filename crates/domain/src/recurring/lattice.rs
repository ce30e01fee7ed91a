//! Due days: the calendar that a stream's payments keep to, as far as they do.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Cadence;
use super::calendar::{Day, Month, date, in_month, lateness, number};
use super::rhythm::Rhythm;

/// A payment further from its due day counts as this far: one stray says no more about the others.
const DISTANCE_MAX: i32 = 6;
/// Days of the month that may be one of two paydays: the most frequent.
const PAYDAYS_MAX: usize = 8;

/// When payments are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lattice {
    /// On a day of the month, every so many months; 31 is the last one.
    Months { months: i32, day: i8 },
    /// On two days of every month, the earlier one first.
    TwiceAMonth { first: i8, second: i8 },
    /// Every so many days, counted from a day.
    Days { days: i32, from: Day },
}

impl Lattice {
    /// The due days that fit payments of a cadence best, and how far the payments are from them, in days on average.
    pub(super) fn fit(cadence: Cadence, paid: &[Day]) -> (Lattice, f64) {
        let lattices: Vec<Lattice> = match cadence {
            Cadence::Weekly => every(7, paid).collect(),
            Cadence::Biweekly => every(14, paid).collect(),
            Cadence::SemiMonthly => twice_a_month(paid),
            Cadence::Monthly => {
                by_month(cadence, paid).chain(every(28, paid)).chain(every(30, paid)).collect()
            }
            Cadence::Quarterly | Cadence::SemiAnnually | Cadence::Annually => {
                by_month(cadence, paid).collect()
            }
        };
        let months: Vec<Month> = paid.iter().map(|day| Month::of(*day)).collect();
        let distance = |lattice: &Lattice| -> i32 {
            let late = paid.iter().zip(&months).map(|(day, month)| lattice.lateness_in(*day, month).abs());
            late.map(|late| late.min(DISTANCE_MAX)).sum()
        };
        // The first of equals: the calendar month before 28 and 30 days.
        let best =
            lattices.into_iter().map(|lattice| (distance(&lattice), lattice)).min_by_key(|(sum, _)| *sum);
        let (sum, lattice) = best.expect("each cadence has a lattice through the last payment");
        (lattice, f64::from(sum) / f64::from(u32::try_from(paid.len()).unwrap_or(u32::MAX)))
    }

    /// Days after the nearest due day; negative before it.
    pub(super) fn lateness(&self, day: Day) -> i32 {
        self.lateness_in(day, &Month::of(day))
    }

    fn lateness_in(&self, day: Day, month: &Month) -> i32 {
        match *self {
            Lattice::Months { day: due, .. } => lateness(day, met(day, month, due)),
            Lattice::TwiceAMonth { first, second } => {
                let (one, two) =
                    (lateness(day, met(day, month, first)), lateness(day, met(day, month, second)));
                if one.abs() <= two.abs() { one } else { two }
            }
            Lattice::Days { days, from } => {
                let after = (day - from).rem_euclid(days);
                if after * 2 > days { after - days } else { after }
            }
        }
    }

    /// The due day after the one that a payment met.
    pub(super) fn next(&self, paid: Day) -> Day {
        let month = Month::of(paid);
        match *self {
            Lattice::Months { months, day } => number(in_month(date(met(paid, &month, day)), months, day)),
            Lattice::TwiceAMonth { first, second } => {
                let (one, two) = (met(paid, &month, first), met(paid, &month, second));
                if lateness(paid, one).abs() <= lateness(paid, two).abs() {
                    number(in_month(date(one), 0, second))
                } else {
                    number(in_month(date(two), 1, first))
                }
            }
            Lattice::Days { days, .. } => paid - self.lateness(paid) + days,
        }
    }

    /// The day of the month, of the week or of the cycle, and of longer periods the month: what tells streams of one payee
    /// and cadence apart. Every payment of a stream gives the same.
    pub(super) fn anchor(&self, paid: Day) -> i32 {
        match *self {
            Lattice::Months { months, day } => {
                let due = date(met(paid, &Month::of(paid), day));
                let month = i32::from(due.year()) * 12 + i32::from(due.month());
                month.rem_euclid(months) * 100 + i32::from(day)
            }
            Lattice::TwiceAMonth { first, .. } => i32::from(first),
            Lattice::Days { days, from } => from.rem_euclid(days),
        }
    }
}

/// The due day that a payment met: the nearest of three months'.
fn met(paid: Day, month: &Month, day: i8) -> Day {
    let dues = month.dues(day).into_iter();
    dues.min_by_key(|due| lateness(paid, *due).abs()).expect("three days")
}

fn every(days: i32, paid: &[Day]) -> impl Iterator<Item = Lattice> {
    // The middle of the payments' places in the cycle, seen from each of the last few, is among these.
    paid.iter().rev().take(PAYDAYS_MAX).map(move |from| Lattice::Days { days, from: from.rem_euclid(days) })
}

/// Days of the month on which somebody was paid, most frequent first, the last day among them where it may be meant.
fn days_of_month(paid: &[Day]) -> Vec<i8> {
    let mut counts: BTreeMap<i8, u32> = BTreeMap::new();
    for day in paid {
        let day = date(*day).day();
        *counts.entry(day).or_default() += 1;
        if (28..31).contains(&day) {
            *counts.entry(31).or_default() += 1;
        }
    }
    let mut days: Vec<(i8, u32)> = counts.into_iter().collect();
    days.sort_by_key(|(day, count)| (Reverse(*count), *day));
    days.into_iter().map(|(day, _)| day).collect()
}

fn by_month(cadence: Cadence, paid: &[Day]) -> impl Iterator<Item = Lattice> {
    let months = Rhythm::of(cadence).months.unwrap_or(1);
    days_of_month(paid).into_iter().take(PAYDAYS_MAX).map(move |day| Lattice::Months { months, day })
}

fn twice_a_month(paid: &[Day]) -> Vec<Lattice> {
    let mut days = days_of_month(paid);
    days.truncate(PAYDAYS_MAX);
    days.sort_unstable();
    if let [only] = days[..] {
        days.push(if only > 15 { only - 15 } else { only + 15 });
        days.sort_unstable();
    }
    let pairs = days.iter().enumerate();
    pairs
        .flat_map(|(at, first)| days[at + 1..].iter().map(|second| (*first, *second)))
        .map(|(first, second)| Lattice::TwiceAMonth { first, second })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(dates: &[&str]) -> Vec<Day> {
        dates.iter().map(|date| number(date.parse().expect("a date"))).collect()
    }

    fn next(cadence: Cadence, dates: &[&str]) -> String {
        let paid = days(dates);
        let (lattice, _) = Lattice::fit(cadence, &paid);
        date(lattice.next(paid[paid.len() - 1])).to_string()
    }

    #[test]
    fn the_next_due_day_keeps_to_the_calendar() {
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
            assert_eq!(next(cadence, dates), expected, "{cadence} {dates:?}");
        }
    }

    #[test]
    fn banking_days_keep_to_the_day_of_the_month() {
        // The first of the month, or the Monday after it.
        let paid = days(&["2026-06-01", "2026-07-01", "2026-08-03", "2026-09-01", "2026-11-02"]);
        assert_eq!(Lattice::fit(Cadence::Monthly, &paid), (Lattice::Months { months: 1, day: 1 }, 0.0));
    }
}
