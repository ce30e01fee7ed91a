//! The example adapter for JSON-RPC: limits, deadline, panic guard, log and a surface with a name of its own, all through
//! the pipeline.

use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use passbook_domain::scope::Scope;
use passbook_operations::Catalogue;
use passbook_rest::{RateLimiter, Router};
use serde_json::{Value, json};

use super::ledger::{TestLedger, token};
use super::log::Log;

/// The entry among the stored scopes of a grant that allows the adapter.
const ALLOWED: Scope = Scope::host("surface:json-rpc");

fn adapter(scopes: &[Scope]) -> Router {
    adapter_with(scopes, None)
}

fn adapter_with(scopes: &[Scope], rate_limiter: Option<RateLimiter>) -> Router {
    let pipeline = super::pipeline(Arc::new(TestLedger::new(scopes)), rate_limiter);
    Router::new(&pipeline, passbook_json_rpc::endpoints(&pipeline, &Catalogue::default()))
}

/// Sends a body. Returns the status and the JSON of the response.
async fn send(adapter: &Router, token: &str, body: impl Into<String>) -> (u16, Value) {
    let request = Request::post(passbook_json_rpc::PATH)
        .header("authorization", format!("Bearer {token}"))
        .header("x-request-id", "request-7");
    let request = request.body(Full::<bytes::Bytes>::from(body.into())).expect("a well-formed request");
    let response = adapter.handle(request).await;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.expect("the body is in memory").to_bytes();
    (status, serde_json::from_slice(&body).expect("JSON"))
}

async fn call(adapter: &Router, method: &str, params: Value) -> Value {
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
    let adapter = adapter(&with_all_scopes());
    assert_eq!(call(&adapter, "me", json!({})).await["result"]["email"], "anna@example.com");
    let error = call(&adapter, "banks_status", json!({ "colour": 1 })).await["error"].clone();
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32602), &json!("INVALID_REQUEST")));
    assert_eq!(error["data"]["details"][0]["parameter"], "colour");
    assert_eq!(call(&adapter, "no_such", json!({})).await["error"]["code"], -32601);
    assert_eq!(call(&adapter, "me", json!([1])).await["error"]["message"], "params must be a JSON object.");
    for (body, code) in [("{", -32700), ("{\"jsonrpc\":\"1.0\",\"method\":\"me\"}", -32600)] {
        let (status, reply) = send(&adapter, token().reveal(), body).await;
        assert_eq!((status, &reply["error"]["code"]), (200, &json!(code)), "{body}");
    }
}

#[tokio::test]
async fn grant_must_name_the_surface_of_the_adapter() {
    let error = call(&adapter(Scope::ALL), "me", json!({})).await["error"].clone();
    assert_eq!(error["data"]["code"], "FORBIDDEN");
    let error = call(&adapter(&[ALLOWED]), "banks_status", json!({})).await["error"].clone();
    assert_eq!(error["data"]["code"], "INSUFFICIENT_SCOPE");
    let (status, reply) = send(&adapter(&with_all_scopes()), "pbk_nothing", "{}").await;
    assert_eq!((status, &reply["error"]["code"]), (401, &json!("UNAUTHORIZED")));
}

#[tokio::test]
async fn size_of_the_body_and_rate_are_limited() {
    let adapter = adapter_with(&with_all_scopes(), Some(RateLimiter::new(0, 3)));
    let (status, reply) = send(&adapter, token().reveal(), " ".repeat(64 * 1024 + 1)).await;
    assert_eq!((status, &reply["error"]["code"]), (413, &json!("PAYLOAD_TOO_LARGE")));
    let (status, reply) = send(&adapter, token().reveal(), "{}").await;
    assert_eq!((status, &reply["error"]["code"]), (429, &json!("RATE_LIMITED")));
}

#[tokio::test]
async fn deadline_is_an_error_of_the_call() {
    let error = call(&adapter(&with_all_scopes()), "transactions", json!({})).await["error"].clone();
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32000), &json!("TIMEOUT")));
}

#[tokio::test]
async fn panic_is_an_error_of_the_call_and_the_log_names_surface_and_method() {
    let (log, adapter) = (Log::default(), adapter(&with_all_scopes()));
    let _collected = log.collect();
    let error = call(&adapter, "cashflow_summary", json!({})).await["error"].clone();
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
