//! Personal access tokens: owner, capabilities, revocation on the next request, tokens in the query string, and floods of
//! unseen tokens. `crates/auth` covers the exact boundaries of the limit.

use hyper::Method;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::Scope;
use serde_json::json;
use tests::app::App;
use tests::catalogue::listed;
use tests::http::{Http, Reply};
use tests::mcp::{Era, failure, payload};

use crate::rest::response_headers::{PUBLIC, app};

#[tokio::test]
async fn token_shows_its_own_user_and_its_surfaces() {
    let app = App::start().await;
    for mcp in [true, false] {
        let (household, _) = app.add_person().await;
        let (token, _) = app.token_with(household.user.user_id, Scope::ALL, true, mcp).await;
        let me = app.get("/v1/me", &token).await.ok();
        assert_eq!(me["id"], household.user.user_id.to_string());
        assert_eq!(me["email"], household.user.email);
        assert_eq!(me["capabilities"], json!({ "readonly": true, "rest": true, "mcp": mcp }));
    }
}

/// Changes of a stored token, and the statuses of a request and of a tool call after it.
const CHANGES: [(&str, u16, u16); 7] = [
    ("update passbook.personal_access_tokens set revoked_at = now()", 401, 401),
    (
        "update passbook.personal_access_tokens set created_at = now() - interval '2 days', \
         expires_at = now() - interval '1 second'",
        401,
        401,
    ),
    ("delete from passbook.personal_access_tokens", 401, 401),
    (
        "delete from passbook.users where user_id = (select user_id from passbook.personal_access_tokens \
         where token_id = 'ID'); update passbook.personal_access_tokens set name = name",
        401,
        401,
    ),
    ("update passbook.personal_access_tokens set scopes = '{preferences:read}'", 403, 200),
    ("update passbook.personal_access_tokens set rest = false", 403, 200),
    ("update passbook.personal_access_tokens set mcp = false", 200, 403),
];

#[tokio::test]
async fn revoked_expired_or_reduced_token_is_refused_on_the_next_request() {
    let app = App::start().await;
    for (change, rest, tool) in CHANGES {
        let (household, _) = app.add_person().await;
        let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
        let tool_call = || app.call(Era::Legacy, &token, "get_cashflow_summary", json!({}));
        // The server caches the owner of the token from here on. It must not cache the token's rights.
        app.get("/v1/cashflow/summary", &token).await.ok();
        payload(&tool_call().await);
        let id = id.to_string();
        app.write(&format!("{} where token_id = '{id}'", change.replace("ID", &id))).await;
        assert_eq!(app.get("/v1/cashflow/summary", &token).await.status.as_u16(), rest, "{change}");
        let called = tool_call().await;
        assert_eq!(called.status.as_u16(), tool, "{change}");
        if rest == 403 && change.contains("scopes") {
            assert!(failure(&called).contains("cashflow:read"), "{change}");
        }
    }
}

#[tokio::test]
async fn authorization_scheme_is_case_insensitive() {
    let (app, _, token) = App::with_household().await;
    for header in [format!("Bearer {token}"), format!("bearer {token}"), format!("BEARER {token}")] {
        app.send(Method::GET, "/v1/me", &[("authorization", &header)]).await.ok();
    }
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored() {
    let (app, _, token) = App::with_household().await;
    let writer = app.database.connect("passbook_writer").await;
    let row = writer
        .query_one("select row_to_json(t)::text, encode(token_hash, 'hex') from passbook.personal_access_tokens as t", &[])
        .await
        .expect("one token");
    let (stored, hash): (String, String) = (row.get(0), row.get(1));
    assert!(!stored.contains(&token[4..20]));
    let expected: String = {
        use sha2::Digest as _;
        sha2::Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    assert_eq!(hash, expected);
}

#[track_caller]
fn assert_rejected(reply: &Reply, status: u16, token: &str, target: &str) {
    assert_eq!(reply.status.as_u16(), status, "{target}: {:?}", reply.body);
    assert_eq!(reply.header("location"), "", "{target}");
    let headers = reply.headers.values().map(|value| value.to_str().expect("a header is text"));
    let text = String::from_utf8_lossy(&reply.body).into_owned() + &headers.collect::<String>();
    assert!(!text.contains(token), "{target}: {text}");
}

#[tokio::test]
async fn token_in_the_query_string_of_any_route_is_rejected() {
    let (app, _provider, token) = app().await;
    let origin = app.origin().to_owned();
    let signed = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln";
    let http = Http::default();
    let bearer = format!("Bearer {token}");
    let bearer = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let data: Vec<String> = listed().iter().map(|operation| format!("/api{}", operation.spec.path)).collect();
    for (secret, query) in [
        (token.as_str(), format!("access_token={token}")),
        (&token, format!("access%5Ftoken={token}")),
        (&token, format!("q=Bearer%20{token}")),
        (&token, format!("{token}=1")),
        (&token, format!("timeRange={token}&cursor={token}")),
        (&token, format!("client_id=a&x={token}&scope=openid")),
        (signed, format!("token={signed}")),
    ] {
        let url = |path: &str| format!("{origin}{path}?{query}");
        for path in PUBLIC {
            assert_rejected(&http.send(Method::GET, &url(path), &[]).await, 400, secret, path);
        }
        for path in &data {
            assert_rejected(&http.send(Method::GET, &url(path), &bearer).await, 400, secret, path);
            assert_rejected(&http.send(Method::GET, &url(path), &[]).await, 401, secret, path);
        }
        let tools = url("/api/mcp");
        assert_rejected(&http.send(Method::POST, &tools, &bearer).await, 400, secret, "tools");
        assert_rejected(&http.send(Method::POST, &tools, &[]).await, 401, secret, "tools");
    }
}

async fn get(app: &App, token: &str, client: &str) -> Reply {
    let headers = [("authorization", &*format!("Bearer {token}")), ("x-forwarded-for", client)];
    app.send(Method::GET, "/v1/me", &headers).await
}

/// Sends unknown tokens until one is not checked any more.
async fn exhaust(app: &App, client: &str) -> Reply {
    for _ in 0..10_000 {
        let reply = get(app, PlainToken::generate("pbk_").reveal(), client).await;
        if reply.status != 401 {
            return reply;
        }
    }
    panic!("every unknown token was checked");
}

#[tokio::test]
async fn flood_of_unknown_tokens_is_limited_and_other_clients_are_not() {
    let app = App::configured(&[("PASSBOOK_TRUSTED_PROXIES", "127.0.0.1")]).await;
    let (household, seen) = app.add_person().await;
    let unseen = app.token(household.user.user_id).await;
    get(&app, &seen, "192.0.2.1").await.ok();
    let limited = exhaust(&app, "192.0.2.1").await;
    limited.assert_error(429, "RATE_LIMITED", "");
    assert_eq!(limited.header("retry-after"), "1");
    assert_eq!(limited.header("www-authenticate"), "");
    // The same address goes on with a token that was seen, and another address with one that was not.
    get(&app, &seen, "192.0.2.1").await.ok();
    get(&app, &unseen, "192.0.2.2").await.ok();
}
