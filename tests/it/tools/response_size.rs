//! Size of tool responses, measured in tokens of four bytes.

use jiff::ToSpan as _;
use passbook_operations::form::Declaration;
use serde_json::{Map, Value, json};
use tests::app::{App, TODAY};
use tests::catalogue::tools;
use tests::mcp::{Era, payload, result};

use super::demo;

const BYTES_A_TOKEN: usize = 4;
/// Limit for a call without arguments.
const DEFAULT_TOKENS_MAX: usize = 8_000;
/// Limit for any call. Claude Code rejects larger results.
const ANY_TOKENS_MAX: usize = 25_000;
/// Longest tested range in days: more than every limit on points and periods allows.
const RANGE_DAYS_MAX: i64 = 44_000;

type Arguments = Map<String, Value>;

#[tokio::test]
async fn default_results_stay_within_token_limit() {
    let (app, token) = demo().await;
    for (name, _) in tools() {
        for era in Era::ALL {
            let reply = app.call(era, &token, name, json!({})).await;
            payload(&reply);
            let tokens = reply.body.len() / BYTES_A_TOKEN;
            assert!(tokens <= DEFAULT_TOKENS_MAX, "{name}: {tokens} tokens");
        }
    }
}

#[tokio::test]
async fn largest_results_of_all_combinations_stay_within_token_limit() {
    let (app, token) = demo().await;
    let mut combined = 0;
    for (name, tool) in tools() {
        let has_range = tool.tool_parameters.iter().any(|parameter| parameter.name == "dateFrom");
        for arguments in combinations(&tool.tool_parameters).into_iter().step_by(tests::cases(6, 1)) {
            combined += 1;
            let arguments = Value::Object(arguments);
            // A call that the tool rejects as too large is accepted with a shorter range.
            let accepted = tokens_if_accepted(&app, &token, name, &arguments).await;
            if has_range {
                assert_longest_range_fits(&app, &token, name, &arguments).await;
            } else {
                assert!(accepted.is_some(), "{name} {arguments}");
            }
        }
    }
    assert!(combined > tests::cases(10, 50), "{combined} combinations");
}

/// Finds the longest range that ends today and is accepted. The response must stay within the limit.
async fn assert_longest_range_fits(app: &App, token: &str, name: &str, arguments: &Value) {
    let call = async |days: i64| {
        let mut arguments = arguments.clone();
        arguments["dateFrom"] = json!(TODAY.checked_sub(days.days()).expect("in range").to_string());
        arguments["dateTo"] = json!(TODAY.to_string());
        tokens_if_accepted(app, token, name, &arguments).await
    };
    let (mut accepted, mut rejected) = (0, RANGE_DAYS_MAX);
    assert!(call(accepted).await.is_some(), "{name} {arguments}: a single day is rejected");
    while rejected - accepted > 1 {
        let middle = accepted.midpoint(rejected);
        match call(middle).await {
            Some(_) => accepted = middle,
            None => rejected = middle,
        }
    }
}

/// Calls a tool. The response must stay within the limit. Returns its size in tokens; `None` if the call is rejected.
async fn tokens_if_accepted(app: &App, token: &str, name: &str, arguments: &Value) -> Option<usize> {
    let reply = app.call(Era::Modern, token, name, arguments.clone()).await;
    let tokens = reply.body.len() / BYTES_A_TOKEN;
    assert!(tokens <= ANY_TOKENS_MAX, "{name} {arguments}: {tokens} tokens");
    let accepted = result(&reply).get("isError").is_none();
    accepted.then_some(tokens)
}

/// Returns every combination of the arguments that decide how much a tool lists: each value of a choice, the largest
/// size of a list, both values of a switch, and lists with all values.
fn combinations(parameters: &[Declaration]) -> Vec<Arguments> {
    let mut combined = vec![Arguments::new()];
    for parameter in parameters {
        let values = values(parameter);
        if values.is_empty() {
            continue;
        }
        let with = |value: &Value, arguments: &Arguments| {
            let mut arguments = arguments.clone();
            arguments.insert(parameter.name.to_owned(), value.clone());
            arguments
        };
        combined = values
            .iter()
            .flat_map(|value| combined.iter().map(move |arguments| with(value, arguments)))
            .collect();
    }
    combined
}

fn values(parameter: &Declaration) -> Vec<Value> {
    let schema = &parameter.schema;
    let choices = schema["enum"].as_array();
    match (parameter.name, choices) {
        ("pageSize" | "limit", _) => vec![schema["maximum"].clone()],
        ("minConfidence", _) => vec![schema["minimum"].clone()],
        // The longest range is searched for.
        ("timeRange" | "period", _) => Vec::new(),
        ("types" | "status", Some(choices)) => vec![Value::Array(choices.clone())],
        (_, Some(choices)) if !parameter.list => choices.clone(),
        _ if schema["type"] == "boolean" => vec![json!(false), json!(true)],
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn every_page_of_transactions_stays_within_token_limit() {
    let (app, token) = demo().await;
    let mut arguments = json!({ "pageSize": 100, "showInternalTransfers": true });
    let mut pages = 0;
    loop {
        let reply = app.call(Era::Modern, &token, "search_transactions", arguments.clone()).await;
        let page = payload(&reply);
        let tokens = reply.body.len() / BYTES_A_TOKEN;
        assert!(tokens <= ANY_TOKENS_MAX, "page {pages}: {tokens} tokens");
        pages += 1;
        if page["pagination"]["hasMore"] == false {
            break;
        }
        arguments["cursor"] = page["pagination"]["nextCursor"].clone();
    }
    assert!(pages > 5, "the demo household has {pages} pages");
}
