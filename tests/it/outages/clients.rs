//! Clients that hang up, and the end of the service while it answers.

use std::cell::Cell;
use std::time::{Duration, Instant};

use hyper::Method;
use tests::app::App;
use tests::http::Http;
use tests::mcp::{Era, failure, payload};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, release, until_sessions};

/// The server's address, without scheme and path.
fn authority(app: &App) -> String {
    let address = app.base_url.trim_start_matches("http://");
    address.split('/').next().expect("an authority").to_owned()
}

/// Sends a request and does not wait for the answer.
pub(crate) async fn ask(app: &App, path: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(authority(app)).await.expect("the server listens");
    let head = format!("GET /api{path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.expect("the server reads");
    stream
}

#[tokio::test]
async fn a_client_that_hangs_up_leaves_no_open_transaction() {
    let (app, token) = app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1")]).await;
    // So that the database does not tidy up by itself.
    let limits = [
        ("idle_in_transaction_session_timeout", "0"),
        ("statement_timeout", "1min"),
        ("lock_timeout", "1min"),
    ];
    limit_reader(&app.database, &limits).await;
    // While its statements wait in the database.
    let lock = lock_transactions(&app.database).await;
    let waiting = ask(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    release(&lock).await;
    until_sessions(&app.database, "state <> 'idle'", 0).await;
    app.get("/v1/transactions", &token).await.ok();
    // At any other moment: a request takes a few milliseconds.
    for moment in 0..150 {
        let stream = ask(&app, "/v1/spending/summary?timeRange=1y", &token).await;
        let asked = Instant::now();
        while asked.elapsed() < Duration::from_micros(20 * moment) {
            tokio::task::yield_now().await;
        }
        drop(stream);
        until_sessions(&app.database, "state <> 'idle'", 0).await;
    }
    app.get("/v1/transactions", &token).await.ok();
    until_sessions(&app.database, "state = 'idle'", 1).await;
}

/// Calls a tool and does not wait for the answer.
async fn call(app: &App, tool: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(authority(app)).await.expect("the server listens");
    let params = serde_json::json!({ "name": tool, "arguments": {} });
    let body = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let body = body.to_string();
    let request = format!(
        "POST /api/mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("the server reads");
    stream
}

#[tokio::test]
async fn a_caller_of_a_tool_who_hangs_up_or_waits_too_long_frees_the_connection() {
    let (app, token) =
        app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let lock = lock_transactions(&app.database).await;
    let waiting = call(&app, "search_transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    until_sessions(&app.database, WAITING, 0).await;
    // A call that is cut off by its own limit, and not by the database's, is answered in words.
    let late = app.call(Era::Legacy, &token, "search_transactions", serde_json::json!({}));
    let late = tokio::time::timeout(TIMEOUT, late).await.expect("its own limit ends it");
    assert_eq!(late.status, 200);
    let sentence = failure(&late);
    assert!(sentence.starts_with("The answer took too long"), "{sentence}");
    assert!(sentence.contains(late.header("x-request-id")), "{sentence}");
    until_sessions(&app.database, WAITING, 0).await;
    // The only place in the pool is free, while the lock is still held.
    payload(&app.call(Era::Modern, &token, "get_preferences", serde_json::json!({})).await);
    release(&lock).await;
    payload(&app.call(Era::Modern, &token, "search_transactions", serde_json::json!({})).await);
}

#[tokio::test]
async fn a_statement_that_nobody_waits_for_is_cancelled_and_holds_up_no_one() {
    let (app, token) =
        app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    // A client that hangs up.
    let waiting = ask(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    until_sessions(&app.database, WAITING, 0).await;
    // A request that is cut off by its own limit, and not by the database's.
    let late = tokio::time::timeout(TIMEOUT, app.get("/v1/transactions", &token)).await;
    let late = late.expect("its own limit ends it");
    assert_eq!((late.status.as_u16(), late.code().as_str()), (504, "TIMEOUT"));
    until_sessions(&app.database, WAITING, 0).await;
    // The only place in the pool is free, while the lock is still held.
    app.get("/v1/me", &token).await.ok();
}

/// Waits until nobody listens at an address.
async fn until_closed(authority: &str) {
    let refused = async { while TcpStream::connect(authority).await.is_ok() {} };
    tokio::time::timeout(TIMEOUT, refused).await.expect("the port is closed");
}

#[tokio::test]
async fn a_request_under_way_at_the_end_is_answered() {
    let (app, token) = app(&[]).await;
    let (address, url) = (authority(&app), format!("{}/v1/transactions", app.base_url));
    let idle = ask(&app, "/health", "none").await;
    let database = app.database.clone();
    let lock = lock_transactions(&database).await;
    let (http, bearer) = (Http::default(), format!("Bearer {token}"));
    let headers = [("authorization", bearer.as_str())];
    let released = Cell::new(false);
    let ending = async {
        until_sessions(&database, WAITING, 1).await;
        let stopping = async {
            app.stop().await;
            assert!(released.get(), "the service waits for the request under way");
        };
        let releasing = async {
            until_closed(&address).await;
            // A service that does not wait is gone by the time the database has answered this.
            until_sessions(&database, WAITING, 1).await;
            released.set(true);
            release(&lock).await;
        };
        tokio::join!(stopping, releasing);
    };
    let answered = async { tokio::join!(http.send(Method::GET, &url, &headers), ending).0 };
    let reply =
        tokio::time::timeout(TIMEOUT, answered).await.expect("the service ends within its drain limit");
    assert_eq!(reply.ok()["transactions"][0]["amount_cents"], 120_000);
    until_closed(&address).await;
    // A connection that was kept open without a request is closed in order.
    let mut idle = idle;
    let mut said = Vec::new();
    idle.read_to_end(&mut said).await.expect("the end of the connection");
    assert!(said.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&said));
}

#[tokio::test]
async fn a_request_that_outlasts_the_drain_is_not_waited_for() {
    let (app, token) = app(&[("PASSBOOK_DRAIN_SECONDS", "1"), ("PASSBOOK_REQUEST_SECONDS", "600")]).await;
    limit_reader(&app.database, &[("statement_timeout", "10min"), ("lock_timeout", "10min")]).await;
    let database = app.database.clone();
    let _lock = lock_transactions(&database).await;
    let _asked = ask(&app, "/v1/transactions", &token).await;
    until_sessions(&database, WAITING, 1).await;
    // The lock is held until after the end, so only the limit can have ended it.
    let asked = tokio::time::Instant::now();
    tokio::time::timeout(TIMEOUT, app.stop()).await.expect("the limit ends it");
    assert!(asked.elapsed() >= Duration::from_secs(1), "requests under way get their time");
    until_sessions(&database, WAITING, 1).await;
}
