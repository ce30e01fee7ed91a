//! Reads bundles and files of exchange rates, and prints the elements or the faults.
//!
//! With a section `example`, each line of a bundle's text changes the example bundle. Elements of the example are not
//! printed.

mod bundle;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use passbook_records::bundle::{CredentialRules, read};
use passbook_records::ecb_rates;
use passbook_records::provider_category::{Direction, classify};
use passbook_records::record::Record;
use passbook_test_cases::{Case, change};
use serde_json::Value;

const EXAMPLE: &str = include_str!("../../data/example_bundle.json");

/// Maximum number of items of a list that is printed whole.
const LISTED_WHOLE_MAX: usize = 12;

fn folder(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).join(name)
}

#[test]
fn cases_of_bundles() {
    passbook_test_cases::check(&folder("bundle"), &["example"], bundle_outcome);
}

#[test]
fn cases_of_exchange_rates() {
    passbook_test_cases::check(&folder("ecb_rates"), &[], rates_outcome);
}

/// Rules for credentials: times of creation up to the end of 2026, and redirect URIs with https only.
fn rules() -> CredentialRules {
    CredentialRules {
        created_at_max: "2026-12-31T23:59:59Z".parse().expect("a timestamp"),
        redirect_uri: |uri| if uri.starts_with("https://") { Ok(()) } else { Err("must start with https") },
    }
}

#[test]
fn cases_of_provider_categories() {
    passbook_test_cases::check(&folder("provider_category"), &[], category_outcome);
}

fn category_outcome(case: &Case) -> String {
    let text = case.text();
    let mut words = text.split_whitespace();
    let code = words.next().filter(|code| *code != "-").unwrap_or_default();
    let (direction, linked) = (words.next(), words.next() == Some("linked"));
    assert!(matches!(direction, Some("in" | "out")), "must be a code and a direction: {text}");
    let direction = if direction == Some("in") { Direction::In } else { Direction::Out };
    let (kind, category) = classify(code, direction, linked);
    format!("{} {}\n", kind.as_str(), category.as_str())
}

fn bundle_outcome(case: &Case) -> String {
    let changes_example = case.value("example").is_some();
    let text = if changes_example { changed_example(&case.text()) } else { case.text() };
    let lines = read(Cursor::new(text), rules()).map(|result| match result {
        Ok(_) if changes_example => String::new(),
        Ok(located) => match located.record {
            Record::Transaction(row) => {
                let (kind, category) = (row.transaction_type.as_str(), row.category.as_str());
                format!("{}: {kind} {category}\n", located.place)
            }
            _ => format!("{}\n", located.place),
        },
        Err(faults) => {
            let whole = format!("{faults:?}");
            assert!(!whole.contains("CANARY"), "no fault may repeat a part of a token: {whole}");
            passbook_test_cases::lines(faults).lines().map(|line| shortened(line) + "\n").collect()
        }
    });
    lines.collect()
}

/// Leaves out the middle of a long list of allowed values.
fn shortened(line: &str) -> String {
    let items: Vec<&str> = line.split(", ").collect();
    match items.as_slice() {
        [first @ .., last] if first.len() >= LISTED_WHOLE_MAX => {
            format!("{} … {last}", first[..2].join(", "))
        }
        _ => line.to_owned(),
    }
}

fn changed_example(changes: &str) -> String {
    let mut bundle: Value = serde_json::from_str(EXAMPLE).expect("the example is JSON");
    changes.lines().for_each(|line| change(&mut bundle, line));
    bundle.to_string()
}

fn rates_outcome(case: &Case) -> String {
    let results = ecb_rates::read(Cursor::new(case.text()));
    let lines = results.map(|result| match result {
        Ok(located) => match located.record {
            Record::RateBase(base) => format!("{}: base {base}\n", located.place),
            Record::ExchangeRate(rate) => {
                format!("{}: {} {} {}\n", located.place, rate.as_of, rate.currency, rate.units_per_base)
            }
            other => panic!("a file of rates has no such record: {other:?}"),
        },
        Err(faults) => passbook_test_cases::lines(faults),
    });
    lines.collect()
}
