//! HTTP below the protocol: methods, origins, tokens, types, sizes, and the order in which they are looked at.

use hyper::Method;
use tests::app::App;
use tests::database::Database;

use super::app;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn nothing_but_post_is_accepted_and_nothing_else_is_looked_at() {
    let (app, _, _) = app().await;
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

/// A request, and the first rule that it breaks.
struct Row {
    name: &'static str,
    headers: Vec<(&'static str, String)>,
    target: String,
    body: String,
    refused: (u16, &'static str),
}

/// Each row breaks one rule less than the one before, so each shows that its rule is looked at before all that follow.
fn ladder(token: &str) -> Vec<Row> {
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
async fn the_rules_are_looked_at_in_their_order() {
    let (app, _, token) = app().await;
    for row in ladder(&token) {
        let headers: Vec<(&str, &str)> =
            row.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let reply = app.post(&row.target, &headers, row.body).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), row.refused, "{}", row.name);
        assert_eq!(reply.header("cache-control"), "no-store", "{}", row.name);
        assert_eq!(reply.json()["error"]["requestId"], reply.header("x-request-id"), "{}", row.name);
        assert!(!String::from_utf8_lossy(&reply.body).contains(&token), "{}", row.name);
    }
    // What remains when every rule is kept is a message that is none.
    let bearer = format!("Bearer {token}");
    let reply = app.post("/mcp", &[("authorization", &bearer), JSON], "{").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (400, &(-32_700).into()));
}

#[tokio::test]
async fn content_types_and_sizes_are_held_to_exactly() {
    let (app, _, token) = app().await;
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
async fn origins_are_ours_loopback_ones_and_those_of_the_setting() {
    let settings = |origins: &str| tests::app::settings(&[("PASSBOOK_MCP_ORIGINS", origins)]);
    let usual = App::start().await;
    let other =
        App::start_with(Database::fresh().await, settings("https://chat.example,https://b.example")).await;
    let none = App::start_with(Database::fresh().await, settings("none")).await;
    // Told to listen where others can reach it; the test listens on the loopback address all the same.
    let everywhere = [("PASSBOOK_LISTEN", "0.0.0.0:8080"), ("PASSBOOK_ORIGIN", "https://money.example")];
    let public = App::start_with(Database::fresh().await, tests::app::settings(&everywhere)).await;
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
        for (app, heard) in [(&usual, by_usual), (&other, by_other), (&none, by_none), (&public, by_public)] {
            let reply = app.post("/mcp", &[("origin", origin), JSON], PING).await;
            // Who is heard is asked for a token next.
            let expected = if heard { 401 } else { 403 };
            assert_eq!(reply.status, expected, "{origin}");
            assert!(reply.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
        }
    }
}

#[tokio::test]
async fn the_challenge_names_a_document_about_the_tool_endpoint() {
    let (app, _, token) = app().await;
    for (authorization, told) in
        [(None, "Bearer resource_metadata="), (Some("Bearer pbk_no"), "Bearer error=\"invalid_token\"")]
    {
        let mut headers = vec![JSON];
        headers.extend(authorization.map(|value| ("authorization", value)));
        let reply = app.post("/mcp", &headers, PING).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (401, "UNAUTHORIZED"));
        let challenge = reply.header("www-authenticate").to_owned();
        assert!(challenge.starts_with(told), "{challenge}");
        assert!(!challenge.contains("scope="), "{challenge}");
        let named = challenge.split("resource_metadata=\"").nth(1).expect("an address");
        let named = named.trim_end_matches('"').strip_prefix(&app.base_url).expect("one of ours").to_owned();
        assert_eq!(named, "/.well-known/oauth-protected-resource/mcp");
        let document = app.send(Method::GET, &named, &[]).await.ok();
        assert_eq!(document["resource"], format!("{}/mcp", app.base_url));
    }
    // The same token in a query string stands for nothing.
    let reply = app.post(&format!("/mcp?access_token={token}"), &[JSON], PING).await;
    assert_eq!(reply.status, 401);
    let bearer = format!("Bearer {token}");
    for query in ["access_token=x", "access_token", &token, &format!("{token}="), &format!("a&b=c&d={token}")]
    {
        let reply = app.post(&format!("/mcp?{query}"), &[JSON, ("authorization", &bearer)], PING).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_REQUEST"), "{query}");
    }
}
