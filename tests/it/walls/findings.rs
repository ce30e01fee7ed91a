//! What an answer says of somebody else.

use serde_json::Value;
use tests::http::Reply;
use tests::tenant_pair::{Tenant, unmarked};
use uuid::Uuid;

use super::asks::Ask;

/// More than all amounts of the poor twin together, and at most the smallest of the rich one, in cents.
const RICH_CENTS_MIN: f64 = 1e9;
/// What stands for a value that the asker brought.
const BROUGHT: &str = "(brought)";

/// How an answer betrayed somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Betrayal {
    /// A mark of the other is in it.
    Mark,
    /// It is another one when the other does not exist.
    Existence,
    /// What is the other's and what is nobody's are answered differently.
    Identifier,
    /// A row of the other left the database, told or not.
    Row,
}

/// An answer that says something of somebody else.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) operation: &'static str,
    pub(super) betrayal: Betrayal,
    /// Request and answer, for whoever has to mend it.
    pub(super) evidence: String,
}

impl Finding {
    pub(super) fn new(ask: &Ask, betrayal: Betrayal, evidence: impl std::fmt::Display) -> Finding {
        Finding { operation: ask.operation, betrayal, evidence: format!("{}: {evidence}", ask.target()) }
    }
}

/// Status, headers and body, without what differs between any two answers: the request's identifier, the date, and
/// the values that the asker brought, which a refusal may repeat.
pub(super) fn told(ask: &Ask, reply: &Reply) -> String {
    let mut headers: Vec<String> = reply
        .headers
        .iter()
        .filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    headers.sort_unstable();
    let body = String::from_utf8_lossy(&reply.body);
    let mut told = format!("{}\n{}\n\n{body}", reply.status, headers.join("\n"));
    told = told.replace(reply.header("x-request-id"), "");
    if !reply.status.is_success() {
        for (_, value) in &ask.parameters {
            let escaped = Value::from(value.as_str()).to_string();
            told = told.replace(escaped.trim_matches('"'), BROUGHT).replace(value.as_str(), BROUGHT);
        }
    }
    told
}

/// The marks of a twin in an answer: its word, its identifiers, its categories, and amounts that only it has.
pub(super) fn marks(of: &Tenant, ask: &Ask, reply: &Reply) -> Vec<String> {
    let text = told(ask, reply).to_lowercase();
    let mut marks: Vec<String> =
        [of.word.clone(), of.id_mark()].into_iter().filter(|mark| text.contains(mark.as_str())).collect();
    if reply.status.is_success() {
        let categories = of.categories.map(|category| category.as_str());
        scalars(&reply.json(), &mut |value| match value {
            Value::String(word) if categories.contains(&word.as_str()) => marks.push(word.clone()),
            Value::Number(number) if is_of(of, number) => marks.push(number.to_string()),
            _ => {}
        });
    }
    marks
}

/// Only the rich twin is known by its amounts.
fn is_of(tenant: &Tenant, number: &serde_json::Number) -> bool {
    tenant.factor > 1 && number.as_f64().is_some_and(|number| number.abs() >= RICH_CENTS_MIN)
}

fn scalars(value: &Value, found: &mut impl FnMut(&Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, found)),
        Value::Object(members) => members.values().for_each(|member| scalars(member, found)),
        scalar => found(scalar),
    }
}

/// The form of an answer: members and the length of lists, without any value and without whose the identifiers are.
pub(super) fn form(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(form).collect(),
        Value::Object(members) => {
            let unmarked = |name: &String| match name.parse::<Uuid>() {
                Ok(id) => unmarked(id).to_string(),
                Err(_) => name.clone(),
            };
            members.iter().map(|(name, member)| (unmarked(name), form(member))).collect()
        }
        Value::String(_) => Value::from("text"),
        Value::Number(_) => Value::from("number"),
        Value::Bool(_) => Value::from("boolean"),
        Value::Null => Value::Null,
    }
}

/// What the findings of every operation are, in a few lines.
pub(super) fn summary(findings: &[Finding]) -> String {
    let lines = findings.iter().take(20).map(|finding| {
        let evidence: String = finding.evidence.chars().take(600).collect();
        format!("{} ({:?}): {evidence}", finding.operation, finding.betrayal)
    });
    format!("{} findings\n{}", findings.len(), lines.collect::<Vec<_>>().join("\n"))
}
