//! Clients that disconnect or read slowly, and a network that loses packets.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hyper::Method;
use passbook_auth::personal_access_token::PlainToken;
use tests::app::{App, TODAY, create_token, load_records, settings};
use tests::database::{Database, execute};
use tests::household::Household;
use tests::http::Http;
use tests::mcp::{Era, failure};
use tests::postgres::Postgres;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

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

/// The request whose statement its client abandons.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Abandoned {
    Route,
    Tool,
    /// The look-up of a token that the server has not seen.
    Token,
}

#[tokio::test]
async fn abandoned_statement_is_cancelled_and_frees_its_database_connection() {
    for abandoned in [Abandoned::Route, Abandoned::Tool, Abandoned::Token] {
        let (app, known) =
            app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "1")]).await;
        limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
        app.get("/v1/me", &known).await.ok();
        let unseen = PlainToken::generate("pbk_");
        let (table, token) = match abandoned {
            Abandoned::Token => ("personal_access_tokens", unseen.reveal()),
            _ => ("transactions", known.as_str()),
        };
        let lock = app.database.connect("postgres").await;
        execute(&lock, &format!("begin; lock table passbook.{table}")).await;
        // The client disconnects.
        let waiting = match abandoned {
            Abandoned::Tool => call_without_waiting(&app, "search_transactions", token).await,
            _ => send_without_waiting(&app, "/v1/transactions", token).await,
        };
        until_sessions(&app.database, WAITING, 1).await;
        drop(waiting);
        until_sessions(&app.database, WAITING, 0).await;
        // The request exceeds the limit of the server, not of the database.
        let call = || app.call(Era::Legacy, token, "search_transactions", serde_json::json!({}));
        let late = async {
            if abandoned == Abandoned::Tool { call().await } else { app.get("/v1/transactions", token).await }
        };
        let late =
            tokio::time::timeout(TIMEOUT, late).await.expect("the limit of the server ends the request");
        if abandoned == Abandoned::Tool {
            let sentence = failure(&late);
            assert!(sentence.starts_with("The answer took too long"), "{sentence}");
            assert!(sentence.contains(late.header("x-request-id")), "{sentence}");
        } else {
            late.assert_error(504, "TIMEOUT", format_args!("{abandoned:?}"));
        }
        until_sessions(&app.database, WAITING, 0).await;
        // The only connection of the pool is free although the lock is still held.
        if abandoned != Abandoned::Token {
            app.get("/v1/me", &known).await.ok();
        }
        release(&lock).await;
        app.get("/v1/transactions", &known).await.ok();
    }
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

/// A TCP proxy that forwards everything, or loses everything.
struct Network {
    port: u16,
    loses: Arc<AtomicBool>,
}

impl Network {
    async fn start(target: u16) -> Network {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let loses = Arc::new(AtomicBool::new(false));
        let shared = loses.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(("127.0.0.1", target)).await else { continue };
                let ((from_client, to_client), (from_server, to_server)) =
                    (client.into_split(), server.into_split());
                tokio::spawn(forward(from_client, to_server, shared.clone()));
                tokio::spawn(forward(from_server, to_client, shared.clone()));
            }
        });
        Network { port, loses }
    }

    fn lose(&self, loses: bool) {
        self.loses.store(loses, Ordering::Relaxed);
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, loses: Arc<AtomicBool>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if !loses.load(Ordering::Relaxed) && to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
    // The end is lost too.
    if loses.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

#[tokio::test]
async fn network_that_loses_everything_gives_504_until_it_is_back() {
    let postgres = Postgres::start("listen_addresses = '127.0.0.1'\n").await;
    let network = Network::start(postgres.port()).await;
    let url = format!("postgresql://passbook_reader@127.0.0.1:{}/money", network.port);
    let mut settings = settings(&[("PASSBOOK_DATABASE_URL", &url), ("PASSBOOK_REQUEST_SECONDS", "1")]);
    settings.today = Some(TODAY);
    let reader = settings.database.clone().expect("the URL is set");
    let store =
        passbook_server::wiring::store(&settings, reader).await.expect("role and schema pass the check");
    // The application needs a database for its own functions; this test does not use it.
    let app = App::serve(Database::fresh().await, settings, store).await;
    let household = Household::new();
    let mut writer = postgres.session("passbook_writer").await;
    load_records(&mut writer, household.records()).await;
    let (token, _) = create_token(&writer, household.user.user_id).await;
    for round in 1..=2 {
        app.get("/v1/preferences", &token).await.ok();
        network.lose(true);
        for _ in 0..3 {
            let reply = tokio::time::timeout(TIMEOUT, app.get("/v1/preferences", &token)).await;
            let reply = reply.expect("the limit of a request ends it");
            reply.assert_error(504, "TIMEOUT", format_args!("round {round}"));
        }
        network.lose(false);
    }
    app.get("/v1/preferences", &token).await.ok();
}
