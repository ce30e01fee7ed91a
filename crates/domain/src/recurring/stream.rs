//! Detected streams: a candidate stream that was accepted, with its status on a day and its identifier, a UUID made
//! only of properties that do not change over time.

use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;

use super::cadence::{Cadence, CadenceSpecification};
use super::cadence_fit::CadenceFit;
use super::calendar::{DayNumber, civil_date, day_number};
use super::confidence::{Confidence, ConfidenceMin};
use super::evidence::{CandidateStream, Evidence, days};
use super::payment::Payment;
use crate::currency::Currency;
use crate::person::UserId;
use crate::string_enum::string_enum;
use crate::transaction::TransactionType;

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

string_enum! {
    /// State of a recurring payment on the `asOf` day.
    RecurringStatus {
        /// The last due payment was made, or it is not later than usual for this payer.
        Active = "ACTIVE",
        /// One payment is missing.
        Overdue = "OVERDUE",
        /// Two payments in a row are missing. For semi-annual and annual payments: one payment is missing for 92 days.
        Ended = "ENDED",
    }
}

/// Number of days that banks need to book a payment: weekends, public holidays and processing.
const PROCESSING_DAYS: i32 = 4;
/// Upper limit of the payer's usual lateness, in percent of a period. A payer who is often very late must not hide a
/// missing payment.
const LATENESS_PERCENT_MAX: i32 = 25;
/// Number of days after which a missing payment ends a stream, even if no further payment is due yet. It matters only
/// for semi-annual and annual streams, whose second missing payment would be half a year or a year away.
const ENDED_AFTER_DAYS: i32 = 92;

/// Returns the status on day `as_of` of a stream whose next payment is due on `next_due`. `usual_lateness` is in days.
///
/// The grace time is four processing days plus the usual lateness. A stream is active until the next payment is late by
/// more than the grace time, and overdue until the payment after it is late by more than the grace time, too.
fn status_on(
    as_of: DayNumber,
    fit: &CadenceFit,
    next_due: DayNumber,
    usual_lateness: i32,
) -> RecurringStatus {
    // The period is stored in hundredths of a day, and the limit is a percentage.
    let lateness_max = fit.specification.period * LATENESS_PERCENT_MAX / 10_000;
    let grace = PROCESSING_DAYS + usual_lateness.min(lateness_max);
    let second_due = fit.due_day_after(next_due).min(next_due + ENDED_AFTER_DAYS);
    if as_of <= next_due + grace {
        RecurringStatus::Active
    } else if as_of <= second_due + grace {
        RecurringStatus::Overdue
    } else {
        RecurringStatus::Ended
    }
}

/// Indices of the streams that have the same direction, currency, payee and cadence.
type StreamsByKey = BTreeMap<(TransactionType, Currency, String, Cadence), Vec<usize>>;

/// Returns the identifier of each stream, in the order of `streams`.
///
/// An identifier is a UUID v5 in the namespace of the user's identifier, over type, currency, payee key and cadence. If
/// several streams have the same four, only the [`primary_stream`] has this plain identifier. The text of every other
/// stream also has the anchor of its due schedule and a number, which counts streams of equal anchor by rising amount.
///
/// Amounts, accounts, spellings and payment days are not part of the text, because they change while a stream lives.
pub(super) fn stream_ids(user: UserId, payments: &[Payment], streams: &[Stream]) -> Vec<Uuid> {
    let mut by_key = StreamsByKey::new();
    for (index, stream) in streams.iter().enumerate() {
        let first = &payments[stream.payments[0]];
        let key = (first.transaction_type, first.currency, stream.payee.clone(), stream.cadence);
        by_key.entry(key).or_default().push(index);
    }
    let mut ids = vec![Uuid::nil(); streams.len()];
    for ((transaction_type, currency, payee, cadence), mut group) in by_key {
        let primary = primary_stream(&group, streams, payments);
        let last_amount =
            |index: &usize| streams[*index].payments.last().map(|row| payments[*row].amount_cents);
        group.sort_by_key(|index| (streams[*index].anchor, last_amount(index), *index));
        let mut previous: Option<(i32, u32)> = None;
        for index in group {
            let plain = format!("{transaction_type}\n{currency}\n{payee}\n{cadence}");
            let text = if primary == Some(index) {
                plain
            } else {
                let anchor = streams[index].anchor;
                let number =
                    previous.filter(|(equal, _)| *equal == anchor).map_or(0, |(_, number)| number + 1);
                previous = Some((anchor, number));
                format!("{plain}\n{anchor}\n{number}")
            };
            ids[index] = Uuid::new_v5(&user.as_uuid(), text.as_bytes());
        }
    }
    ids
}

/// Returns the stream of `group` that has the plain identifier.
///
/// A single stream is primary. Among several, streams below the default confidence do not count. The stream that began
/// first is primary, so that a second subscription does not change the identifier of the first. If another stream
/// began after the primary stream had ended, that stream becomes primary: a subscription that was cancelled and taken
/// up again keeps its identifier.
///
/// Returns none if a second stream began within one period of the first, or if the window cuts off the beginning of
/// both: the order of their beginnings is not reliable then.
fn primary_stream(group: &[usize], streams: &[Stream], payments: &[Payment]) -> Option<usize> {
    if let [only] = group {
        return Some(*only);
    }
    let day = |row: usize| day_number(payments[row].date);
    let first_day = |index: usize| day(streams[index].payments[0]);
    let last_day = |index: usize| day(streams[index].payments[streams[index].payments.len() - 1]);
    let confident = |index: &usize| ConfidenceMin::DEFAULT.admits(streams[*index].confidence);
    let mut by_begin: Vec<usize> = group.iter().copied().filter(confident).collect();
    by_begin.sort_by_key(|index| (first_day(*index), streams[*index].anchor, *index));
    let (earliest, others) = by_begin.split_first()?;
    let period_max = CadenceSpecification::for_cadence(streams[*earliest].cadence).gap_max;
    if others.iter().any(|index| first_day(*index) - first_day(*earliest) <= period_max) {
        return None;
    }
    let successor = |primary: usize, next: &usize| {
        if first_day(*next) > last_day(primary) { *next } else { primary }
    };
    Some(others.iter().fold(*earliest, successor))
}
