//! The rules about numbers: the table `data/rules.json` with the calls and the expected answers of each rule.

use serde_json::{Map, Value};

use crate::calls::{answer, describe, is_not_offered};
use crate::difference::compare;
use crate::report::{Report, Rule};
use crate::subject::{Grant, Subject};

const RULES: &str = include_str!("../data/rules.json");

pub(crate) async fn check(subject: &dyn Subject, report: &mut Report) {
    let rules: Value = serde_json::from_str(RULES).expect("the table is JSON");
    for rule in rules.as_array().expect("a list of rules") {
        let named = Rule { name: text(rule, "rule"), sentence: text(rule, "sentence") };
        for check in rule["checks"].as_array().expect("a list of checks") {
            let (person, operation) = (text(check, "person"), text(check, "operation"));
            let parameters = parameters(check["parameters"].as_object().expect("an object"));
            let open = subject.open(person, Grant::Full).expect("every person has a full grant");
            let found = answer(&open, operation, &parameters).await;
            if is_not_offered(&found) {
                report.skip(&named);
                continue;
            }
            let call = describe(person, operation, &parameters);
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
