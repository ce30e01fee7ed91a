//! Everyday questions to an assistant: the tool calls of `tests/questions.toml` give the figures and admissions that the
//! file states for one fixed household.

use std::collections::BTreeSet;

use passbook_domain::scope::Scope;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tests::app::App;
use tests::mcp::{Era, payload, result};
use uuid::Uuid;

/// The household, as a bundle.
const HOUSEHOLD: &str = include_str!("../../questions/household.json");
/// Number of questions in the list.
const CASES: usize = 53;
/// Minimum number of questions that one call answers.
const ONE_CALL_MIN: usize = 47;
/// Maximum number of calls for one question.
const CALLS_MAX: usize = 3;

/// Starts the application with the household. Returns a token of its person.
async fn app() -> (App, String) {
    let app = App::start().await;
    let records =
        passbook_records::bundle::read(HOUSEHOLD.as_bytes(), passbook_ingest::load::credential_rules());
    let records: Vec<_> = records.map(|located| located.expect("the bundle is valid").record).collect();
    app.load(records).await;
    let token = app.token(user_id()).await;
    (app, token)
}

/// Returns the person of the household.
fn user_id() -> Uuid {
    let bundle: Value = serde_json::from_str(HOUSEHOLD).expect("JSON");
    bundle["users"][0]["id"].as_str().expect("a text").parse().expect("a UUID")
}

