//! Rules of HTTP and of the protocol in both eras: status, error code and identifier of the response to each message.

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::http::Reply;
use tests::mcp::{Era, result};

async fn send(app: &App, token: &str, headers: &[(&str, &str)], body: &str) -> Reply {
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

fn legacy(method: &str, params: &str) -> String {
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

#[tokio::test]
async fn request_identifier_is_echoed_byte_for_byte() {
    let (app, _, token) = App::with_household().await;
    for id in ["9007199254740993", "-0", "123456789012345678901234567890", r#""\u0061\/é""#, r#""""#] {
        for method in ["ping", "tools/list", "nothing"] {
            let body = format!(r#"{{"method":"{method}","id":{id},"jsonrpc":"2.0"}}"#);
            let reply = send(&app, &token, &[], &body).await;
            let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"#);
            assert!(reply.body.starts_with(start.as_bytes()), "{id}: {:?}", &reply.body[..60]);
        }
    }
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

/// A request, and the error response for the first rule that it breaks.
struct Row {
    name: &'static str,
    headers: Vec<(&'static str, String)>,
    target: String,
    body: String,
    refused: (u16, &'static str),
}

/// Each row breaks one rule fewer than the previous row. The expected error thereby proves the order of the checks.
fn requests_by_first_fault(token: &str) -> Vec<Row> {
    let bearer = ("authorization", format!("Bearer {token}"));
    let origin = ("origin", "https://evil.example".to_owned());
    let accept = ("accept", "text/event-stream".to_owned());
    let long = format!("/mcp?{}", "a".repeat(8 * 1024));
    let with_token = format!("/mcp?x={token}");
    let large = format!("{{{}", " ".repeat(256 * 1024));
    let row = |name, headers: &[&(&'static str, String)], target: &str, refused| Row {
        name,
        headers: headers.iter().map(|header| (*header).clone()).collect(),
        target: target.to_owned(),
        body: large.clone(),
        refused,
    };
    let json = (JSON.0, JSON.1.to_owned());
    vec![
        row("an origin", &[&origin, &accept], &long, (403, "FORBIDDEN")),
        row("the head", &[&accept], &long, (414, "URI_TOO_LONG")),
        row("the token", &[&accept], &with_token, (401, "UNAUTHORIZED")),
        row("a token in the query", &[&bearer, &accept], &with_token, (400, "INVALID_REQUEST")),
        row("the content type", &[&bearer, &accept], "/mcp?x=y", (415, "UNSUPPORTED_MEDIA_TYPE")),
        row("the accepted type", &[&bearer, &accept, &json], "/mcp", (406, "NOT_ACCEPTABLE")),
        row("the size", &[&bearer, &json], "/mcp", (413, "PAYLOAD_TOO_LARGE")),
    ]
}

#[tokio::test]
async fn http_rules_are_checked_in_order() {
    let (app, _, token) = App::with_household().await;
    for row in requests_by_first_fault(&token) {
        let headers: Vec<(&str, &str)> =
            row.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let reply = app.post(&row.target, &headers, row.body).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), row.refused, "{}", row.name);
        assert_eq!(reply.header("cache-control"), "no-store", "{}", row.name);
        assert_eq!(reply.json()["error"]["requestId"], reply.header("x-request-id"), "{}", row.name);
        assert!(!String::from_utf8_lossy(&reply.body).contains(&token), "{}", row.name);
    }
    // The last request satisfies every HTTP rule, but its body is not a JSON-RPC message.
    let bearer = format!("Bearer {token}");
    let reply = app.post("/mcp", &[("authorization", &bearer), JSON], "{").await;
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

#[tokio::test]
async fn challenge_names_the_protected_resource_metadata_of_the_tool_server() {
    let (app, _, token) = App::with_household().await;
    for (authorization, expected) in
        [(None, "Bearer resource_metadata="), (Some("Bearer pbk_no"), "Bearer error=\"invalid_token\"")]
    {
        let mut headers = vec![JSON];
        headers.extend(authorization.map(|value| ("authorization", value)));
        let reply = app.post("/mcp", &headers, PING).await;
        reply.assert_error(401, "UNAUTHORIZED", "");
        let challenge = reply.header("www-authenticate").to_owned();
        assert!(challenge.starts_with(expected), "{challenge}");
        assert!(!challenge.contains("scope="), "{challenge}");
        let named = challenge.split("resource_metadata=\"").nth(1).expect("the challenge names a document");
        let named = named
            .trim_end_matches('"')
            .strip_prefix(&app.base_url)
            .expect("the document is below the base address")
            .to_owned();
        assert_eq!(named, "/.well-known/oauth-protected-resource/mcp");
        let document = app.send(Method::GET, &named, &[]).await.ok();
        assert_eq!(document["resource"], format!("{}/mcp", app.base_url));
    }
    // A token in the query string does not authenticate.
    let reply = app.post(&format!("/mcp?access_token={token}"), &[JSON], PING).await;
    assert_eq!(reply.status, 401);
    let bearer = format!("Bearer {token}");
    for query in ["access_token=x", "access_token", &token, &format!("{token}="), &format!("a&b=c&d={token}")]
    {
        let reply = app.post(&format!("/mcp?{query}"), &[JSON, ("authorization", &bearer)], PING).await;
        reply.assert_error(400, "INVALID_REQUEST", query);
    }
}
