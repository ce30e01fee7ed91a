//! Rate limits over REST and tools. `crates/web/src/rate_limit/tests.rs` covers the exact boundaries. Here the limits
//! are so low that no request is regained while a test runs.

use serde_json::json;
use tests::app::App;
use tests::http::Reply;
use tests::mcp::Era;
use uuid::Uuid;

/// The headers about rate limits.
const HEADERS: [&str; 5] =
    ["ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/// Starts an application with rate limits and two people.
async fn app(user: &str, client: &str) -> (App, [Uuid; 2]) {
    let limits = [("PASSBOOK_RATE_LIMIT_USER", user), ("PASSBOOK_RATE_LIMIT_CLIENT", client)];
    let app = App::configured(&limits).await;
    let people = [app.add_person().await.0.user.user_id, app.add_person().await.0.user.user_id];
    (app, people)
}

fn limit_headers(reply: &Reply) -> [&str; 5] {
    HEADERS.map(|name| reply.header(name))
}

#[track_caller]
fn assert_rate_limited(reply: &Reply, seconds_max: u64) {
    reply.assert_error(429, "RATE_LIMITED", format_args!("{:?}", reply.body));
    let seconds: u64 = reply.header("retry-after").parse().expect("whole seconds");
    assert!((1..=seconds_max).contains(&seconds), "{seconds}");
    assert_eq!(reply.json()["error"]["details"], json!({ "retryAfterSeconds": seconds }));
    assert_eq!(reply.header("x-ratelimit-remaining"), "0");
    assert_eq!(reply.header("x-ratelimit-reset"), seconds.to_string());
}

#[tokio::test]
async fn authenticated_responses_have_rate_limit_headers_with_the_defaults() {
    let defaults = ["PASSBOOK_RATE_LIMIT_USER", "PASSBOOK_RATE_LIMIT_CLIENT"].map(|name| {
        let setting = passbook_server::settings::SETTINGS.iter().find(|setting| setting.name == name);
        setting.expect("the setting exists").default
    });
    let (app, [anna, _]) = app(defaults[0], defaults[1]).await;
    let policy = r#""user";q=300;w=60, "client";q=120;w=60"#;
    let [one, two, three] = [app.token(anna).await, app.token(anna).await, app.token(anna).await];
    let reply = app.get("/v1/me", &one).await;
    reply.ok();
    let left = r#""user";r=59;t=1, "client";r=39;t=1"#;
    assert_eq!(limit_headers(&reply), [policy, left, "120", "39", "1"]);
    let reply = app.get("/v1/me?no=1", &two).await;
    assert_eq!((reply.code().as_str(), reply.header("ratelimit-policy")), ("INVALID_REQUEST", policy));
    let reply = app.rpc(Era::Legacy, &three, "ping", json!({})).await;
    assert_eq!((reply.status.as_u16(), reply.header("ratelimit-policy")), (200, policy));
    for reply in [app.get("/v1/me", "pbk_unknown").await, app.get("/health", &one).await] {
        assert_eq!(limit_headers(&reply), [""; 5], "{}", reply.status);
    }
}

#[tokio::test]
async fn each_client_has_its_own_burst_and_clients_share_the_limit_of_their_user() {
    // A client has a burst of 1 and regains it in 20 seconds. A user has a burst of 2 and regains one in 6 seconds.
    let (app, [anna, berta]) = app("10", "3").await;
    let [first, second, third] = [app.token(anna).await, app.token(anna).await, app.token(anna).await];
    let others = app.token(berta).await;
    app.get("/v1/me", &first).await.ok();
    // Both surfaces share the limit, which is checked before parameters and content type.
    let reply = app.rpc(Era::Modern, &first, "server/discover", json!({})).await;
    assert_rate_limited(&reply, 20);
    assert!(reply.header("ratelimit").starts_with(r#""client";r=0;t="#), "{reply:?}");
    assert_rate_limited(&app.get("/v1/me?no=1", &first).await, 20);
    let bearer = format!("Bearer {first}");
    assert_rate_limited(&app.post("/mcp", &[("authorization", &bearer)], "{").await, 20);
    // A rejected request of one client is not charged to another.
    app.rpc(Era::Legacy, &second, "ping", json!({})).await.ok();
    let reply = app.get("/v1/me", &third).await;
    reply.assert_error(429, "RATE_LIMITED", "");
    assert!(reply.header("ratelimit").starts_with(r#""user";r=0;t="#), "{reply:?}");
    // The client's own limit applies too, so the wait is the longer of the two.
    assert_eq!(reply.header("retry-after"), "20");
    app.get("/v1/me", &others).await.ok();
}

#[tokio::test]
async fn rate_limited_request_uses_no_database_connection() {
    // The burst of a client is 2, one of which is regained in 10 seconds.
    let (app, [anna, berta]) = app("0", "6").await;
    let [often, once] = [app.token(anna).await, app.token(berta).await];
    for token in [&often, &often, &once] {
        app.get("/v1/me", token).await.ok();
    }
    app.database.rename_away(true).await;
    assert_rate_limited(&app.get("/v1/me", &often).await, 10);
    assert_rate_limited(&app.rpc(Era::Legacy, &often, "tools/list", json!({})).await, 10);
    let reply = app.get("/v1/me", &once).await;
    assert_eq!(reply.code(), "UNAVAILABLE");
    assert_eq!(reply.header("ratelimit"), r#""client";r=0;t=10"#);
    app.database.rename_away(false).await;
}
