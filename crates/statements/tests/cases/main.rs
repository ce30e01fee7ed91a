//! Prints the statements of a file of a bank or an app, or the faults or the choice that prevent reading.
//!
//! Sections: `profile` is the profile of a CSV file, or the name of one that comes with Passbook, `own` is one of the
//! person's own, `order` and `as-of` are choices of the person, `line-ends` is `cr` or `crlf`, and `encoding` is that of the
//! file. With `totals`, the sums by own category and tag are printed instead.

mod layouts;
mod round_trip;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;

use encoding_rs::Encoding;
use jiff::civil::date;
use passbook_statements::csv::{Decisions, DraftOptions, Profile, builtin_profiles, draft};
use passbook_statements::{
    AccountReference, Choice, DateOrder, Entry, LineState, ReadOptions, Statement, Unreadable, read,
};
use passbook_test_cases::Case;

/// Maximum length of a record that is printed whole. Of a longer one, both ends are printed.
const RAW_WHOLE_MAX: usize = 70;
const RAW_END: usize = 25;

/// The sections of a case.
const SECTIONS: [&str; 7] = ["profile", "own", "totals", "order", "as-of", "line-ends", "encoding"];

#[test]
fn cases_of_statements() {
    for format in ["banks", "camt", "csv", "gnucash", "mt940", "ofx", "plaid", "qif", "simplefin", "sure"] {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).join(format);
        passbook_test_cases::check(&folder, &SECTIONS, outcome);
    }
}

#[test]
fn every_profile_reads_a_case() {
    let folder =
        |name| Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).join(name).read_dir().unwrap();
    let files = ["banks", "csv"].into_iter().flat_map(folder);
    let cases: String = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    for Profile { name, .. } in builtin_profiles() {
        assert!(cases.contains(&format!("csv Window, profile {name},")), "{name}");
    }
}

fn outcome(case: &Case) -> String {
    let text = match case.value("line-ends") {
        Some("crlf") => case.text().replace('\n', "\r\n"),
        Some("cr") => case.text().replace('\n', "\r"),
        other => {
            assert_eq!(other, None, "line-ends must be cr or crlf");
            case.text()
        }
    };
    let profile = case.sections("profile").next().map(|(name, text)| {
        let known = builtin_profiles().iter().find(|profile| profile.name == name);
        known.map_or_else(|| Profile::parse(text, "profile.toml"), |profile| Ok(profile.clone()))
    });
    let options = ReadOptions {
        profile: match profile.transpose() {
            Ok(profile) => profile,
            Err(fault) => return format!("{fault}\n"),
        },
        date_order: case.value("order").map(|order| DateOrder::parse(order).expect("an order")),
        own_profiles: case
            .sections("own")
            .map(|(_, text)| Profile::parse(text, "own.toml").expect("a profile"))
            .collect(),
        as_of: case.value("as-of").map(|time| time.parse().expect("a time")),
        encoding: None,
    };
    let encoding =
        case.value("encoding").map(|name| Encoding::for_label(name.as_bytes()).expect("an encoding"));
    let bytes = encoding.map_or(text.as_bytes().into(), |encoding| encoding.encode(&text).0);
    let result = read(&bytes, &options);
    assert_eq!(read(&compressed(&bytes), &options), result, "a compressed file is read alike");
    match result {
        Ok(statements) if case.value("totals").is_some() => totals(&statements),
        Ok(statements) => statements.iter().map(|statement| printed(statement, &text)).collect(),
        Err(Unreadable::Faults(faults)) => passbook_test_cases::lines(faults),
        Err(Unreadable::Choice(choice)) => {
            let (today, decisions) = (date(2026, 2, 1), Decisions::new());
            let options = DraftOptions { bank: "My bank", today, encoding: None, decisions: &decisions };
            let draft = (choice == Choice::UnknownProfile).then(|| draft(text.as_bytes(), &options));
            let draft = draft.map_or_else(String::new, |draft| draft.expect("a draft").to_toml());
            format!("choice: {}\n{draft}", choice.as_fault())
        }
    }
}

/// Returns the sums of own categories, and the numbers of tags and notes.
fn totals(statements: &[Statement]) -> String {
    let (mut categories, mut tags, mut notes) = (BTreeMap::new(), BTreeMap::new(), 0);
    for entry in statements.iter().flat_map(|statement| &statement.entries) {
        let names = [&entry.own_parent, &entry.own_category].into_iter().flatten().map(String::as_str);
        let name = names.collect::<Vec<_>>().join(": ");
        let sum: &mut (i64, u32) = categories.entry(name).or_default();
        *sum = (sum.0 + entry.cents, sum.1 + 1);
        entry.tags.iter().for_each(|tag| *tags.entry(tag).or_insert(0) += 1);
        notes += u32::from(entry.note.is_some());
    }
    let categories = categories.iter().map(|(name, (cents, count))| {
        let name = if name.is_empty() { "(none)" } else { name };
        format!("own category {name}: {cents} cents, {count} entries")
    });
    let tags = tags.iter().map(|(tag, count)| format!("tag {tag}: {count} entries"));
    passbook_test_cases::lines(categories.chain(tags).chain([format!("notes: {notes}")]))
}

