//! Failures of the database: unavailable, ended sessions, and exceeded time limits.

use std::time::Instant;

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::catalogue::tools;
use tests::http::Reply;
use tests::mcp::{Era, failure};

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, paths, release, until_sessions};

/// Maximum number of requests until the server has reconnected: one for each connection of the pool, and one more.
const REQUESTS_MAX: usize = 9;

/// Checks for status 503 with `Retry-After` and without details.
#[track_caller]
fn assert_unavailable(reply: &Reply, place: &str) {
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (503, "UNAVAILABLE"), "{place}");
    let seconds: u64 = reply.header("retry-after").parse().expect("whole seconds");
    assert!((1..=60).contains(&seconds), "{place}: {seconds}");
    let error = &reply.json()["error"];
    assert_eq!(
        error["message"], "The service cannot reach its data right now: try again shortly.",
        "{place}"
    );
    assert!(error["details"].is_null(), "{place}");
}

/// Requests readiness until it has the given status. A readiness result is cached for a second.
async fn until_readiness(app: &App, status: u16) -> Reply {
    let polling = async {
        loop {
            let reply = app.send(Method::GET, "/ready", &[]).await;
            if reply.status == status {
                return reply;
            }
        }
    };
    tokio::time::timeout(TIMEOUT, polling)
        .await
        .unwrap_or_else(|_| panic!("/ready did not return {status} in time"))
}

/// Checks every operation, tool, an unknown token, readiness and health while the database is unavailable.
async fn assert_all_unavailable(app: &App, token: &str) {
    for path in paths() {
        let started = Instant::now();
        assert_unavailable(&app.get(path, token).await, path);
        assert!(started.elapsed().as_secs() < 10, "{path} must respond within the request limit");
    }
    for (tool, _) in tools() {
        let reply = app.call(Era::Legacy, token, tool, json!({})).await;
        let sentence = failure(&reply);
        let id = reply.header("x-request-id");
        let expected =
            format!("The service cannot reach its data right now: try again shortly. Request id: {id}.");
        assert_eq!((reply.status.as_u16(), sentence), (200, expected), "{tool}");
    }
    let discovery = app.rpc(Era::Modern, token, "server/discover", json!({})).await;
    assert_unavailable(&discovery, "server/discover");
    let stranger = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
    assert_unavailable(&app.get("/v1/me", stranger.reveal()).await, "a token that is not cached");
    let ready = until_readiness(app, 503).await;
    assert_eq!(ready.json()["status"], "not_ready");
    assert_eq!(ready.json()["checks"][1]["name"], "database");
    assert_eq!(ready.json()["checks"][1]["ok"], false);
    assert!(!ready.header("retry-after").is_empty());
    app.send(Method::GET, "/health", &[]).await.ok();
    app.send(Method::GET, "/openapi.json", &[]).await.ok();
}

#[tokio::test]
async fn lost_database_gives_503_until_it_is_back() {
    let (app, token) = app(&[]).await;
    for path in paths() {
        app.get(path, &token).await.ok();
    }
    for round in 1..=2 {
        app.database.rename_away(true).await;
        assert_all_unavailable(&app, &token).await;
        app.database.rename_away(false).await;
        let mut requests = 1;
        while app.get("/v1/transactions", &token).await.status != 200 {
            requests += 1;
            assert!(requests <= REQUESTS_MAX, "round {round}: the server must reconnect to the database");
        }
        for path in paths() {
            app.get(path, &token).await.ok();
        }
        assert_eq!(until_readiness(&app, 200).await.json()["status"], "ready");
    }
}

#[tokio::test]
async fn session_terminated_during_a_request_gives_503() {
    let (app, token) = app(&[]).await;
    let lock = lock_transactions(&app.database).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
               where datname = current_database() and application_name = 'passbook-server'";
    let ending = async {
        until_sessions(&app.database, WAITING, 1).await;
        lock.batch_execute(end).await.expect("a superuser can end the sessions");
    };
    let (reply, ()) = tokio::join!(app.get("/v1/transactions", &token), ending);
    assert_unavailable(&reply, "request in progress");
    release(&lock).await;
    app.get("/v1/transactions", &token).await.ok();
}

/// Name of a limit, limits of the reader role, settings of the server, and the expected response.
type Limit = (
    &'static str,
    [(&'static str, &'static str); 2],
    &'static [(&'static str, &'static str)],
    (u16, &'static str),
);

const LIMITS: [Limit; 3] = [
    ("a statement's time", [("statement_timeout", "200ms"), ("lock_timeout", "1min")], &[], (504, "TIMEOUT")),
    ("a lock's time", [("statement_timeout", "1min"), ("lock_timeout", "200ms")], &[], (503, "UNAVAILABLE")),
    (
        "a request's time",
        [("statement_timeout", "1min"), ("lock_timeout", "1min")],
        &[("PASSBOOK_REQUEST_SECONDS", "1")],
        (504, "TIMEOUT"),
    ),
];

#[tokio::test]
async fn timeout_gives_504_and_lock_timeout_gives_503() {
    for (name, limits, environment, expected) in LIMITS {
        let (app, token) = app(environment).await;
        limit_reader(&app.database, &limits).await;
        let lock = lock_transactions(&app.database).await;
        for path in ["/v1/transactions", "/v1/cashflow/summary", "/v1/spending/summary?timeRange=1m"] {
            let reply = app.get(path, &token).await;
            let place = format!("{name}: {path}");
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), expected, "{place}");
            match expected.0 {
                503 => assert_unavailable(&reply, &place),
                _ => assert_eq!(reply.header("retry-after"), "", "{place}"),
            }
        }
        release(&lock).await;
        app.get("/v1/transactions", &token).await.ok();
    }
}
