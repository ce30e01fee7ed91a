//! The information to the account owner, `:86:`.
//!
//! Banks write it in three ways: German banks as a type of three digits with numbered parts behind a separator
//! (`166?00GUTSCHRIFT?20SVWZ+…`), Dutch banks with named parts (`/NAME/…/REMI/…`), others as free text.

use super::super::Entry;
use super::super::text::{joined, some};

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
pub(super) fn add(entry: &mut Entry, value: &str) {
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
