//! Candidate streams: rows of one payee that may be the payments of one stream, with their evidence: five features, the rules
//! that reject a candidate, and the confidence score.
//!
//! The score is logistic regression followed by calibration. Its weights and its calibration curve were fitted to the
//! tuning households of `cargo lab evaluate recurring fit`; the rejection rules and their thresholds were chosen on
//! the same households and are judged on others (`docs/figures.md`).

use std::collections::BTreeSet;

use super::cadence::Cadence;
use super::cadence_fit::{CadenceFit, count_as_f64};
use super::calendar::DayNumber;
use super::confidence::Confidence;
use crate::category::Category;

/// Number of repetitions of the same amount at which the feature `repetition` is 1. More repetitions of a price are no
/// stronger evidence.
const REPETITIONS_FULL: f64 = 6.0;
/// Minimum regularity of a candidate stream that recurs twice a month or more often. 0.88 allows about one irregular
/// gap in eight. A delivery or a salary misses few dates; weekly shopping misses many.
const FREQUENT_REGULARITY_MIN: f64 = 0.88;
/// Minimum share of the gaps over which a frequent candidate's amount stays the same, unless the payee is billed. A
/// subscription has a price; the total of a weekly shopping trip differs each time.
const FREQUENT_REPETITION_MIN: f64 = 0.75;
/// Maximum of the mean change of the amount from payment to payment, as a share of the larger amount. It does not apply
/// to billed payees: the amount of a bill may depend on use. For other payees a larger change means separate purchases.
const MEAN_CHANGE_MAX: f64 = 0.25;
/// Number of payments below which an annual or semi-annual candidate must also reach [`INFREQUENT_SHARE_MIN`]. At a
/// busy merchant, two or three rows that are half a year or a year apart occur by chance.
const INFREQUENT_PAYMENTS: usize = 4;
/// Minimum share of the payee's rows that an annual or semi-annual candidate with few payments must have, 0 to 1.
const INFREQUENT_SHARE_MIN: f64 = 0.3;

/// The categories and the number of rows of a payee.
#[derive(Clone, Copy, Debug)]
pub(super) struct PayeeProfile {
    /// True if most of the payee's rows have a category that is usually billed, such as rent or insurance.
    pub(super) billed: bool,
    /// True if most of the payee's rows have a category of separate decisions, such as travel or clothing.
    pub(super) occasional: bool,
    /// True if most rows have a category of habitual spending, such as restaurants or fuel.
    pub(super) habitual: bool,
    /// Number of the payee's rows in the searched months.
    pub(super) rows: usize,
}

impl PayeeProfile {
    /// Summarises the categories of all rows of one payee. "Most" is more than half.
    pub(super) fn from_categories(categories: &[Category]) -> PayeeProfile {
        let most_are = |predicate: fn(Category) -> bool| {
            categories.iter().filter(|category| predicate(**category)).count() * 2 > categories.len()
        };
        PayeeProfile {
            billed: most_are(Category::is_billed),
            occasional: most_are(Category::is_occasional),
            habitual: most_are(Category::is_habitual),
            rows: categories.len(),
        }
    }
}

/// Features of a candidate stream, each from 0 to 1. A larger value never makes the candidate less likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Share of gaps that are one period long. A gap with missing payments counts less.
    pub regularity: f64,
    /// Nearness of the payments to their due days, or of the gaps to a constant length, whichever is greater.
    pub tightness: f64,
    /// 1 if most rows of the payee have a category that is billed, otherwise 0.
    pub billed: f64,
    /// Share of the payee's rows that belong to the candidate.
    pub share: f64,
    /// Number of gaps over which the amount stays the same, divided by 6 and limited to 1.
    pub repetition: f64,
}

/// Weight of each feature in the logistic score (in log-odds), fitted by logistic regression.
const WEIGHTS: Evidence =
    Evidence { regularity: 3.87, tightness: 6.02, billed: 4.05, share: 1.34, repetition: 1.55 };
/// Logistic score (in log-odds) of a candidate whose features are all 0, fitted together with [`WEIGHTS`].
const INTERCEPT: f64 = -9.51;

/// Calibration curve: pairs of a logistic score and the share of candidates with that score that really recur, measured
/// on the tuning households. Values between two points are interpolated linearly.
const CALIBRATION: [(f64, f64); 8] = [
    (0.0, 0.0),
    (0.3, 0.015),
    (0.47, 0.03),
    (0.62, 0.28),
    (0.75, 0.68),
    (0.865, 0.965),
    (0.93, 0.99),
    (1.0, 0.995),
];

impl Evidence {
    /// Computes the features of a candidate stream. Returns none if a rule rejects the candidate.
    ///
    /// `rows` are the candidate's rows, sorted by day, at most one per day; `fit` is the cadence that they follow.
    pub(super) fn of_candidate(
        rows: &[PayeeRow],
        fit: &CadenceFit,
        payee: &PayeeProfile,
    ) -> Option<Evidence> {
        let repetitions = count_as_f64(rows.windows(2).filter(|pair| pair[0].cents == pair[1].cents).count());
        let share = count_as_f64(rows.len()) / count_as_f64(payee.rows);
        let rejected = match fit.specification.cadence {
            Cadence::Weekly | Cadence::Biweekly | Cadence::SemiMonthly => {
                payee.habitual
                    || fit.regularity < FREQUENT_REGULARITY_MIN
                    || !payee.billed && repetitions < FREQUENT_REPETITION_MIN * count_as_f64(fit.gaps)
            }
            Cadence::Monthly | Cadence::Quarterly => false,
            Cadence::SemiAnnually | Cadence::Annually => {
                payee.occasional || rows.len() < INFREQUENT_PAYMENTS && share < INFREQUENT_SHARE_MIN
            }
        };
        if rejected || !payee.billed && mean_change(rows) > MEAN_CHANGE_MAX {
            return None;
        }
        Some(Evidence {
            regularity: fit.regularity,
            tightness: fit.tightness,
            billed: f64::from(u8::from(payee.billed)),
            share,
            repetition: (repetitions / REPETITIONS_FULL).min(1.0),
        })
    }

