//! Detected streams: a candidate stream that was accepted, with its state on a day.

use jiff::civil::Date;

use super::cadence::Cadence;
use super::cadence_fit::CadenceFit;
use super::calendar::{DayNumber, civil_date};
use super::candidate_stream::CandidateStream;
use super::confidence::Confidence;
use super::evidence::Evidence;
use super::row::days;
use super::status::{RecurringStatus, status_on};

/// Payments of one payee that belong together, as found by `detect_streams`.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Payee key by which the transactions were grouped.
    pub payee: String,
    /// Indices of the stream's transactions in the slice that the caller passed to the detection, oldest first.
    pub payments: Vec<usize>,
    /// Length of the period between payments.
    pub cadence: Cadence,
    /// Status of the stream on the `asOf` day.
    pub status: RecurringStatus,
    /// Day on which the next payment is due; none if the stream has ended.
    pub next_due: Option<Date>,
    /// Number of missing payments: those between the first and the last payment, and one more if the stream is overdue.
    pub missed: u32,
    /// Features from which the confidence was computed.
    pub evidence: Evidence,
    /// Probability that the payments really recur, 0 to 0.99. It is calibrated: of the streams with 0.9, about nine of
    /// ten really recur.
    pub confidence: Confidence,
    /// Statistics of the gaps between payments. The reason text of a recurring payment shows them.
    pub gaps: Gaps,
    /// The cadence and the due days of the payments.
    pub(super) fit: CadenceFit,
    /// Number that distinguishes streams of the same payee and cadence by their due days.
    pub(super) anchor: i32,
}

/// Statistics of the gaps between consecutive payments, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Number of gaps.
    pub count: usize,
    /// Number of regular gaps, which are one period long.
    pub regular: usize,
    /// Length of the shortest regular gap, in days.
    pub shortest: i32,
    /// Length of the longest regular gap, in days.
    pub longest: i32,
}

impl Stream {
    /// Creates the stream of a candidate as of a day. `original_indices` maps the index of a row to the index of its
    /// transaction in the caller's slice.
    pub(super) fn from_candidate(
        payee: &str,
        candidate: &CandidateStream,
        original_indices: &[usize],
        as_of: DayNumber,
    ) -> Stream {
        let paid = days(&candidate.rows);
        let fit = &candidate.fit;
        let last = paid[paid.len() - 1];
        let next_due = fit.next_due_day(last);
        let status = status_on(as_of, fit, next_due, fit.usual_lateness(&paid));
        let overdue = i32::from(status == RecurringStatus::Overdue);
        let regular_gaps = || {
            let gaps = paid.windows(2).map(|pair| pair[1] - pair[0]);
            gaps.filter(|gap| fit.specification.periods_in_gap(*gap) == Some(1))
        };
        Stream {
            payee: payee.to_owned(),
            payments: candidate.rows.iter().map(|row| original_indices[row.index]).collect(),
            cadence: fit.specification.cadence,
            status,
            next_due: (status != RecurringStatus::Ended).then(|| civil_date(next_due)),
            missed: u32::try_from(fit.missing_payments + overdue).unwrap_or(0),
            evidence: candidate.evidence,
            confidence: candidate.evidence.confidence(),
            gaps: Gaps {
                count: fit.gaps,
                regular: fit.regular_gaps,
                shortest: regular_gaps().min().unwrap_or(0),
                longest: regular_gaps().max().unwrap_or(0),
            },
            fit: *fit,
            anchor: fit.schedule.anchor(last),
        }
    }
}