#[tokio::test]
async fn tool_calls_answer_every_case_and_admit_what_they_leave_out() {
    let (app, token) = app().await;
    let mut faults = Vec::new();
    for Case { ask, calls, .. } in cases() {
        for Call { tool, arguments, answer, admits } in calls {
            let actual = payload(&app.call(Era::Modern, &token, &tool, arguments.clone()).await);
            let call = format!("{ask}\n  {tool} {arguments}");
            faults.extend(differences(&answer, &actual).iter().map(|fault| format!("{call}\n  {fault}")));
            let admitted = admissions(&actual);
            if admitted != admits {
                faults.push(format!("{call}\n  admits {admitted}; the list states {admits}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test]
async fn totals_name_the_stale_banks_that_the_token_may_read() {
    let (app, _) = app().await;
    for (tool, scopes, names) in [
        ("get_cashflow_summary", &[Scope::CashflowRead, Scope::BanksRead][..], true),
        ("get_cashflow_summary", &[Scope::CashflowRead], false),
        ("get_budget_summary", &[Scope::BudgetsRead, Scope::BanksRead], true),
    ] {
        let (token, _) = app.token_with(user_id(), scopes, false, true).await;
        let reply = app.call(Era::Modern, &token, tool, json!({})).await;
        let words = result(&reply)["content"][1]["text"].to_string();
        assert_eq!(words.contains("stale Platypus Bank (6 days without data)"), names, "{tool} {words}");
    }
}

#[tokio::test]
async fn names_are_returned_only_with_a_scope_that_reads_them() {
    use Scope::{BanksRead, CashflowRead, PortfolioRead, SpendingRead, TransactionsRead};
    let (app, _) = app().await;
    let accounts =
        "accounts cannot be read without the scope transactions:read or portfolio:read; received \"visa\"";
    let banks = "banks cannot be read without the scope banks:read; received \"Nord\"";
    for (scopes, arguments, expected) in [
        (
            &[CashflowRead][..],
            json!({ "accounts": ["visa"], "banks": ["Nord"] }),
            format!("{accounts}\n{banks}"),
        ),
        (&[CashflowRead, BanksRead], json!({ "accounts": ["visa"], "banks": ["Nord"] }), accounts.to_owned()),
        (
            &[CashflowRead, PortfolioRead],
            json!({ "accounts": ["Vissa"] }),
            "allowed: Visa (Nordbank, credit card, ".to_owned(),
        ),
        (&[CashflowRead, TransactionsRead], json!({ "accounts": ["VISA"] }), "\"given\":\"VISA\"".to_owned()),
        (
            &[CashflowRead, TransactionsRead],
            json!({ "merchantQuery": "Edekka" }),
            "\"nearestMerchants\":[\"EDEKA\"".to_owned(),
        ),
        (&[CashflowRead], json!({ "merchantQuery": "Edekka" }), "\"net\":".to_owned()),
        (&[CashflowRead], json!({ "period": "since-income" }), "recurring-payments:read".to_owned()),
        (
            &[CashflowRead],
            json!({ "merchants": ["Edekka"] }),
            "merchants cannot be read without the scope transactions:read or spending:read".to_owned(),
        ),
        (
            &[CashflowRead, TransactionsRead],
            json!({ "merchants": ["Edekka"] }),
            "allowed: EDEKA (edeka)".to_owned(),
        ),
        (&[SpendingRead], json!({ "groupBy": "account" }), "transactions:read".to_owned()),
    ] {
        let (token, _) = app.token_with(user_id(), scopes, false, true).await;
        let tool =
            if scopes.contains(&SpendingRead) { "get_spending_by_category" } else { "get_cashflow_summary" };
        let reply = app.call(Era::Modern, &token, tool, arguments.clone()).await;
        let text = result(&reply)["content"][0]["text"].as_str().expect("a text").to_owned();
        assert!(text.contains(&expected), "{scopes:?} {arguments}: {text}");
        let is_returned = ["Visa", "EDEKA", "edeka", "Nordbank"].iter().any(|name| text.contains(name));
        assert_eq!(
            is_returned,
            scopes.contains(&TransactionsRead) || scopes.contains(&PortfolioRead),
            "{scopes:?}: {text}"
        );
    }
}

#[test]
fn almost_every_case_needs_one_call() {
    let cases = cases();
    assert_eq!(cases.len(), CASES);
    let one_call = cases.iter().filter(|case| case.calls.len() == 1).count();
    assert!(one_call >= ONE_CALL_MIN, "{one_call} questions need one call");
    for Case { ask, calls, .. } in &cases {
        assert!((1..=CALLS_MAX).contains(&calls.len()), "{ask}: {} calls", calls.len());
    }
}

#[test]
fn cases_differ_and_cover_every_tool() {
    let cases = cases();
    let asked: BTreeSet<&str> = cases.iter().map(|case| case.ask.as_str()).collect();
    assert_eq!(asked.len(), cases.len());
    let called: BTreeSet<&str> =
        cases.iter().flat_map(|case| &case.calls).map(|call| call.tool.as_str()).collect();
    assert_eq!(called, tests::catalogue::tools().iter().map(|(name, _)| *name).collect());
    for Case { ask, sum, calls } in &cases {
        assert!(!sum.trim().is_empty(), "{ask}: states no sum");
        // A call without an expected answer could not fail.
        assert!(
            calls.iter().all(|call| call.answer.as_object().is_some_and(|answer| !answer.is_empty())),
            "{ask}"
        );
    }
}

/// Expected value of a field that the payload must not have.
const ABSENT: &str = "absent";

/// Returns the differences between the expected parts of a payload and the payload, each with its path.
///
/// An expected table may leave out keys. An expected list is complete, unless it is a table with `count`, `first` and
/// `last`. Money is expected as text, such as `120.10 EUR`.
pub(super) fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", expected, actual, &mut found);
    found
}

fn compare(path: &str, expected: &Value, actual: &Value, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(fields)) => {
            for (key, expected) in expected {
                let path = format!("{path}.{key}");
                match (fields.get(key), expected.as_str() == Some(ABSENT)) {
                    (None, true) => {}
                    (None, false) => found.push(format!("{path}: expected {expected}; the answer lacks it")),
                    (Some(actual), true) => {
                        found.push(format!("{path}: expected nothing; received {actual}"))
                    }
                    (Some(actual), false) => compare(&path, expected, actual, found),
                }
            }
        }
        (Value::Array(expected), Value::Array(entries)) if expected.len() == entries.len() => {
            for (number, (expected, actual)) in expected.iter().zip(entries).enumerate() {
                compare(&format!("{path}[{number}]"), expected, actual, found);
            }
        }
        (Value::Object(parts), Value::Array(entries)) => {
            let summary = json!({ "count": entries.len(), "first": entries.first(), "last": entries.last() });
            compare(path, &Value::Object(parts.clone()), &summary, found);
        }
        (Value::String(text), Value::Object(fields)) if money(fields).as_ref() == Some(text) => {}
        _ if expected == actual => {}
        _ => found.push(format!("{path}: expected {expected}; received {actual}")),
    }
}

/// Returns a money object as text: `-12.05 EUR`.
fn money(fields: &Map<String, Value>) -> Option<String> {
    let cents = fields.get("amount_cents")?.as_i64()?;
    let sign = if cents < 0 { "-" } else { "" };
    let (whole, hundredths) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
    Some(format!("{sign}{whole}.{hundredths:02} {}", fields.get("currency")?.as_str()?))
}

/// Returns what a payload states to have left out; an empty object if it states nothing:
///
/// | key | meaning |
/// |---|---|
/// | `excludedCategories` | excluded categories that do not count |
/// | `unconverted` | amounts without an exchange rate |
/// | `partial` | a value without a price |
/// | `partialPoints` | number of points of a history that leave something out |
/// | `completeFrom` | day from which a history is complete |
/// | `unlisted` | number of recurring payments beyond `limit` |
/// | `hasMore` | there is another page |
pub(super) fn admissions(payload: &Value) -> Value {
    let mut admitted = Map::new();
    for key in ["excludedCategories", "unconverted", "partial", "completeFrom"] {
        if let Some(stated) = payload.get(key).filter(|stated| **stated != json!([])) {
            admitted.insert(key.to_owned(), stated.clone());
        }
    }
    let partial = |point: &&Value| point["partial"] == true || point.get("unconverted").is_some();
    let points = payload["points"].as_array().map_or(0, |points| points.iter().filter(partial).count());
    let listed = payload["recurringPayments"].as_array().map_or(0, Vec::len) as u64;
    let unlisted = payload["totalCount"].as_u64().map_or(0, |count| count - listed);
    for (key, count) in [("partialPoints", points as u64), ("unlisted", unlisted)] {
        if count > 0 {
            admitted.insert(key.to_owned(), json!(count));
        }
    }
    if payload["pagination"]["hasMore"] == true {
        admitted.insert("hasMore".to_owned(), json!(true));
    }
    Value::Object(admitted)
}

const LIST: &str = include_str!("../../questions.toml");

/// A question and the calls that answer it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// The question as a person asks it.
    pub(super) ask: String,
    /// Explanation of the expected figures by the rows of the household, for the reader of the list.
    pub(super) sum: String,
    pub(super) calls: Vec<Call>,
}

/// A call of a tool and the expected result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default = "no_arguments")]
    pub(super) arguments: Value,
    /// The parts of the payload that answer the question.
    pub(super) answer: Value,
    /// Everything that the payload admits to have left out.
    pub(super) admits: Value,
}

fn no_arguments() -> Value {
    json!({})
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    questions: Vec<Case>,
}

pub(super) fn cases() -> Vec<Case> {
    toml::from_str::<List>(LIST).expect("a list of questions").questions
}
