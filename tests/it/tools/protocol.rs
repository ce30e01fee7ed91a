//! Protocol rules in both eras: HTTP status, error code and identifier of the response to each message.

use serde_json::json;
use tests::app::App;
use tests::http::Reply;
use tests::mcp::{Era, result};

use super::app;

mod legacy_rules;
mod modern_rules;

/// A protocol rule: a message with additional headers, and the expected response.
struct Rule {
    name: &'static str,
    headers: &'static [(&'static str, &'static str)],
    body: String,
    status: u16,
    /// The expected error code; 0 for a result.
    code: i64,
    id: &'static str,
}

async fn send(app: &App, token: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let bearer = format!("Bearer {token}");
    let usual = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    app.post("/mcp", &[&usual[..], headers].concat(), body.to_owned()).await
}

async fn check(rules: Vec<Rule>) {
    let (app, _, token) = app().await;
    for rule in rules {
        let reply = send(&app, &token, rule.headers, &rule.body).await;
        let name = rule.name;
        assert_eq!(reply.status.as_u16(), rule.status, "{name}: {:?}", reply.body);
        assert_eq!(reply.header("cache-control"), "no-store", "{name}");
        if rule.status == 202 {
            assert!(reply.body.is_empty(), "{name}");
            assert_eq!(reply.header("content-type"), "", "{name}");
            continue;
        }
        assert_eq!(reply.header("content-type"), "application/json", "{name}");
        let answer = reply.json();
        assert_eq!(answer["jsonrpc"], "2.0", "{name}");
        assert_eq!(answer["id"].to_string(), rule.id, "{name}");
        assert_eq!(answer["error"]["code"].as_i64().unwrap_or_default(), rule.code, "{name}: {answer}");
        assert_eq!(answer.get("result").is_some(), rule.code == 0, "{name}");
    }
}

fn rule(name: &'static str, body: &str, status: u16, code: i64, id: &'static str) -> Rule {
    Rule { name, headers: &[], body: body.to_owned(), status, code, id }
}

fn legacy(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#)
}

#[tokio::test]
async fn invalid_json_rpc_message_is_rejected_in_every_era() {
    let rules = [
        ("not JSON", "{", -32_700, "null"),
        ("nothing", "", -32_700, "null"),
        ("more than JSON", "{} {}", -32_700, "null"),
        ("an empty batch", "[]", -32_600, "null"),
        ("a batch", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600, "null"),
        ("a number", "1", -32_600, "null"),
        ("no members", "{}", -32_600, "null"),
        ("another version", r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, -32_600, "\"a\""),
        ("no method", r#"{"jsonrpc":"2.0","id":7}"#, -32_600, "7"),
        ("a method that is no text", r#"{"jsonrpc":"2.0","id":7,"method":{}}"#, -32_600, "7"),
        ("a null id", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, "null"),
        ("a boolean id", r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32_600, "null"),
        ("a fraction as id", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, "null"),
        ("a list of parameters", r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}"#, -32_602, "7"),
    ];
    for headers in
        [&[][..], &[("mcp-protocol-version", "2025-06-18")], &[("mcp-protocol-version", "2026-07-28")]]
    {
        let rules =
            rules.iter().map(|(name, body, code, id)| Rule { headers, ..rule(name, body, 400, *code, id) });
        check(rules.collect()).await;
    }
}

#[tokio::test]
async fn unsupported_revision_error_lists_supported_revisions() {
    let (app, _, token) = app().await;
    let reply = send(&app, &token, &[("mcp-protocol-version", "1999-01-01")], &legacy("ping", "{}")).await;
    assert_eq!(
        reply.json()["error"]["data"],
        json!({
            "requested": "1999-01-01",
            "supported": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        })
    );
    let reply = send(&app, &token, &[], &legacy("tools/call", r#"{"name":"get_money"}"#)).await;
    assert!(reply.json()["error"]["message"].as_str().is_some_and(|text| text.contains("get_money")));
}

/// The capabilities of a server with pictures, in both eras.
fn capabilities() -> serde_json::Value {
    json!({ "tools": {}, "resources": {}, "extensions": { "io.modelcontextprotocol/ui": {} } })
}

#[tokio::test]
async fn initialize_negotiates_a_supported_revision() {
    let (app, _, token) = app().await;
    for (requested, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2031-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let body = legacy("initialize", &json!({ "protocolVersion": requested }).to_string());
        let reply = send(&app, &token, &[], &body).await;
        let result = result(&reply);
        assert_eq!(result["protocolVersion"], agreed, "{requested}");
        assert_eq!(result["capabilities"], capabilities());
        assert_eq!(result["serverInfo"]["name"], "passbook");
        assert!(result["instructions"].as_str().is_some_and(|text| text.chars().count() <= 512));
        assert!(result.get("resultType").is_none() && result.get("_meta").is_none());
        assert!(reply.headers.get("mcp-session-id").is_none());
    }
}

#[tokio::test]
async fn modern_results_and_discovery_contain_server_info() {
    let (app, _, token) = app().await;
    let discovered = result(&app.rpc(Era::Modern, &token, "server/discover", json!({})).await);
    assert_eq!(discovered["supportedVersions"][0], "2026-07-28");
    assert_eq!(discovered["capabilities"], capabilities());
    assert!(discovered.get("serverInfo").is_none(), "the server info is in _meta");
    let list = result(&app.rpc(Era::Modern, &token, "tools/list", json!({})).await);
    for cacheable in [&discovered, &list] {
        assert_eq!((&cacheable["cacheScope"], &cacheable["ttlMs"]), (&json!("public"), &json!(3_600_000)));
    }
    let call = result(&app.call(Era::Modern, &token, "get_preferences", json!({})).await);
    let refused = result(&app.call(Era::Modern, &token, "get_preferences", json!({ "x": 1 })).await);
    for result in [discovered, list.clone(), call, refused] {
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "passbook");
    }
    let legacy = result(&app.rpc(Era::Legacy, &token, "tools/list", json!({})).await);
    assert_eq!(legacy, json!({ "tools": list["tools"] }));
}

#[tokio::test]
async fn request_identifier_is_echoed_byte_for_byte() {
    let (app, _, token) = app().await;
    for id in ["9007199254740993", "-0", "123456789012345678901234567890", r#""\u0061\/é""#, r#""""#] {
        for method in ["ping", "tools/list", "nothing"] {
            let body = format!(r#"{{"method":"{method}","id":{id},"jsonrpc":"2.0"}}"#);
            let reply = send(&app, &token, &[], &body).await;
            let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"#);
            assert!(reply.body.starts_with(start.as_bytes()), "{id}: {:?}", &reply.body[..60]);
        }
    }
}
