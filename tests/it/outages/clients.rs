//! Clients that disconnect or read slowly, and a network that loses packets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use passbook_auth::personal_access_token::PlainToken;
use tests::app::{App, TODAY, create_token, load_records, settings};
use tests::database::execute;
use tests::household::Household;
use tests::mcp::{Era, failure};
use tests::postgres::Postgres;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, release, until_sessions};

/// Sends a request to the server at a base address without waiting for the response. `rest` is all after the headers of
/// every request.
async fn send_raw(base: &str, line: &str, token: &str, rest: &str) -> TcpStream {
    let address = base.trim_start_matches("http://").trim_end_matches("/api");
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    let request = format!("{line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{rest}");
    stream.write_all(request.as_bytes()).await.expect("the server reads");
    stream
}

/// Sends a request without waiting for the response.
pub(crate) async fn send_without_waiting(base: &str, path: &str, token: &str) -> TcpStream {
    send_raw(base, &format!("GET /api{path}"), token, "\r\n").await
}

/// Calls a tool without waiting for the response.
async fn call_without_waiting(base: &str, tool: &str, token: &str) -> TcpStream {
    let params = serde_json::json!({ "name": tool, "arguments": {} });
    let body = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let body = body.to_string();
    let rest = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    send_raw(base, "POST /api/mcp", token, &rest).await
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
    let waiting = send_without_waiting(&app.base_url, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    drop(waiting);
    release(&lock).await;
    until_sessions(&app.database, "state <> 'idle'", 0).await;
    app.get("/v1/transactions", &token).await.ok();
    // Disconnect at other moments of a request, which takes a few milliseconds.
    for moment in 0..150 {
        let stream = send_without_waiting(&app.base_url, "/v1/spending/summary?timeRange=1y", &token).await;
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
            Abandoned::Tool => call_without_waiting(&app.base_url, "search_transactions", token).await,
            _ => send_without_waiting(&app.base_url, "/v1/transactions", token).await,
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
    let app = App::start_with_url(settings).await;
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
