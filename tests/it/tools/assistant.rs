//! Everyday questions to an assistant: the tool calls of `tests/questions.toml` give the figures and admissions that the
//! file states for one fixed household.

mod answer;
mod list;

use std::collections::BTreeSet;

use serde_json::Value;
use tests::app::App;
use tests::mcp::{Era, payload};
use uuid::Uuid;

use answer::{admissions, differences};
use list::{Call, Case};

/// The household, as a bundle.
const HOUSEHOLD: &str = include_str!("../../questions/household.json");
/// Number of questions in the list.
const CASES: usize = 40;
/// Minimum number of questions that one call answers.
const ONE_CALL_MIN: usize = 36;
/// Maximum number of calls for one question.
const CALLS_MAX: usize = 3;

/// Starts the application with the household. Returns a token of its person.
async fn app() -> (App, String) {
    let app = App::start().await;
    let records =
        passbook_records::bundle::read(HOUSEHOLD.as_bytes(), passbook_ingest::load::credential_rules());
    let records: Vec<_> = records.map(|located| located.expect("the bundle is valid").record).collect();
    app.load(records).await;
    let bundle: Value = serde_json::from_str(HOUSEHOLD).expect("JSON");
    let user_id: Uuid = bundle["users"][0]["id"].as_str().expect("a text").parse().expect("a UUID");
    let token = app.token(user_id).await;
    (app, token)
}

#[tokio::test]
async fn tool_calls_answer_every_case_and_admit_what_they_leave_out() {
    let (app, token) = app().await;
    let mut faults = Vec::new();
    for Case { ask, calls, .. } in list::cases() {
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

#[test]
fn almost_every_case_needs_one_call() {
    let cases = list::cases();
    assert_eq!(cases.len(), CASES);
    let one_call = cases.iter().filter(|case| case.calls.len() == 1).count();
    assert!(one_call >= ONE_CALL_MIN, "{one_call} questions need one call");
    for Case { ask, calls, .. } in &cases {
        assert!((1..=CALLS_MAX).contains(&calls.len()), "{ask}: {} calls", calls.len());
    }
}

#[test]
fn cases_differ_and_cover_every_tool() {
    let cases = list::cases();
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
