//! Panics and timeouts of tool calls, which the tool server reports in the format of its protocol.

use std::sync::Arc;
use std::time::Instant;

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use passbook_domain::scope::Scope;
use passbook_mcp::{Mcp, Router};
use serde_json::{Value, json};
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};

use super::ledger::{TestLedger, token};
use super::log::Log;

const REQUEST_ID: &str = "request-8";

/// The tool server over the test ledger. A request may take a second.
fn tool_server() -> Router {
    let pipeline = super::pipeline(Arc::new(TestLedger::new(Scope::ALL)), None);
    Router::new(&pipeline, Mcp::new(&pipeline).endpoints())
}

/// Calls a tool without arguments, as `POST /api/mcp` with [`REQUEST_ID`].
async fn call(server: &Router, era: Era, tool: &str) -> Reply {
    let params = json!({ "name": tool, "arguments": {} });
    let mut request = Request::builder().method("POST").uri("/api/mcp");
    for (name, value) in era.headers("tools/call", &params) {
        request = request.header(name, value);
    }
    let request = request
        .header("authorization", format!("Bearer {}", token().reveal()))
        .header("x-request-id", REQUEST_ID);
    let message = era.message(&json!("seven"), "tools/call", params.clone()).to_string();
    let request = request.body(Full::new(bytes::Bytes::from(message))).expect("a well-formed request");
    let (head, body) = server.handle(request).await.into_parts();
    let body = body.collect().await.expect("the body is in memory").to_bytes();
    Reply { status: head.status, headers: head.headers, body }
}

/// Asserts the only log line of a tool call with status 200, and returns its fields and its level.
#[track_caller]
fn assert_log_line(log: &Log, tool: &str) -> (Value, Value) {
    let lines = log.take();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let fields = &lines[0]["fields"];
    let found = ["method", "route", "call", "tool", "request.id"].map(|name| fields[name].as_str());
    assert_eq!(found, ["POST", "/mcp", "tools/call", tool, REQUEST_ID].map(Some), "{fields}");
    assert_eq!(fields["status"], 200);
    (fields.clone(), lines[0]["level"].clone())
}

/// Asserts that the server still runs tools.
async fn assert_next_call_succeeds(server: &Router, era: Era) {
    let banks = payload(&call(server, era, "get_connected_banks_status").await);
    assert!(banks.is_object(), "{banks}");
}

#[tokio::test]
async fn panic_in_a_tool_call_is_a_json_rpc_internal_error_and_its_message_is_logged_with_the_request_id() {
    for era in Era::ALL {
        let (log, server) = (Log::default(), tool_server());
        let _collected = log.collect();
        let reply = call(&server, era, "get_cashflow_summary").await;
        assert_eq!(reply.header("x-request-id"), REQUEST_ID);
        let answer = reply.ok();
        let message =
            format!("Something went wrong here; the request id {REQUEST_ID} identifies it in our log.");
        let error = json!({ "code": -32603, "message": message });
        assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": "seven", "error": error }));
        let (fields, level) = assert_log_line(&log, "get_cashflow_summary");
        assert_eq!((level.as_str(), fields["code"].as_str()), (Some("ERROR"), Some("INTERNAL")));
        assert_eq!(fields["cause"], "the request panicked: the seventh row is broken");
        assert_next_call_succeeds(&server, era).await;
    }
}

#[tokio::test]
async fn tool_call_beyond_the_deadline_is_a_tool_result_with_is_error() {
    for era in Era::ALL {
        let (log, server) = (Log::default(), tool_server());
        let _collected = log.collect();
        let started = Instant::now();
        let reply = call(&server, era, "search_transactions").await;
        assert!((1..5).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
        assert_eq!(reply.ok()["id"], "seven");
        let text = failure(&reply);
        assert!(text.starts_with("The answer took too long"), "{text}");
        assert!(text.ends_with(&format!("Request id: {REQUEST_ID}.")), "{text}");
        let (fields, level) = assert_log_line(&log, "search_transactions");
        assert_eq!((level.as_str(), fields["code"].as_str()), (Some("ERROR"), Some("TIMEOUT")));
        assert_eq!(fields["cause"], "the deadline of the request has passed");
        assert!(fields["duration_ms"].as_u64().is_some_and(|duration| duration >= 1_000), "{fields}");
        assert_next_call_succeeds(&server, era).await;
    }
}
