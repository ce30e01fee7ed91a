//! The rules about numbers: the table `data/rules.json` with the calls and the expected answers of each rule.

use serde_json::{Map, Value};

use crate::conformance::calls::{answer, answer_tool, describe, is_not_offered};
use crate::conformance::difference::compare;
use crate::conformance::report::{Report, Rule};
use crate::conformance::subject::{Grant, Subject};

/// The rules that every ledger must obey.
pub(crate) const RULES: &str = include_str!("../../data/rules.json");

pub(crate) async fn check(subject: &dyn Subject, table: &str, report: &mut Report) {
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
}

fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    object[member].as_str().expect("a text")
}

fn parameters(members: &Map<String, Value>) -> Vec<(&str, &str)> {
    members.iter().map(|(name, value)| (name.as_str(), value.as_str().expect("a text"))).collect()
}
