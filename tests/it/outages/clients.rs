//! Clients that disconnect, and shutdown with requests in progress.

use std::cell::Cell;
use std::time::{Duration, Instant};

use hyper::Method;
use tests::app::App;
use tests::http::Http;
use tests::mcp::{Era, failure, payload};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, release, until_sessions};

/// Host and port of the server.
fn authority(app: &App) -> String {
    let address = app.base_url.trim_start_matches("http://");
    address.split('/').next().expect("an authority").to_owned()
}

/// Sends a request without waiting for the response.
pub(crate) async fn send_without_waiting(app: &App, path: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(authority(app)).await.expect("the server listens");
    let head = format!("GET /api{path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.expect("the server reads");
    stream
}

/// Ends the connection at once, so that the server drops the request. After the end of a stream alone, the server would still
/// finish a short request.
fn reset(stream: TcpStream) {
    stream.set_zero_linger().expect("the connection is open");
    drop(stream);
}

#[tokio::test]
async fn disconnected_client_leaves_no_open_transaction() {
    let (app, token) = app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1")]).await;
    // Switch off the limits by which PostgreSQL itself would end the transaction.
    let limits = [
        ("idle_in_transaction_session_timeout", "0"),
        ("statement_timeout", "1min"),
        ("lock_timeout", "1min"),
    ];
    limit_reader(&app.database, &limits).await;
    // Disconnect while the statement waits in the database.
    let lock = lock_transactions(&app.database).await;
    let waiting = send_without_waiting(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    release(&lock).await;
    until_sessions(&app.database, "state <> 'idle'", 0).await;
    app.get("/v1/transactions", &token).await.ok();
    // Disconnect at other moments of a request, which takes a few milliseconds.
    for moment in 0..150 {
        let stream = send_without_waiting(&app, "/v1/spending/summary?timeRange=1y", &token).await;
        let started = Instant::now();
        while started.elapsed() < Duration::from_micros(20 * moment) {
            tokio::task::yield_now().await;
        }
        reset(stream);
        until_sessions(&app.database, "state <> 'idle'", 0).await;
    }
    app.get("/v1/transactions", &token).await.ok();
    until_sessions(&app.database, "state = 'idle'", 1).await;
}

/// Calls a tool without waiting for the response.
async fn call_without_waiting(app: &App, tool: &str, token: &str) -> TcpStream {
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
async fn disconnected_or_timed_out_tool_call_frees_its_database_connection() {
    let (app, token) =
        app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let lock = lock_transactions(&app.database).await;
    let waiting = call_without_waiting(&app, "search_transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    until_sessions(&app.database, WAITING, 0).await;
    // A call that exceeds the limit of the server, not of the database, returns a tool result.
    let late = app.call(Era::Legacy, &token, "search_transactions", serde_json::json!({}));
    let late = tokio::time::timeout(TIMEOUT, late).await.expect("the limit of the server ends the call");
    assert_eq!(late.status, 200);
    let sentence = failure(&late);
    assert!(sentence.starts_with("The answer took too long"), "{sentence}");
    assert!(sentence.contains(late.header("x-request-id")), "{sentence}");
    until_sessions(&app.database, WAITING, 0).await;
    // The only connection of the pool is free although the lock is still held.
    payload(&app.call(Era::Modern, &token, "get_preferences", serde_json::json!({})).await);
    release(&lock).await;
    payload(&app.call(Era::Modern, &token, "search_transactions", serde_json::json!({})).await);
}

#[tokio::test]
async fn abandoned_statement_is_cancelled_and_frees_its_database_connection() {
    let (app, token) =
        app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    // The client disconnects.
    let waiting = send_without_waiting(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    until_sessions(&app.database, WAITING, 0).await;
    // The request exceeds the limit of the server, not of the database.
    let late = tokio::time::timeout(TIMEOUT, app.get("/v1/transactions", &token)).await;
    let late = late.expect("the limit of the server ends the request");
    assert_eq!((late.status.as_u16(), late.code().as_str()), (504, "TIMEOUT"));
    until_sessions(&app.database, WAITING, 0).await;
    // The only connection of the pool is free although the lock is still held.
    app.get("/v1/me", &token).await.ok();
}

/// The look-up of a token is cancelled like every other statement.
#[tokio::test]
async fn abandoned_token_look_up_is_cancelled_and_frees_its_database_connection() {
    let (app, known) =
        app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    app.get("/v1/me", &known).await.ok();
    let lock = app.database.connect("postgres").await;
    lock.batch_execute("begin; lock table passbook.personal_access_tokens")
        .await
        .expect("the table is locked");
    let unseen = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
    // The client disconnects.
    let waiting = send_without_waiting(&app, "/v1/me", unseen.reveal()).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    until_sessions(&app.database, WAITING, 0).await;
    // The request exceeds the limit of the server, not of the database.
    let late = tokio::time::timeout(TIMEOUT, app.get("/v1/me", unseen.reveal())).await;
    let late = late.expect("the limit of the server ends the request");
    assert_eq!((late.status.as_u16(), late.code().as_str()), (504, "TIMEOUT"));
    until_sessions(&app.database, WAITING, 0).await;
    release(&lock).await;
    app.get("/v1/me", &known).await.ok();
}

/// Waits until connections to an address are refused.
async fn until_closed(authority: &str) {
    let refused = async { while TcpStream::connect(authority).await.is_ok() {} };
    tokio::time::timeout(TIMEOUT, refused).await.expect("the port is closed");
}

#[tokio::test]
async fn request_in_progress_at_shutdown_is_completed() {
    let (app, token) = app(&[]).await;
    let (address, url) = (authority(&app), format!("{}/v1/transactions", app.base_url));
    let idle = send_without_waiting(&app, "/health", "none").await;
    let database = app.database.clone();
    let lock = lock_transactions(&database).await;
    let (http, bearer) = (Http::default(), format!("Bearer {token}"));
    let headers = [("authorization", bearer.as_str())];
    let released = Cell::new(false);
    let ending = async {
        until_sessions(&database, WAITING, 1).await;
        let stopping = async {
            app.stop().await;
            assert!(released.get(), "the server must wait for the request in progress");
        };
        let releasing = async {
            until_closed(&address).await;
            // A server that did not wait would have ended before the database answers this query.
            until_sessions(&database, WAITING, 1).await;
            released.set(true);
            release(&lock).await;
        };
        tokio::join!(stopping, releasing);
    };
    let answered = async { tokio::join!(http.send(Method::GET, &url, &headers), ending).0 };
    let reply =
        tokio::time::timeout(TIMEOUT, answered).await.expect("the server ends within its drain limit");
    assert_eq!(reply.ok()["transactions"][0]["amount_cents"], 120_000);
    until_closed(&address).await;
    // An idle persistent connection is closed without an error.
    let mut idle = idle;
    let mut received = Vec::new();
    idle.read_to_end(&mut received).await.expect("the server closes the connection");
    assert!(received.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&received));
}

#[tokio::test]
async fn request_longer_than_the_drain_limit_is_aborted_at_shutdown() {
    let (app, token) = app(&[("PASSBOOK_DRAIN_SECONDS", "1"), ("PASSBOOK_REQUEST_SECONDS", "600")]).await;
    limit_reader(&app.database, &[("statement_timeout", "10min"), ("lock_timeout", "10min")]).await;
    let database = app.database.clone();
    let _lock = lock_transactions(&database).await;
    let _request = send_without_waiting(&app, "/v1/transactions", &token).await;
    until_sessions(&database, WAITING, 1).await;
    // The lock is held until the end of the test, so only the drain limit can end the server.
    let started = tokio::time::Instant::now();
    tokio::time::timeout(TIMEOUT, app.stop()).await.expect("the drain limit ends the server");
    assert!(started.elapsed() >= Duration::from_secs(1), "the server must wait for the drain limit");
    until_sessions(&database, WAITING, 1).await;
}
