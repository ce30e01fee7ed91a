//! The statement line `:61:`, and the information to the account owner, `:86:`.
//!
//! Banks write the information in three ways: German banks as a type of three digits with numbered parts behind a separator
//! (`166?00GUTSCHRIFT?20SVWZ+…`), Dutch banks with named parts (`/NAME/…/REMI/…`), others as free text.

use jiff::civil::Date;

use crate::text::{joined, some};
use crate::{Entry, EntryId, IdTrust, day};

/// The reference of the account owner if there is none (SWIFT usage).
const NO_REFERENCE: &str = "NONREF";

/// Returns the entry of a value of `:61:`: value day, entry day, direction, amount, type and references.
///
/// # Errors
/// The rule that the line breaks.
pub(super) fn parse(value: &str, line: u64) -> Result<Entry, &'static str> {
    const FORM: &str = "must be a statement line, such as 2601150115D12,50NMSCREF//BANKREF";
    let (first, details) = value.split_once('\n').unwrap_or((value, ""));
    let first = first.trim();
    let value_day = first.get(..6).and_then(short_day).ok_or("must begin with a value day YYMMDD")?;
    let mut rest = &first[6..];
    let mut booked = value_day;
    if let Some(digits) = rest.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        booked = nearest(value_day, digits).ok_or("must have an entry day MMDD")?;
        rest = &rest[4..];
    }
    let (sign, after) = direction(rest.trim_start()).ok_or("must have a direction: C, D, RC or RD")?;
    // The third letter of the currency may follow.
    let after = after.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(after).trim_start();
    let end = after.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(after.len());
    let (digits, after) = after.split_at(end);
    let cents = sign * super::cents_with_comma(digits)?;
    let code = after.get(..4).filter(|code| code.is_ascii()).and_then(some);
    if code.is_none() && !after.is_empty() {
        return Err(FORM);
    }
    let references = after.get(4..).unwrap_or_default();
    let (reference, bank_reference) = references.split_once("//").unwrap_or((references, ""));
    let mut entry = Entry::new(line, booked, cents);
    entry.value_day = Some(value_day);
    entry.code = code;
    entry.reference = some(reference).filter(|reference| reference != NO_REFERENCE);
    entry.id = some(bank_reference).map(|text| EntryId { text, trust: IdTrust::Hint });
    entry.text = joined(details.lines());
    Ok(entry)
}

/// Returns the sign and the text behind it. `R` marks a reversal; some banks write `E` for an expected entry.
fn direction(text: &str) -> Option<(i64, &str)> {
    for (mark, sign) in [("RC", -1), ("RD", 1), ("EC", 1), ("ED", -1), ("C", 1), ("D", -1)] {
        if let Some(rest) = text.strip_prefix(mark) {
            return Some((sign, rest));
        }
    }
    None
}

/// Returns the entry day `MMDD` in the year that brings it nearest to the value day.
fn nearest(value_day: Date, digits: &str) -> Option<Date> {
    let (month, number) = (digits[..2].parse().ok()?, digits[2..].parse().ok()?);
    let years = [0, -1, 1].map(|offset| value_day.year().checked_add(offset));
    let days = years.into_iter().flatten().filter_map(|year| clamped(year, month, number));
    days.min_by_key(|day| (*day - value_day).get_days().abs())
}

/// Parses `YYMMDD`. Years from 80 on are in the last century. A day behind the end of its month, which banks that count
/// thirty days to each month write, is the last day of the month.
pub(super) fn short_day(text: &str) -> Option<Date> {
    let part = |range: std::ops::Range<usize>| {
        let digits = text.get(range).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        digits.parse::<i16>().ok()
    };
    let (year, month, number) = (part(0..2)?, part(2..4)?, part(4..6)?);
    let year = if year >= 80 { 1900 + year } else { 2000 + year };
    clamped(year, i8::try_from(month).ok()?, i8::try_from(number).ok()?)
}

/// Returns a day; the 30th of February, and the 31st of a shorter month, is the last day of the month.
fn clamped(year: i16, month: i8, number: i8) -> Option<Date> {
    let first = day::civil(year, month, 1)?;
    if !(1..=31).contains(&number) {
        return None;
    }
    day::civil(year, month, number.min(first.days_in_month()))
}

