//! Rate limits as callers meet them, over REST and over tools. The exact boundaries are `crates/web/src/rate_limit/tests.rs`:
//! here limits are so low that none of a burst comes back while a test runs.

use hyper::Method;
use serde_json::json;
use server::settings::Settings;
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::household::Household;
use tests::http::Reply;
use tests::mcp::Era;
use uuid::Uuid;

/// What answers say of the limits.
const HEADERS: [&str; 5] =
    ["ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/// An application with rate limits, and two people.
async fn app(user: &str, client: &str) -> (App, [Uuid; 2]) {
    let limits = [("PASSBOOK_RATE_LIMIT_USER", user), ("PASSBOOK_RATE_LIMIT_CLIENT", client)];
    let settings = Settings { today: Some(TODAY), ..settings(&limits) };
    let app = App::start_with(Database::fresh().await, settings).await;
    let people = [Household::new(), Household::new()];
    for person in &people {
        app.load(person.records()).await;
    }
    (app, people.map(|person| person.user.user_id))
}

fn told(reply: &Reply) -> [&str; 5] {
    HEADERS.map(|name| reply.header(name))
}

#[track_caller]
fn assert_refused(reply: &Reply, seconds_max: u64) {
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (429, "RATE_LIMITED"), "{:?}", reply.body);
    let seconds: u64 = reply.header("retry-after").parse().expect("whole seconds");
    assert!((1..=seconds_max).contains(&seconds), "{seconds}");
    assert_eq!(reply.json()["error"]["details"], json!({ "retryAfterSeconds": seconds }));
    assert_eq!(reply.header("x-ratelimit-remaining"), "0");
    assert_eq!(reply.header("x-ratelimit-reset"), seconds.to_string());
}

#[tokio::test]
async fn the_defaults_are_told_with_every_answer_to_a_known_caller() {
    let defaults = ["PASSBOOK_RATE_LIMIT_USER", "PASSBOOK_RATE_LIMIT_CLIENT"].map(|name| {
        let setting = server::settings::SETTINGS.iter().find(|setting| setting.name == name);
        setting.expect("it is a setting").default
    });
    let (app, [anna, _]) = app(defaults[0], defaults[1]).await;
    let policy = r#""user";q=300;w=60, "client";q=120;w=60"#;
    let [one, two, three] = [app.token(anna).await, app.token(anna).await, app.token(anna).await];
    let reply = app.get("/v1/me", &one).await;
    reply.ok();
    let left = r#""user";r=59;t=1, "client";r=39;t=1"#;
    assert_eq!(told(&reply), [policy, left, "120", "39", "1"]);
    let reply = app.get("/v1/me?no=1", &two).await;
    assert_eq!((reply.code().as_str(), reply.header("ratelimit-policy")), ("INVALID_REQUEST", policy));
    let reply = app.rpc(Era::Legacy, &three, "ping", json!({})).await;
    assert_eq!((reply.status.as_u16(), reply.header("ratelimit-policy")), (200, policy));
    for reply in [app.get("/v1/me", "pbk_unknown").await, app.get("/health", &one).await] {
        assert_eq!(told(&reply), [""; 5], "{}", reply.status);
    }
}

#[tokio::test]
async fn each_client_has_a_burst_of_its_own_and_all_share_their_users() {
    // A client's burst is 1, which comes back in 20 seconds; a user's is 2, one of which comes back in 6.
    let (app, [anna, berta]) = app("10", "3").await;
    let [first, second, third] = [app.token(anna).await, app.token(anna).await, app.token(anna).await];
    let others = app.token(berta).await;
    app.get("/v1/me", &first).await.ok();
    // Both surfaces count together, and the limit comes before the parameters and the content type.
    let refused = app.rpc(Era::Modern, &first, "server/discover", json!({})).await;
    assert_refused(&refused, 20);
    assert!(refused.header("ratelimit").starts_with(r#""client";r=0;t="#), "{refused:?}");
    assert_refused(&app.get("/v1/me?no=1", &first).await, 20);
    let bearer = format!("Bearer {first}");
    assert_refused(&app.post("/mcp", &[("authorization", &bearer)], "{").await, 20);
    // What one client was refused is not taken from another.
    app.rpc(Era::Legacy, &second, "ping", json!({})).await.ok();
    let refused = app.send(Method::GET, "/v1/me", &[("authorization", &format!("Bearer {third}"))]).await;
    // It has to wait for its own next request, too.
    assert_refused_by_user(&refused);
    app.get("/v1/me", &others).await.ok();
}

#[track_caller]
fn assert_refused_by_user(reply: &Reply) {
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (429, "RATE_LIMITED"));
    assert!(reply.header("ratelimit").starts_with(r#""user";r=0;t="#), "{reply:?}");
    assert_eq!(reply.header("retry-after"), "20");
}

#[tokio::test]
async fn a_refused_request_takes_no_connection_to_the_database() {
    // A client's burst is 2, one of which comes back in 10 seconds.
    let (app, [anna, berta]) = app("0", "6").await;
    let [often, once] = [app.token(anna).await, app.token(berta).await];
    for token in [&often, &often, &once] {
        app.get("/v1/me", token).await.ok();
    }
    app.database.rename_away(true).await;
    assert_refused(&app.get("/v1/me", &often).await, 10);
    assert_refused(&app.rpc(Era::Legacy, &often, "tools/list", json!({})).await, 10);
    let reply = app.get("/v1/me", &once).await;
    assert_eq!(reply.code(), "UNAVAILABLE");
    assert_eq!(reply.header("ratelimit"), r#""client";r=0;t=10"#);
    app.database.rename_away(false).await;
}
