//! Tests of the readers with cases in files: an input, and the text that the test prints for its outcome.
//!
//! Each folder beside this file belongs to one reader. `passbook_test_cases` describes the form of the files.

mod beancount;
mod bundle;
mod identifiers;
mod rates;
mod statements;

use std::fmt::Display;
use std::path::PathBuf;

use passbook_fault::Faults;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).join(name)
}

/// Returns faults, one on each line.
fn fault_lines(faults: Faults) -> String {
    faults.into_list().iter().map(|fault| format!("{fault}\n")).collect()
}

/// Returns a name with its value, or nothing.
fn named(name: &str, value: Option<impl Display>) -> String {
    value.map(|value| format!(", {name} {value}")).unwrap_or_default()
}

#[test]
fn cases_of_beancount_ledgers() {
    let sections = ["today", "file", "map", "other-map"];
    passbook_test_cases::check(&folder("beancount"), &sections, beancount::outcome);
}

#[test]
fn cases_of_bundles() {
    passbook_test_cases::check(&folder("bundle"), &["example"], bundle::outcome);
}

#[test]
fn cases_of_exchange_rates() {
    passbook_test_cases::check(&folder("ecb_rates"), &[], rates::outcome);
}

#[test]
fn cases_of_statements() {
    for format in ["camt", "csv", "gnucash", "mt940", "ofx", "plaid", "qif", "simplefin", "sure"] {
        let sections = ["profile", "order", "as-of", "line-ends"];
        passbook_test_cases::check(&folder(format), &sections, statements::outcome);
    }
}
