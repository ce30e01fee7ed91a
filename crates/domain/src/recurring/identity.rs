//! The identifier of a stream, made of what does not move while it lives.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::calendar::number;
use super::confidence::ConfidenceMin;
use super::rhythm::Rhythm;
use super::{Cadence, Payment, Stream};
use crate::currency::Currency;
use crate::person::UserId;
use crate::transaction::TransactionType;

/// Streams that only their due days tell apart.
type Siblings = BTreeMap<(TransactionType, Currency, String, Cadence), Vec<usize>>;

/// An identifier for each stream, UUID v5 in the user's namespace over type, currency, payee key and cadence. Where a
/// payee has several such streams, all but the [`heir`] also have their due day in it, and those of one due day
/// are counted from the smallest amount. Not in it: amounts, accounts, names as shown, and days of payment.
pub(super) fn identifiers(user: UserId, payments: &[Payment], streams: &[Stream]) -> Vec<Uuid> {
    let mut siblings = Siblings::new();
    for (at, stream) in streams.iter().enumerate() {
        let first = &payments[stream.payments[0]];
        let key = (first.transaction_type, first.currency, stream.payee.clone(), stream.cadence);
        siblings.entry(key).or_default().push(at);
    }
    let mut identifiers = vec![Uuid::nil(); streams.len()];
    for ((transaction_type, currency, payee, cadence), mut family) in siblings {
        let plain = heir(&family, streams, payments);
        let amount = |at: &usize| streams[*at].payments.last().map(|row| payments[*row].amount_cents);
        family.sort_by_key(|at| (streams[*at].anchor, amount(at), *at));
        let mut before: Option<(i32, u32)> = None;
        for at in family {
            let name = format!("{transaction_type}\n{currency}\n{payee}\n{cadence}");
            let name = if plain == Some(at) {
                name
            } else {
                let anchor = streams[at].anchor;
                let number = before.filter(|(due, _)| *due == anchor).map_or(0, |(_, number)| number + 1);
                before = Some((anchor, number));
                format!("{name}\n{anchor}\n{number}")
            };
            identifiers[at] = Uuid::new_v5(&user.as_uuid(), name.as_bytes());
        }
    }
    identifiers
}

/// The one stream that needs no due day: of those that are believed the first, or of those that each began when the one
/// before had ended the last. So a second stream does not rename the first, and a subscription that is taken up again has
/// its name back. None where two began together, or before the rows did: nothing says which was first.
fn heir(family: &[usize], streams: &[Stream], payments: &[Payment]) -> Option<usize> {
    if let [only] = family {
        return Some(*only);
    }
    let day = |row: usize| number(payments[row].date);
    let first = |at: usize| day(streams[at].payments[0]);
    let last = |at: usize| day(streams[at].payments[streams[at].payments.len() - 1]);
    let mut believed: Vec<usize> =
        family.iter().copied().filter(|at| ConfidenceMin::USUAL.admits(streams[*at].confidence)).collect();
    believed.sort_by_key(|at| (first(*at), streams[*at].anchor, *at));
    let (eldest, others) = believed.split_first()?;
    let period_max = Rhythm::of(streams[*eldest].cadence).most;
    if others.iter().any(|at| first(*at) - first(*eldest) <= period_max) {
        return None;
    }
    let successor = |ended: usize, at: &usize| if first(*at) > last(ended) { *at } else { ended };
    Some(others.iter().fold(*eldest, successor))
}