/// Marks of SEPA parts inside the purpose of German banks, each followed by `+`.
const SEPA_MARKS: [&str; 13] =
    ["EREF", "KREF", "MREF", "CRED", "DEBT", "SVWZ", "COAM", "OAMT", "ABWA", "ABWE", "IBAN", "BIC", "PURP"];
/// Names of the parts that Dutch banks write between slashes.
const NAMED: [&str; 16] = [
    "NAME",
    "REMI",
    "EREF",
    "IBAN",
    "BIC",
    "TRTP",
    "MARF",
    "CSID",
    "BENM",
    "ORDP",
    "ID",
    "PREF",
    "CDTRREFTP",
    "CDTRREF",
    "ISDT",
    "TRCD",
];

/// Adds the parts of the information to an entry.
pub(super) fn add_information(entry: &mut Entry, value: &str) {
    if !numbered(entry, value) && !named(entry, value) {
        entry.text = joined([entry.text.as_str(), value]);
    }
}

/// Reads numbered parts. Returns false if the text has none.
fn numbered(entry: &mut Entry, value: &str) -> bool {
    let value: String = value.lines().collect();
    let type_code = value.get(..3).filter(|code| code.bytes().all(|byte| byte.is_ascii_digit()));
    let rest = value.get(3..).unwrap_or_default();
    let Some(separator) = rest.chars().next().filter(|c| !c.is_ascii_alphanumeric() && *c != ' ') else {
        return false;
    };
    let Some(type_code) = type_code else { return false };
    let (mut purpose, mut name, mut kind) = (String::new(), Vec::new(), String::new());
    let mut is_numbered = false;
    for part in rest.split(separator).skip(1) {
        let (Some(number), Some(text)) = (part.get(..2), part.get(2..)) else { continue };
        is_numbered |= number.bytes().all(|byte| byte.is_ascii_digit());
        match number {
            "00" => kind = text.to_owned(),
            "20" | "21" | "22" | "23" | "24" | "25" | "26" | "27" | "28" | "29" | "60" | "61" | "62"
            | "63" => {
                purpose.push_str(text);
            }
            "31" | "38" => entry.party_account = some(text).or(entry.party_account.take()),
            "32" | "33" => name.push(text),
            _ => {}
        }
    }
    if !is_numbered {
        return false;
    }
    entry.code = Some(type_code.to_owned());
    entry.party = some(&name.concat());
    let (text, reference) = sepa(&purpose);
    entry.reference = reference.or(entry.reference.take());
    entry.text = joined([if text.is_empty() { kind.as_str() } else { text.as_str() }]);
    true
}

/// Splits a purpose with SEPA marks into its text and the end-to-end reference. Without marks all of it is text.
fn sepa(purpose: &str) -> (String, Option<String>) {
    let mut found: Vec<(usize, &str)> = SEPA_MARKS
        .iter()
        .flat_map(|mark| purpose.match_indices(mark).map(|(at, _)| (at, *mark)))
        .filter(|(at, mark)| purpose[at + mark.len()..].starts_with('+'))
        .collect();
    found.sort_unstable();
    if found.is_empty() {
        return (purpose.to_owned(), None);
    }
    let mut text = String::new();
    let mut reference = None;
    for (index, (at, mark)) in found.iter().enumerate() {
        let end = found.get(index + 1).map_or(purpose.len(), |(end, _)| *end);
        let part = &purpose[at + mark.len() + 1..end];
        match *mark {
            "SVWZ" => text = part.to_owned(),
            "EREF" => reference = some(part).filter(|reference| reference != "NOTPROVIDED"),
            _ => {}
        }
    }
    (text, reference)
}

/// Reads parts with names between slashes. Returns false if the text has none.
fn named(entry: &mut Entry, value: &str) -> bool {
    let value: String = value.lines().collect();
    if !NAMED.iter().any(|name| value.starts_with(&format!("/{name}/"))) {
        return false;
    }
    let (mut text, mut current) = (Vec::new(), "");
    for part in value.split('/') {
        if NAMED.contains(&part) {
            current = part;
            continue;
        }
        match current {
            "NAME" => entry.party = some(part).or(entry.party.take()),
            "IBAN" => entry.party_account = some(part).or(entry.party_account.take()),
            "EREF" => {
                entry.reference = some(part).filter(|part| part != "NOTPROVIDED").or(entry.reference.take())
            }
            "REMI" => text.push(part.to_owned()),
            _ => {}
        }
    }
    entry.text = joined([entry.text.as_str(), &text.join("/")]);
    true
}
