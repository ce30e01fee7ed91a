//! Rows that name the accounts of both sides.

use passbook_input::Fault;

use super::super::text::some;
use super::super::{AccountReference, Entry, EntryId, Original};
use super::columns::SideColumns;
use super::money::Money;
use super::profile::Sides;

/// One side of a row.
struct Side {
    name: Option<String>,
    account: Option<String>,
}

/// Returns the entries of a row, each with its own account: two entries if both sides are own accounts.
///
/// # Errors
/// The fault of a row of an unknown type.
pub(super) fn entries(
    row: &Entry,
    account: &AccountReference,
    sides: &Sides,
    columns: &SideColumns,
    money: &Money<'_>,
) -> Result<Vec<(AccountReference, Entry)>, Fault> {
    let kind = money.cell(&[columns.kind]).unwrap_or_default();
    let is = |values: &[String]| values.iter().any(|value| value.eq_ignore_ascii_case(kind));
    let side = |name: usize, account: Option<usize>| Side {
        name: money.cell(&[name]).and_then(some),
        account: account.and_then(|at| money.cell(&[at])).map(|text| text.split_whitespace().collect()),
    };
    let source = side(columns.source, columns.source_account);
    let destination = side(columns.destination, columns.destination_account);
    let magnitude = row.cents.abs();
    let paid = with_party(row, &destination, -magnitude);
    let received = with_party(row, &source, magnitude);
    if is(&sides.withdrawals) {
        return Ok(vec![(own(account, &source), paid)]);
    }
    if is(&sides.deposits) {
        return Ok(vec![(own(account, &destination), received)]);
    }
    if !is(&sides.transfers) {
        let values: Vec<&str> = [&sides.withdrawals, &sides.deposits, &sides.transfers]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let place = format!("line {}, column {}", money.line, columns.kind + 1);
        let rule = format!("must be one of {}", values.join(", "));
        return Err(Fault::new(place, rule).received(format!("{kind:?}")));
    }
    // The fee is paid once, by the account that the money leaves.
    let received = Entry { fee: None, ..received };
    // The receiving account may have another currency, and then the original amount is what it received.
    let received = match row.original {
        Some(original) => Entry {
            cents: original.cents.abs(),
            currency: Some(original.currency),
            original: None,
            ..received
        },
        None => received,
    };
    let to = AccountReference { currency: received.currency, ..own(account, &destination) };
    Ok(vec![
        (own(account, &source), as_transfer(paid, &destination, "out")),
        (to, as_transfer(received, &source, "in")),
    ])
}

fn own(account: &AccountReference, side: &Side) -> AccountReference {
    let mut own = AccountReference { name: side.name.clone(), ..account.clone() };
    if let Some(number) = &side.account {
        own.set_iban_or_number(number);
    }
    own
}

fn with_party(entry: &Entry, side: &Side, cents: i64) -> Entry {
    let original = entry.original.map(|original| Original {
        cents: if cents < 0 { -original.cents.abs() } else { original.cents.abs() },
        ..original
    });
    Entry {
        cents,
        original,
        party: side.name.clone().or_else(|| entry.party.clone()),
        party_account: side.account.clone(),
        ..entry.clone()
    }
}

/// Marks an entry as a leg of a transfer. The legs share the identifier of the row, so each gets its own.
fn as_transfer(entry: Entry, other: &Side, leg: &str) -> Entry {
    let id = entry.id.map(|id| EntryId { text: format!("{}/{leg}", id.text), ..id });
    Entry { id, transfer_with: Some(other.name.clone().unwrap_or_default()), ..entry }
}
