//! The database goes away, ends a session, or takes too long.

use std::time::Instant;

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::catalogue::tools;
use tests::http::Reply;
use tests::mcp::{Era, failure};

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, paths, release, until_sessions};

/// Requests until the service must have found the database again: one for each connection it may hold, and one.
const REQUESTS_MAX: usize = 9;

/// A 503 with a time to come back, and nothing of the inside.
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

/// Asks for readiness until it has a status: an answer is given again for a second.
async fn until_readiness(app: &App, status: u16) -> Reply {
    let asking = async {
        loop {
            let reply = app.send(Method::GET, "/ready", &[]).await;
            if reply.status == status {
                return reply;
            }
        }
    };
    tokio::time::timeout(TIMEOUT, asking).await.unwrap_or_else(|_| panic!("/ready never answers {status}"))
}

/// Every operation, a token that was never seen, readiness and health while the database is gone.
async fn assert_lost(app: &App, token: &str) {
    for path in paths() {
        let asked = Instant::now();
        assert_unavailable(&app.get(path, token).await, path);
        assert!(asked.elapsed().as_secs() < 10, "{path}: within the time a request may take");
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
    let stranger = auth::personal_access_token::PlainToken::generate("pbk_");
    assert_unavailable(&app.get("/v1/me", stranger.reveal()).await, "a token that was never seen");
    let ready = until_readiness(app, 503).await;
    assert_eq!(ready.json()["status"], "not_ready");
    assert_eq!(ready.json()["checks"][1]["name"], "database");
    assert_eq!(ready.json()["checks"][1]["ok"], false);
    assert!(!ready.header("retry-after").is_empty());
    app.send(Method::GET, "/health", &[]).await.ok();
    app.send(Method::GET, "/openapi.json", &[]).await.ok();
}

#[tokio::test]
async fn a_lost_database_is_503_until_it_is_back() {
    let (app, token) = app(&[]).await;
    for path in paths() {
        app.get(path, &token).await.ok();
    }
    for round in 1..=2 {
        app.database.rename_away(true).await;
        assert_lost(&app, &token).await;
        app.database.rename_away(false).await;
        let mut requests = 1;
        while app.get("/v1/transactions", &token).await.status != 200 {
            requests += 1;
            assert!(requests <= REQUESTS_MAX, "round {round}: the database is back and is not found");
        }
        for path in paths() {
            app.get(path, &token).await.ok();
        }
        assert_eq!(until_readiness(&app, 200).await.json()["status"], "ready");
    }
}

#[tokio::test]
async fn a_session_that_is_ended_under_a_request_is_503() {
    let (app, token) = app(&[]).await;
    let lock = lock_transactions(&app.database).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
               where datname = current_database() and application_name = 'passbook-server'";
    let ending = async {
        until_sessions(&app.database, WAITING, 1).await;
        lock.batch_execute(end).await.expect("a superuser may");
    };
    let (reply, ()) = tokio::join!(app.get("/v1/transactions", &token), ending);
    assert_unavailable(&reply, "under way");
    release(&lock).await;
    app.get("/v1/transactions", &token).await.ok();
}

/// A limit that ends a request: its name, the reader's limits, the server's settings, the answer.
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
async fn what_takes_too_long_is_504_and_what_is_locked_is_503() {
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
