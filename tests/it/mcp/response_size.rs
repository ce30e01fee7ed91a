//! Size of tool responses, measured in tokens of four bytes.

use serde_json::{Value, json};
use tests::catalogue::tools;
use tests::mcp::{Era, payload};

use super::demo;

const BYTES_A_TOKEN: usize = 4;
/// Limit for a call without arguments.
const DEFAULT_TOKENS_MAX: usize = 8_000;
/// Limit for any call. Claude Code rejects larger results.
const ANY_TOKENS_MAX: usize = 25_000;

#[tokio::test]
async fn default_and_largest_results_stay_within_token_limits() {
    let (app, token) = demo().await;
    for (name, tool) in tools() {
        for era in Era::ALL {
            let reply = app.call(era, &token, name, json!({})).await;
            payload(&reply);
            let tokens = reply.body.len() / BYTES_A_TOKEN;
            assert!(tokens <= DEFAULT_TOKENS_MAX, "{name}: {tokens} tokens");
        }
        // The largest values of the parameters that set the length of a list.
        let most: serde_json::Map<String, Value> = tool
            .tool_parameters
            .iter()
            .filter(|parameter| matches!(parameter.name, "pageSize" | "limit"))
            .map(|parameter| (parameter.name.to_owned(), parameter.schema["maximum"].clone()))
            .collect();
        let reply = app.call(Era::Modern, &token, name, Value::Object(most)).await;
        payload(&reply);
        let tokens = reply.body.len() / BYTES_A_TOKEN;
        assert!(tokens <= ANY_TOKENS_MAX, "{name} at its most: {tokens} tokens");
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
