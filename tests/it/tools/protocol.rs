//! Rules of HTTP and of the protocol in both eras: status, error code and identifier of the response to each message.

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::http::Reply;
use tests::mcp::{Era, result};

pub(super) async fn send(app: &App, token: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let bearer = format!("Bearer {token}");
    let usual = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    app.post("/mcp", &[&usual[..], headers].concat(), body.to_owned()).await
}

/// Sends the messages of a table with further headers, and checks the responses.
async fn check(table: &str, more: &[(&str, &str)]) {
    let (app, _, token) = App::with_household().await;
    for (name, values) in tests::table::rows(table) {
        let mut expected = values[0].split(' ');
        let status: u16 = expected.next().and_then(|status| status.parse().ok()).expect("a status");
        let code: i64 = expected.next().and_then(|code| code.parse().ok()).expect("an error code");
        let (message, headers) = values[1..].split_last().unwrap_or((&"", &[]));
        let headers: Vec<(&str, String)> = headers
            .iter()
            .map(|header| header.split_once(": ").expect("a header"))
            .map(|(name, value)| (name, value.replace('·', " ").replace('⇥', "\t")))
            .collect();
        let mut headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, &**value)).collect();
        headers.extend(more);
        let reply = send(&app, &token, &headers, &body(message)).await;
        assert_eq!(reply.status.as_u16(), status, "{name}: {:?}", reply.body);
        assert_eq!(reply.header("cache-control"), "no-store", "{name}");
        if status == 202 {
            assert!(reply.body.is_empty(), "{name}");
            assert_eq!(reply.header("content-type"), "", "{name}");
            continue;
        }
        assert_eq!(reply.header("content-type"), "application/json", "{name}");
        let answer = reply.json();
        assert_eq!(answer["jsonrpc"], "2.0", "{name}");
        assert_eq!(answer["id"].to_string(), expected.next().unwrap_or("7"), "{name}");
        assert_eq!(answer["error"]["code"].as_i64().unwrap_or_default(), code, "{name}: {answer}");
        assert_eq!(answer.get("result").is_some(), code == 0, "{name}");
    }
}

/// Returns the message of a table: as it is written, or of an era, a method and parameters.
fn body(message: &str) -> String {
    let words: Vec<&str> = message.splitn(3, ' ').collect();
    match words[..] {
        ["legacy", method, params] => legacy(method, params),
        ["modern", method, params] => {
            let params = serde_json::from_str(params).expect("JSON");
            Era::Modern.message(&json!(7), method, params).to_string()
        }
        _ => message.to_owned(),
    }
}

pub(super) fn legacy(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#)
}

#[tokio::test]
async fn invalid_json_rpc_message_is_rejected_in_every_era() {
    for revision in [None, Some("2025-06-18"), Some("2026-07-28")] {
        let header = revision.map(|revision| ("mcp-protocol-version", revision));
        check(include_str!("protocol/invalid.txt"), header.as_slice()).await;
    }
}

#[tokio::test]
async fn legacy_revisions_follow_their_rules() {
    check(include_str!("protocol/legacy.txt"), &[]).await;
}

#[tokio::test]
async fn modern_revision_follows_its_rules() {
    check(include_str!("protocol/modern.txt"), &[]).await;
}

