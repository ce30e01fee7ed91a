//! The identifier of a stream, made of what does not move while it lives.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::confidence::ConfidenceMin;
use super::{Cadence, Payment, RecurringStatus, Stream};
use crate::currency::Currency;
use crate::person::UserId;
use crate::transaction::TransactionType;

/// Streams that only their due days tell apart.
type Siblings = BTreeMap<(TransactionType, Currency, String, Cadence), Vec<usize>>;

/// An identifier for each stream, UUID v5 in the user's namespace over type, currency, payee key and cadence. Where a
/// payee has several such streams that are believed and alive, each also has its due day in it, and those of one due day
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
        let plain = heir(&family, streams);
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

/// The one stream that needs no due day: the only one, the only one that is believed, or the only one of those alive.
fn heir(family: &[usize], streams: &[Stream]) -> Option<usize> {
    let believed = |at: &&usize| ConfidenceMin::USUAL.admits(streams[**at].confidence);
    let alive = |at: &&usize| streams[**at].status != RecurringStatus::Ended;
    let only = |some: Vec<&usize>| if let [one] = some[..] { Some(*one) } else { None };
    only(family.iter().filter(believed).filter(alive).collect())
        .or_else(|| {
            let none_alive = !family.iter().filter(believed).any(|at| alive(&at));
            none_alive.then(|| only(family.iter().filter(believed).collect())).flatten()
        })
        .or_else(|| only(family.iter().collect()))
}
