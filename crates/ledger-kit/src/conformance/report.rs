//! The result of a check, the rules that a ledger breaks, and the comparison of an answer with its expected members.

use std::fmt;

use serde_json::Value;

/// The result of [`check`](crate::check()).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Checks that failed, in the order in which they ran.
    pub failures: Vec<Failure>,
    /// Names of the rules that were not checked, because the ledger does not offer what they are about.
    pub skipped: Vec<String>,
    /// Number of checks that ran.
    pub checks_count: usize,
}

impl Report {
    /// Returns true if every check that ran passed, and at least one ran.
    pub fn is_conforming(&self) -> bool {
        self.failures.is_empty() && self.checks_count > 0
    }

    /// Returns the names of the broken rules, each once, in the order of the checks.
    pub fn broken_rules(&self) -> Vec<&str> {
        let mut rules: Vec<&str> = self.failures.iter().map(|failure| failure.rule.as_str()).collect();
        rules.dedup();
        rules
    }

    /// Counts a check, and adds its failure.
    pub(crate) fn record(&mut self, rule: Rule<'_>, call: impl Into<String>, result: Result<(), String>) {
        self.checks_count += 1;
        if let Err(difference) = result {
            let (name, sentence) = (rule.name.to_owned(), rule.sentence.to_owned());
            self.failures.push(Failure { rule: name, sentence, call: call.into(), difference });
        }
    }

    /// Notes that a rule was not checked.
    pub(crate) fn skip(&mut self, rule: &Rule<'_>) {
        if !self.skipped.iter().any(|skipped| skipped == rule.name) {
            self.skipped.push(rule.name.to_owned());
        }
    }
}

/// A rule that a ledger must obey.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule<'a> {
    pub(crate) name: &'a str,
    pub(crate) sentence: &'a str,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Name of the rule, such as `transfers-never-count`.
    pub rule: String,
    /// The rule as a sentence.
    pub sentence: String,
    /// The call: person, operation and parameters.
    pub call: String,
    /// The difference between the expected and the received answer.
    pub difference: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { rule, sentence, call, difference } = self;
        write!(f, "The ledger breaks the rule `{rule}`: {sentence}\n  call: {call}\n  {difference}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        writeln!(f, "{} of {} checks failed.", self.failures.len(), self.checks_count)?;
        if !self.skipped.is_empty() {
            writeln!(f, "Not checked, because the ledger does not offer it: {}.", self.skipped.join(", "))?;
        }
        Ok(())
    }
}

/// Compares `found` with `expected`, which lists only the members that a rule is about. A list must have the same length.
/// An expected null is a member that must be absent.
///
/// # Errors
/// The first difference, with its place, the expected and the found value.
pub(crate) fn compare(expected: &Value, found: &Value) -> Result<(), String> {
    at("answer", expected, Some(found))
}

fn at(place: &str, expected: &Value, found: Option<&Value>) -> Result<(), String> {
    let differs = || {
        let found = found.map_or("nothing".to_owned(), Value::to_string);
        Err(format!("{place}: expected {expected}, found {found}"))
    };
    match (expected, found) {
        (Value::Null, None) => Ok(()),
        (Value::Object(members), Some(Value::Object(object))) => members
            .iter()
            .try_for_each(|(name, value)| at(&format!("{place}.{name}"), value, object.get(name))),
        (Value::Array(items), Some(Value::Array(list))) if items.len() == list.len() => {
            let mut pairs = items.iter().zip(list).enumerate();
            pairs.try_for_each(|(number, (item, found))| at(&format!("{place}[{number}]"), item, Some(found)))
        }
        (expected, Some(found)) if expected == found => Ok(()),
        _ => differs(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::compare;

    #[test]
    fn only_the_expected_members_are_compared() {
        let found =
            json!({ "total": { "amount_cents": 5, "currency": "EUR" }, "rows": [{ "id": 1 }, { "id": 2 }] });
        for (expected, difference) in [
            (json!({}), Ok(())),
            (json!({ "total": { "amount_cents": 5 }, "missing": null }), Ok(())),
            (
                json!({ "total": { "amount_cents": 6 } }),
                Err("answer.total.amount_cents: expected 6, found 5"),
            ),
            (
                json!({ "total": null }),
                Err("answer.total: expected null, found {\"amount_cents\":5,\"currency\":\"EUR\"}"),
            ),
            (
                json!({ "rows": [{ "id": 1 }] }),
                Err("answer.rows: expected [{\"id\":1}], found [{\"id\":1},{\"id\":2}]"),
            ),
            (json!({ "rows": [{ "id": 1 }, { "id": 3 }] }), Err("answer.rows[1].id: expected 3, found 2")),
            (json!({ "other": 1 }), Err("answer.other: expected 1, found nothing")),
        ] {
            assert_eq!(compare(&expected, &found), difference.map_err(str::to_owned));
        }
    }
}
