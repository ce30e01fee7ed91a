//! What a model has to read. A token is taken as four bytes of the body.

use serde_json::{Value, json};
use tests::catalogue::tools;
use tests::mcp::{Era, payload};

use super::demo;

const BYTES_A_TOKEN: usize = 4;
/// Of a call without arguments.
const DEFAULT_TOKENS_MAX: usize = 8_000;
/// Of any call. Claude Code refuses more.
const ANY_TOKENS_MAX: usize = 25_000;

#[tokio::test]
async fn no_default_answer_is_long_and_no_answer_too_long() {
    let (app, token) = demo().await;
    for (name, tool) in tools() {
        for era in Era::ALL {
            let reply = app.call(era, &token, name, json!({})).await;
            payload(&reply);
            let tokens = reply.body.len() / BYTES_A_TOKEN;
            assert!(tokens <= DEFAULT_TOKENS_MAX, "{name}: {tokens} tokens");
        }
        // Everything that says how much to list, at its most.
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
async fn no_page_of_transactions_is_too_long() {
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
