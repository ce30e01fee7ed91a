//! Stream identifiers: UUIDs made only of properties of a stream that do not change over time.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::cadence::{Cadence, CadenceSpecification};
use super::calendar::day_number;
use super::confidence::ConfidenceMin;
use super::payment::Payment;
use super::stream::Stream;
use crate::currency::Currency;
use crate::person::UserId;
use crate::transaction::TransactionType;

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
