//! A stream as found, and its state as of a day.

use jiff::civil::Date;

use super::calendar::{Day, date};
use super::chain::Chain;
use super::fit::Fit;
use super::{Cadence, Confidence, Evidence, RecurringStatus};

/// Days that banks may take beside the payer's own lateness: weekends, holidays, processing.
const PROCESSING_DAYS: i32 = 4;
/// A payer may be late by this share of a period, in hundredths, however late they have been.
const LATENESS_PERCENT_MAX: i32 = 25;
/// What comes twice a year or less is given up after so many days.
const GIVEN_UP_DAYS: i32 = 92;

/// A stream among the payments that were looked at.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The payee key of its rows, or of those that share their titles.
    pub payee: String,
    /// Its payments, by their place, oldest first.
    pub payments: Vec<usize>,
    /// How often it comes.
    pub cadence: Cadence,
    /// Whether it still comes.
    pub status: RecurringStatus,
    /// The due day of the payment that is awaited; none when it has ended.
    pub next: Option<Date>,
    /// Payments left out.
    pub missed: u32,
    /// What speaks for it.
    pub evidence: Evidence,
    /// How far it is believed.
    pub confidence: Confidence,
    /// The shortest and the longest gap of one period, how many there are, and of how many gaps.
    pub gaps: Gaps,
    /// What tells it from other streams of the same payee and cadence.
    pub(super) anchor: i32,
}

/// Gaps between payments, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// All of them.
    pub count: usize,
    /// Those of one period.
    pub regular: usize,
    /// The shortest of one period.
    pub least: i32,
    /// The longest of one period.
    pub most: i32,
}

impl Stream {
    pub(super) fn of(payee: &str, chain: &Chain, order: &[usize], as_of: Day) -> Stream {
        let days: Vec<Day> = chain.items.iter().map(|item| item.day).collect();
        let fit = &chain.fit;
        let last = days[days.len() - 1];
        let next = fit.next(last);
        let status = status(fit, next, fit.usual_lateness(&days), as_of);
        let overdue = i32::from(status == RecurringStatus::Overdue);
        let regular = || {
            let gaps = days.windows(2).map(|pair| pair[1] - pair[0]);
            gaps.filter(|gap| fit.rhythm.periods(*gap) == Some(1))
        };
        Stream {
            payee: payee.to_owned(),
            payments: chain.items.iter().map(|item| order[item.at]).collect(),
            cadence: fit.rhythm.cadence,
            status,
            next: (status != RecurringStatus::Ended).then(|| date(next)),
            missed: u32::try_from(fit.left_out + overdue).unwrap_or(0),
            evidence: chain.evidence,
            confidence: chain.evidence.rounded(),
            gaps: Gaps {
                count: fit.gaps,
                regular: fit.hits,
                least: regular().min().unwrap_or(0),
                most: regular().max().unwrap_or(0),
            },
            anchor: fit.lattice.anchor(last),
        }
    }
}

/// Active while the next payment may still come, overdue while one is missing, ended when the one after is missing too.
fn status(fit: &Fit, next: Day, lateness: i32, as_of: Day) -> RecurringStatus {
    let grace = PROCESSING_DAYS + lateness.min(fit.rhythm.period * LATENESS_PERCENT_MAX / 10_000);
    let after = fit.lattice.next(next).min(next + GIVEN_UP_DAYS);
    if as_of <= next + grace {
        RecurringStatus::Active
    } else if as_of <= after + grace {
        RecurringStatus::Overdue
    } else {
        RecurringStatus::Ended
    }
}
