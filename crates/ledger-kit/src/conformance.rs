//! The conformance kit: it calls a ledger through the operations, and compares the answers with the expected ones.

mod access;
pub(crate) mod calls;
mod lists;
mod portfolio;
pub(crate) mod report;
mod sums;

use serde_json::{Map, Value};

use calls::{Grant, OpenLedger, Subject, answer, answer_tool, describe, is_not_offered};
use report::{Report, Rule, compare};

/// The rules that every ledger must obey.
const RULES: &str = include_str!("../data/rules.json");

/// Checks every rule, and returns the rules that the ledger of the subject breaks.
pub async fn check(subject: &dyn Subject) -> Report {
    let mut report = check_rules(subject, RULES).await;
    for person in ["ada", "bob", "cleo"] {
        let open = subject.open(person, Grant::Full).expect("every person has a full grant");
        check_agreement(&open, person, &mut report).await;
    }
    lists::check_recurring(subject, &mut report).await;
    access::check(subject, &mut report).await;
    access::check_snapshots(subject, &mut report).await;
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
    let rules: Value = serde_json::from_str(table).expect("the table is JSON");
    for rule in rules.as_array().expect("a list of rules") {
        let named = Rule { name: text(rule, "rule"), sentence: text(rule, "sentence") };
        for check in rule["checks"].as_array().expect("a list of checks") {
            let (person, operation) = (text(check, "person"), text(check, "operation"));
            let open = subject.open(person, Grant::Full).expect("every person has a full grant");
            let (found, call) = match check.get("arguments") {
                Some(arguments) => (
                    answer_tool(&open, operation, arguments).await,
                    format!("{person}: {operation} as a tool {arguments}"),
                ),
                None => {
                    let parameters = parameters(check["parameters"].as_object().expect("an object"));
                    let call = describe(person, operation, &parameters);
                    (answer(&open, operation, &parameters).await, call)
                }
            };
            if is_not_offered(&found) {
                report.skip(&named);
                continue;
            }
            report.record(named, call, compare(&check["expected"], &found));
        }
    }
    report
}

fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    object[member].as_str().expect("a text")
}

fn parameters(members: &Map<String, Value>) -> Vec<(&str, &str)> {
    members.iter().map(|(name, value)| (name.as_str(), value.as_str().expect("a text"))).collect()
}