    /// Returns the features in the order of the fields, for fitting the weights.
    pub fn features(&self) -> [f64; 5] {
        [self.regularity, self.tightness, self.billed, self.share, self.repetition]
    }

    /// Returns the confidence score: the calibrated probability, 0 to 0.995, that the payments of the candidate really
    /// recur.
    pub(super) fn confidence_score(&self) -> f64 {
        let score = self.logistic_score();
        let above = CALIBRATION.partition_point(|(point, _)| *point < score).clamp(1, CALIBRATION.len() - 1);
        let ((from, low), (to, high)) = (CALIBRATION[above - 1], CALIBRATION[above]);
        low + (high - low) * (score - from) / (to - from)
    }

    /// Returns the uncalibrated logistic score, 0 to 1.
    fn logistic_score(&self) -> f64 {
        let weighted: f64 =
            self.features().iter().zip(WEIGHTS.features()).map(|(feature, weight)| feature * weight).sum();
        1.0 / (1.0 + (-(INTERCEPT + weighted)).exp())
    }

    /// Returns the confidence score in hundredths, at most 0.99.
    pub(super) fn confidence(&self) -> Confidence {
        Confidence::from_probability(self.confidence_score())
    }
}

/// Returns the mean change of the amount from one row to the next, as a share of the larger amount. Needs two rows.
#[expect(clippy::cast_precision_loss, reason = "a share of an amount need not be exact")]
fn mean_change(rows: &[PayeeRow]) -> f64 {
    let changes = rows.windows(2).map(|pair| {
        let larger = pair[0].cents.max(pair[1].cents).max(1);
        (pair[1].cents - pair[0].cents).abs() as f64 / larger as f64
    });
    changes.sum::<f64>() / count_as_f64(rows.len() - 1)
}

/// A transaction of one payee, reduced to its day and amount. Rows are ordered by day, then by amount, then by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PayeeRow {
    pub(super) day: DayNumber,
    /// Magnitude in hundredths of the payee's currency, greater than 0.
    pub(super) cents: i64,
    /// Index of the transaction in the sorted list of all transactions. It identifies the row.
    pub(super) index: usize,
}

/// Returns the day number of each row, in the order of `rows`.
pub(super) fn days(rows: &[PayeeRow]) -> Vec<DayNumber> {
    rows.iter().map(|row| row.day).collect()
}

/// Splits `rows` into one row per day and the remaining rows. Of several rows on one day, it chooses the row whose
/// amount is nearest to the median amount of all rows: two rows on a day are not two payments of one stream.
///
/// `rows` must be sorted by day. Both results are sorted by day.
pub(super) fn one_row_per_day(rows: &[PayeeRow]) -> (Vec<PayeeRow>, Vec<PayeeRow>) {
    let mut amounts: Vec<i64> = rows.iter().map(|row| row.cents).collect();
    amounts.sort_unstable();
    let Some(median) = amounts.get(amounts.len() / 2) else { return (Vec::new(), Vec::new()) };
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    for day in rows.chunk_by(|row, next| row.day == next.day) {
        let nearest = day.iter().min_by_key(|row| (row.cents.abs_diff(*median), row.cents, row.index));
        chosen.extend(nearest);
        others.extend(day.iter().filter(|row| Some(*row) != nearest));
    }
    (chosen, others)
}

/// Returns the rows whose index is not in `used`, in their order.
pub(super) fn unused_rows(rows: &[PayeeRow], used: &BTreeSet<usize>) -> Vec<PayeeRow> {
    rows.iter().filter(|row| !used.contains(&row.index)).copied().collect()
}

/// Rows of one payee that follow a cadence, with the evidence that they are one stream.
#[derive(Clone, Debug)]
pub(super) struct CandidateStream {
    /// The rows of the candidate, sorted by day, at most one row per day.
    pub(super) rows: Vec<PayeeRow>,
    pub(super) fit: CadenceFit,
    pub(super) evidence: Evidence,
}

impl CandidateStream {
    /// Creates a candidate from rows that are sorted by day, at most one per day. Returns none if the rows follow no
    /// cadence or if a rule rejects them.
    pub(super) fn new(rows: Vec<PayeeRow>, payee: &PayeeProfile) -> Option<CandidateStream> {
        let fit = CadenceFit::best(&days(&rows))?;
        let evidence = Evidence::of_candidate(&rows, &fit, payee)?;
        Some(CandidateStream { rows, fit, evidence })
    }

    /// Returns the number of payments that the candidate explains: the payments that a regular gap connects, multiplied
    /// by the confidence.
    pub(super) fn score(&self) -> f64 {
        self.evidence.confidence_score() * count_as_f64(self.fit.regular_gaps + 1)
    }
}

/// Returns the sum of the candidates' scores.
pub(super) fn total_score(candidates: &[CandidateStream]) -> f64 {
    candidates.iter().map(CandidateStream::score).sum()
}

/// Returns the indices of all rows that the candidates use.
pub(super) fn used_indices(candidates: &[CandidateStream]) -> BTreeSet<usize> {
    candidates.iter().flat_map(|candidate| &candidate.rows).map(|row| row.index).collect()
}
