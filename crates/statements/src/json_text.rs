//! Parts of JSON files as written: exact numbers, and the lines of values.

use jiff::civil::Date;
use passbook_input::Fault;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::amount::{self, NumberStyle};
use super::{Balance, BalanceKind, Statement, TEXT_BYTES_MAX, Unreadable};

/// Maximum size of a JSON file, in bytes. Unlike rows of text, its records are held in memory.
const JSON_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Parses a document.
///
/// # Errors
/// The document is too large, is not JSON, or lacks a member.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Unreadable> {
    if text.len() > JSON_BYTES_MAX {
        let rule = format!("must be at most {} MiB", JSON_BYTES_MAX / (1024 * 1024));
        return Err(Fault::new("file", rule).into());
    }
    let parsed = serde_json::from_str(text);
    parsed.map_err(|error| {
        Fault::new(format!("line {}", error.line().max(1)), format!("must be valid JSON: {error}")).into()
    })
}

/// Parses one record of a document.
///
/// # Errors
/// The fault of the record.
pub(super) fn record<'a, T: Deserialize<'a>>(raw: &'a RawValue, place: &str) -> Result<T, Fault> {
    if raw.get().len() > TEXT_BYTES_MAX {
        return Err(Fault::new(place, format!("must be at most {TEXT_BYTES_MAX} bytes")));
    }
    serde_json::from_str(raw.get()).map_err(|error| {
        // The position counts from the start of the record and would mislead.
        let message = error.to_string();
        let rule = message.rsplit_once(" at line").map_or(message.as_str(), |(rule, _)| rule);
        Fault::new(place, format!("must be a valid record: {rule}"))
    })
}

/// Returns a number, or a number in a text, in hundredths.
///
/// # Errors
/// The rule that the value breaks.
pub(super) fn cents(value: &RawValue) -> Result<i64, &'static str> {
    amount::cents(value.get().trim_matches('"'), NumberStyle::POINT)
}

/// Adds the balances that an account states: kind, sign and value. The place is that of their faults.
///
/// # Errors
/// A balance is not an amount.
pub(super) fn add_balances(
    statement: &mut Statement,
    day: Date,
    stated: [(BalanceKind, i64, Option<&RawValue>); 2],
    place: &str,
) -> Result<(), Fault> {
    for (kind, sign, value) in stated {
        let Some(value) = value.filter(|value| value.get() != "null") else { continue };
        let cents = sign * cents(value).map_err(|rule| Fault::new(place, rule).received(value.get()))?;
        statement.balances.push(Balance { kind, day, cents, currency: statement.account.currency });
    }
    Ok(())
}

/// Counts a member name in a document, without parsing it.
pub(super) fn count_member(text: &str, name: &str) -> u64 {
    let quoted = format!("\"{name}\"");
    let found =
        text.match_indices(&quoted).filter(|(at, _)| text[at + quoted.len()..].trim_start().starts_with(':'));
    found.count() as u64
}
