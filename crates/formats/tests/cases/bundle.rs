//! Prints the elements of a bundle, or its faults.
//!
//! With a section `example`, each line of the text changes the example bundle. Elements of the example are not printed.

use std::io::Cursor;

use passbook_formats::bundle::{CredentialRules, read};
use passbook_formats::record::Record;
use passbook_test_cases::{Case, change};
use serde_json::Value;

use crate::fault_lines;

const EXAMPLE: &str = include_str!("../../data/example_bundle.json");

/// Maximum number of items of a list that is printed whole.
const LISTED_WHOLE_MAX: usize = 12;

/// Rules for credentials: times of creation up to the end of 2026, and redirect URIs with https only.
fn rules() -> CredentialRules {
    CredentialRules {
        created_at_max: "2026-12-31T23:59:59Z".parse().expect("a timestamp"),
        redirect_uri: |uri| if uri.starts_with("https://") { Ok(()) } else { Err("must start with https") },
    }
}

pub(crate) fn outcome(case: &Case) -> String {
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
        Err(faults) => fault_lines(faults).lines().map(|line| shortened(line) + "\n").collect(),
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
