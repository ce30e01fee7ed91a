//! The pipeline through tool calls, and through the example adapter for JSON-RPC: limits, deadline, panic guard, log and a
//! surface with a name of its own.

use std::sync::Arc;
use std::time::Instant;

use hyper::Method;
use passbook_domain::scope::Scope;
use passbook_mcp::Mcp;
use passbook_operations::Catalogue;
use passbook_rest::{RateLimiter, Router};
use serde_json::{Value, json};
use tests::http::{Reply, handle};
use tests::mcp::{Era, failure, payload};

use super::ledger::{Log, TestLedger, token};

const REQUEST_ID: &str = "request-8";

/// The tool server over the test ledger. A request may take a second.
fn tool_server() -> Router {
    let pipeline = super::pipeline(Arc::new(TestLedger::new(Scope::ALL)), None);
    Router::new(&pipeline, Mcp::new(&pipeline).endpoints())
}

/// Calls a tool without arguments, as `POST /api/mcp` with [`REQUEST_ID`].
async fn call(server: &Router, era: Era, tool: &str) -> Reply {
    let params = json!({ "name": tool, "arguments": {} });
    let bearer = format!("Bearer {}", token().reveal());
    let mut headers = era.headers("tools/call", &params);
    headers.extend([("authorization", bearer.as_str()), ("x-request-id", REQUEST_ID)]);
    let message = era.message(&json!("seven"), "tools/call", params.clone()).to_string();
    handle(server, Method::POST, "/api/mcp", &headers, message).await
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

/// The entry among the stored scopes of a grant that allows the adapter.
const ALLOWED: Scope = Scope::host("surface:json-rpc");

fn adapter(scopes: &[Scope], rate_limiter: Option<RateLimiter>) -> Router {
    let pipeline = super::pipeline(Arc::new(TestLedger::new(scopes)), rate_limiter);
    Router::new(&pipeline, passbook_json_rpc::endpoints(&pipeline, &Catalogue::default()))
}

/// Sends a body. Returns the status and the JSON of the response.
async fn send(adapter: &Router, token: &str, body: impl Into<String>) -> (u16, Value) {
    let headers = [("authorization", &*format!("Bearer {token}")), ("x-request-id", "request-7")];
    let reply = handle(adapter, Method::POST, passbook_json_rpc::PATH, &headers, body.into()).await;
    (reply.status.as_u16(), reply.json())
}

async fn call_method(adapter: &Router, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let (status, reply) = send(adapter, token().reveal(), message.to_string()).await;
    assert_eq!((status, &reply["id"]), (200, &json!(7)), "{reply}");
    reply
}

fn with_all_scopes() -> Vec<Scope> {
    [Scope::ALL, &[ALLOWED]].concat()
}

#[tokio::test]
async fn operation_is_a_method_and_faults_are_data_of_the_error() {
    let adapter = adapter(&with_all_scopes(), None);
    assert_eq!(call_method(&adapter, "me", json!({})).await["result"]["email"], "anna@example.com");
    let error = call_method(&adapter, "banks_status", json!({ "colour": 1 })).await["error"].clone();
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32602), &json!("INVALID_REQUEST")));
    assert_eq!(error["data"]["details"][0]["parameter"], "colour");
    assert_eq!(call_method(&adapter, "no_such", json!({})).await["error"]["code"], -32601);
    assert_eq!(
        call_method(&adapter, "me", json!([1])).await["error"]["message"],
        "params must be a JSON object."
    );
    for (body, code) in [("{", -32700), ("{\"jsonrpc\":\"1.0\",\"method\":\"me\"}", -32600)] {
        let (status, reply) = send(&adapter, token().reveal(), body).await;
        assert_eq!((status, &reply["error"]["code"]), (200, &json!(code)), "{body}");
    }
}

#[tokio::test]
async fn grant_must_name_the_surface_of_the_adapter() {
    let error = call_method(&adapter(Scope::ALL, None), "me", json!({})).await["error"].clone();
    assert_eq!(error["data"]["code"], "FORBIDDEN");
    let error = call_method(&adapter(&[ALLOWED], None), "banks_status", json!({})).await["error"].clone();
    assert_eq!(error["data"]["code"], "INSUFFICIENT_SCOPE");
    let (status, reply) = send(&adapter(&with_all_scopes(), None), "pbk_nothing", "{}").await;
    assert_eq!((status, &reply["error"]["code"]), (401, &json!("UNAUTHORIZED")));
}

#[tokio::test]
async fn size_of_the_body_and_rate_are_limited() {
    let adapter = adapter(&with_all_scopes(), Some(RateLimiter::new(0, 3)));
    let (status, reply) = send(&adapter, token().reveal(), " ".repeat(64 * 1024 + 1)).await;
    assert_eq!((status, &reply["error"]["code"]), (413, &json!("PAYLOAD_TOO_LARGE")));
    let (status, reply) = send(&adapter, token().reveal(), "{}").await;
    assert_eq!((status, &reply["error"]["code"]), (429, &json!("RATE_LIMITED")));
}

#[tokio::test]
async fn deadline_is_an_error_of_the_call() {
    let error =
        call_method(&adapter(&with_all_scopes(), None), "transactions", json!({})).await["error"].clone();
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32000), &json!("TIMEOUT")));
}

#[tokio::test]
async fn panic_is_an_error_of_the_call_and_the_log_names_surface_and_method() {
    let (log, adapter) = (Log::default(), adapter(&with_all_scopes(), None));
    let _collected = log.collect();
    let error = call_method(&adapter, "cashflow_summary", json!({})).await["error"].clone();
    assert_eq!(
        (&error["data"]["code"], &error["data"]["requestId"]),
        (&json!("INTERNAL"), &json!("request-7"))
    );
    assert!(!error.to_string().contains("seventh"), "the panic stays in the log");
    let lines = log.take();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let fields = &lines[0]["fields"];
    assert_eq!(lines[0]["level"], "ERROR");
    assert_eq!((&fields["surface"], &fields["call"]), (&json!("json-rpc"), &json!("cashflow_summary")));
    assert_eq!(fields["cause"], "the request panicked: the seventh row is broken");
}