/// Returns a name with its value, or nothing.
fn named(name: &str, value: Option<impl Display>) -> String {
    value.map(|value| format!(", {name} {value}")).unwrap_or_default()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}

fn printed(statement: &Statement, text: &str) -> String {
    let Statement { format, kind, profile, number, as_of, from, to, lists_pending, .. } = statement;
    let mut lines = vec![
        format!("{format} {kind:?}")
            + &named("profile", profile.as_ref())
            + &account_text(&statement.account)
            + &named("statement", number.as_ref())
            + &named("as of", *as_of)
            + &named("from", *from)
            + &named("to", *to)
            + if *lists_pending { ", lists pending entries" } else { "" },
    ];
    lines.extend(statement.balances.iter().map(|balance| {
        let currency = balance.currency.map(|currency| format!(" {currency}")).unwrap_or_default();
        format!("{:?} balance {} {}{currency}", balance.kind, balance.day, balance.cents)
    }));
    for entry in &statement.entries {
        lines.push(entry_text(entry));
        lines.push(format!("  {}", raw_text(&entry.raw, text)));
    }
    lines.extend(statement.removed.iter().map(|id| format!("removed {id}")));
    lines.extend(
        statement.skipped.iter().map(|skipped| format!("left out: {}, {}", skipped.count, skipped.reason)),
    );
    lines.extend(statement.notices.iter().map(|notice| format!("notice: {notice}")));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn account_text(account: &AccountReference) -> String {
    let AccountReference { iban, bank, number, currency, name, bank_name, kind } = account;
    named("iban", iban.as_ref())
        + &named("bank", bank.as_ref())
        + &named("number", number.as_ref())
        + &named("name", name.as_ref())
        + &named("at", bank_name.as_ref())
        + &named("currency", *currency)
        + &named("kind", kind.map(|kind| format!("{kind:?}")))
}

/// Prints an entry: `line: day cents currency`, and what else the file states.
fn entry_text(entry: &Entry) -> String {
    let quoted = |text: &Option<String>| text.as_ref().map(|text| format!("{text:?}"));
    let Entry { line, booked, cents, .. } = entry;
    let currency = entry.currency.map(|currency| format!(" {currency}")).unwrap_or_default();
    let mut text = format!("line {line}: {booked} {cents}{currency}");
    if entry.status == LineState::Pending {
        text += ", pending";
    }
    text += &named("value day", entry.value_day);
    text += &named("transaction day", entry.transaction_day);
    text += &named("id", entry.id.as_ref().map(|id| format!("{} ({:?})", id.text, id.trust)));
    text += &named("replaces", entry.replaces.as_ref());
    text += &named("reference", entry.reference.as_ref());
    text += &named("party", quoted(&entry.party));
    text += &named("party account", entry.party_account.as_ref());
    text += &named("text", Some(&entry.text).filter(|text| !text.is_empty()).map(|text| format!("{text:?}")));
    text += &named("code", entry.code.as_ref());
    text += &named("category", quoted(&entry.category));
    text += &named("own parent", quoted(&entry.own_parent));
    text += &named("own category", quoted(&entry.own_category));
    text += &named("tags", Some(&entry.tags).filter(|tags| !tags.is_empty()).map(|tags| format!("{tags:?}")));
    text += &named("note", quoted(&entry.note));
    text += &named(
        "original",
        entry.original.map(|original| {
            format!("{} {}{}", original.cents, original.currency, named("rate", original.rate))
        }),
    );
    text += &named(
        "fee",
        entry.fee.map(|fee| {
            format!(
                "{} ({}included, effect {})",
                fee.cents,
                if fee.included { "" } else { "not " },
                entry.effect()
            )
        }),
    );
    text += &named("balance after", entry.balance_after);
    text + &named("transfer with", quoted(&entry.transfer_with))
}

/// Returns the record as it is in the file, or both ends of a long one.
fn raw_text(raw: &str, text: &str) -> String {
    let unix = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    assert!(unix(text).contains(&unix(raw)), "the record is a part of the file: {raw}");
    let characters: Vec<char> = raw.replace('\n', "⏎").chars().collect();
    if characters.len() <= RAW_WHOLE_MAX {
        return characters.iter().collect();
    }
    let (start, end) = (&characters[..RAW_END], &characters[characters.len() - RAW_END..]);
    format!("{} … {}", start.iter().collect::<String>(), end.iter().collect::<String>())
}
