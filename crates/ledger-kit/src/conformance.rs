//! The conformance kit: it calls a ledger through the operations, and compares the answers with the expected ones.

mod access;
pub(crate) mod calls;
mod difference;
mod lists;
mod portfolio;
mod recurring;
pub(crate) mod report;
mod rules;
mod snapshots;
pub(crate) mod subject;
mod sums;

use report::Report;
use subject::{Grant, OpenLedger, Subject};

/// Checks every rule, and returns the rules that the ledger of the subject breaks.
pub async fn check(subject: &dyn Subject) -> Report {
    let mut report = Report::default();
    rules::check(subject, rules::RULES, &mut report).await;
    for person in ["ada", "bob", "cleo"] {
        let open = subject.open(person, Grant::Full).expect("every person has a full grant");
        check_agreement(&open, person, &mut report).await;
    }
    recurring::check(subject, &mut report).await;
    access::check(subject, &mut report).await;
    snapshots::check(subject, &mut report).await;
    report
}

/// Checks the rules that compare answers of one person with each other. They hold for any rows.
pub async fn check_agreement(open: &OpenLedger, person: &str, report: &mut Report) {
    lists::check(open, person, report).await;
    sums::check(open, person, report).await;
    portfolio::check(open, person, report).await;
}

/// Checks the rules of a table in the form of `data/rules.json`.
///
/// # Panics
/// The table has another form.
pub async fn check_rules(subject: &dyn Subject, table: &str) -> Report {
    let mut report = Report::default();
    rules::check(subject, table, &mut report).await;
    report
}