#[tokio::test]
async fn unsupported_revision_error_lists_supported_revisions() {
    let (app, _, token) = App::with_household().await;
    let reply = send(&app, &token, &[("mcp-protocol-version", "1999-01-01")], &legacy("ping", "{}")).await;
    assert_eq!(
        reply.json()["error"]["data"],
        json!({
            "requested": "1999-01-01",
            "supported": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        })
    );
    let headers = [("mcp-protocol-version", token.as_str())];
    let reply = send(&app, &token, &headers, &legacy("ping", "{}")).await;
    assert_eq!(reply.json()["error"]["data"]["requested"], "(withheld)");
    let reply = send(&app, &token, &[], &legacy("tools/call", r#"{"name":"get_money"}"#)).await;
    assert!(reply.json()["error"]["message"].as_str().is_some_and(|text| text.contains("get_money")));
}

/// The capabilities of a server with pictures, in both eras.
fn capabilities() -> serde_json::Value {
    json!({ "tools": {}, "resources": {}, "extensions": { "io.modelcontextprotocol/ui": {} } })
}

#[tokio::test]
async fn initialize_negotiates_a_supported_revision() {
    let (app, _, token) = App::with_household().await;
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
    let (app, _, token) = App::with_household().await;
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

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn only_post_is_accepted_and_other_methods_are_rejected_first() {
    let (app, _, _) = App::with_household().await;
    for method in [Method::GET, Method::DELETE, Method::HEAD, Method::PUT, Method::OPTIONS, Method::PATCH] {
        let headers = [("origin", "https://evil.example"), ("accept", "text/event-stream")];
        let reply = app.send(method.clone(), "/mcp", &headers).await;
        assert_eq!(reply.status, 405, "{method}");
        assert_eq!(reply.header("allow"), "POST", "{method}");
        if method != Method::HEAD {
            assert_eq!(reply.code(), "METHOD_NOT_ALLOWED", "{method}");
        }
    }
}

/// Each request breaks one rule fewer than the previous one. The expected error thereby proves the order of the checks.
#[tokio::test]
async fn http_rules_are_checked_in_order() {
    let (app, _, token) = App::with_household().await;
    let bearer = format!("Bearer {token}");
    let [bearer, origin] = [("authorization", bearer.as_str()), ("origin", "https://evil.example")];
    let accept = ("accept", "text/event-stream");
    let (long, with_token) = (format!("/mcp?{}", "a".repeat(8 * 1024)), format!("/mcp?x={token}"));
    let body = format!("{{{}", " ".repeat(256 * 1024));
    for (name, headers, target, status, code) in [
        ("an origin", &[origin, accept][..], long.as_str(), 403, "FORBIDDEN"),
        ("the head", &[accept], &long, 414, "URI_TOO_LONG"),
        ("the token", &[accept], &with_token, 401, "UNAUTHORIZED"),
        ("a token in the query", &[bearer, accept], &with_token, 400, "INVALID_REQUEST"),
        ("the content type", &[bearer, accept], "/mcp?x=y", 415, "UNSUPPORTED_MEDIA_TYPE"),
        ("the accepted type", &[bearer, accept, JSON], "/mcp", 406, "NOT_ACCEPTABLE"),
        ("the size", &[bearer, JSON], "/mcp", 413, "PAYLOAD_TOO_LARGE"),
    ] {
        let reply = app.post(target, headers, body.clone()).await;
        reply.assert_error(status, code, name);
        assert_eq!(reply.header("cache-control"), "no-store", "{name}");
        assert_eq!(reply.json()["error"]["requestId"], reply.header("x-request-id"), "{name}");
        assert!(!String::from_utf8_lossy(&reply.body).contains(&token), "{name}");
    }
    // The last request satisfies every HTTP rule, but its body is not a JSON-RPC message.
    let reply = app.post("/mcp", &[bearer, JSON], "{").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (400, &(-32_700).into()));
}

#[tokio::test]
async fn content_type_must_be_json_and_body_at_most_256_kib() {
    let (app, _, token) = App::with_household().await;
    let bearer = format!("Bearer {token}");
    for (header, status) in [
        (Some("application/json"), 200),
        (Some("Application/JSON; charset=utf-8"), 200),
        (Some("text/plain"), 415),
        (Some("application/jsonp"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
        (None, 415),
    ] {
        let mut headers = vec![("authorization", bearer.as_str())];
        headers.extend(header.map(|header| ("content-type", header)));
        assert_eq!(app.post("/mcp", &headers, PING).await.status, status, "{header:?}");
    }
    for more in [("content-encoding", "gzip"), ("content-type", "text/plain"), JSON] {
        let headers = [("authorization", bearer.as_str()), JSON, more];
        assert_eq!(app.post("/mcp", &headers, PING).await.status, 415, "{more:?}");
    }
    let identity = [("authorization", bearer.as_str()), JSON, ("content-encoding", "Identity")];
    assert_eq!(app.post("/mcp", &identity, PING).await.status, 200);
    for (bytes, status) in [(256 * 1024, 200), (256 * 1024 + 1, 413)] {
        let body = format!("{PING}{}", " ".repeat(bytes - PING.len()));
        let reply = app.post("/mcp", &[("authorization", &bearer), JSON], body).await;
        assert_eq!(reply.status, status, "{bytes} bytes");
    }
}

#[tokio::test]
async fn allowed_origins_are_loopback_configured_and_default_hosts() {
    let usual = App::start().await;
    let other = [("PASSBOOK_MCP_ORIGINS", "https://chat.example,https://b.example")];
    let other = App::configured(&other).await;
    let none = App::configured(&[("PASSBOOK_MCP_ORIGINS", "none")]).await;
    // The setting names a public address. The test listens on the loopback address anyway.
    let everywhere = [("PASSBOOK_LISTEN", "0.0.0.0:8080"), ("PASSBOOK_ORIGIN", "https://money.example")];
    let public = App::configured(&everywhere).await;
    for (origin, by_usual, by_other, by_none, by_public) in [
        ("https://claude.ai", true, false, false, true),
        ("https://claude.com", true, false, false, true),
        ("https://chatgpt.com", true, false, false, true),
        ("https://chat.example", false, true, false, false),
        ("https://b.example", false, true, false, false),
        ("http://localhost:6274", true, true, true, false),
        ("http://127.0.0.1:6274", true, true, true, false),
        ("https://evil.example", false, false, false, false),
        ("null", false, false, false, false),
    ] {
        for (app, allowed) in [(&usual, by_usual), (&other, by_other), (&none, by_none), (&public, by_public)]
        {
            let reply = app.post("/mcp", &[("origin", origin), JSON], PING).await;
            // A request with an allowed origin fails on the missing token.
            let expected = if allowed { 401 } else { 403 };
            assert_eq!(reply.status, expected, "{origin}");
            assert!(reply.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
        }
    }
}
