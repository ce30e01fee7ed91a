//! Tests of the readers with cases in files: an input, and the text that the test prints for its outcome.
//!
//! Each folder beside this file belongs to one reader. `passbook_test_cases` describes the form of the files.

mod beancount;
mod identifiers;

use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).join(name)
}

#[test]
fn cases_of_beancount_ledgers() {
    passbook_test_cases::check(
        &folder("beancount"),
        &["today", "file", "map", "other-map"],
        beancount::outcome,
    );
}
