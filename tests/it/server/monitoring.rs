//! The metrics and the log of a running server: requests and queries are counted, log lines of a request have its
//! identifier, and nothing secret appears. A server that reaches the limit of open files goes on.

use std::net::TcpStream;
use std::process::Command;

use hyper::Method;
use serde_json::{Value, json};
use tests::app::App;
use tests::database::Database;
use tests::http::Http;
use tests::provider::{AUDIENCE, IdentityProvider};
use tests::server_process::{Running, series, signal, value};
use tests::signer::Signer;
use tests::temporary::Folder;
use uuid::Uuid;

use super::Served;
use crate::outages::{lock_transactions, release};

#[tokio::test(flavor = "multi_thread")]
async fn metrics_and_log_show_requests_and_slow_queries_without_secrets() {
    let (app, _, token) = App::with_household().await;
    let server = Served::start(&app.database, &["--log-format", "json", "--metrics-listen", "127.0.0.1:0"]);
    let bearer = format!("Bearer {token}");
    let trace = ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    let status = async |path: &str, id: &str| {
        let headers = [("authorization", bearer.as_str()), ("x-request-id", id), trace];
        server.get(path, &headers).await.status.as_u16()
    };
    assert_eq!(status("/v1/me", "first").await, 200);
    assert_eq!(status("/v1/me?canary=1", "second").await, 400);
    let lock = lock_transactions(&app.database).await;
    // The lock timeout of the role ends the query after a second.
    assert_eq!(status("/v1/transactions?merchantQuery=canary", "third").await, 503);
    release(&lock).await;
    // The server closes a connection after a failed statement, so this request opens one.
    assert_eq!(status("/v1/preferences", "fourth").await, 200);

    let refused = Http::default().send(Method::POST, value(&server.lines[4], "metrics"), &[]).await;
    assert_eq!((refused.status.as_u16(), refused.header("allow")), (405, "GET, HEAD"));
    let reply = Http::default().send(Method::GET, value(&server.lines[4], "metrics"), &[]).await;
    assert_eq!(reply.status.as_u16(), 200);
    assert!(reply.header("content-type").starts_with("application/openmetrics-text"));
    let metrics = String::from_utf8(reply.body.to_vec()).expect("metrics are text");
    let me = |status| [("method", "GET"), ("route", "/v1/me"), ("status", status)];
    assert_eq!(series(&metrics, "passbook_http_requests_total", &me("200")), 1.0);
    assert_eq!(series(&metrics, "passbook_http_requests_total", &me("400")), 1.0);
    let durations = [("route", "/v1/transactions"), ("status", "503")];
    assert_eq!(series(&metrics, "passbook_http_request_duration_seconds_count", &durations), 1.0);
    let failed = series(&metrics, "passbook_database_errors_total", &[("error", "unavailable")]);
    assert_eq!(failed, 1.0);
    for query in ["open_session", "find_personal_access_token"] {
        let counted = series(&metrics, "passbook_database_query_duration_seconds_count", &[("query", query)]);
        assert!(counted >= 1.0, "{query}: {counted}");
    }
    assert!(series(&metrics, "passbook_database_connections_open", &[]) >= 1.0);
    assert!(series(&metrics, "passbook_connections_accepted_total", &[]) >= 1.0);
    assert!(!metrics.contains("canary"), "{metrics}");

    let ended = server.stop();
    let lines: Vec<Value> = ended.stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let slow = lines.iter().find(|line| line["fields"]["message"] == "slow query");
    let slow = slow.unwrap_or_else(|| panic!("a slow query: {}", ended.stderr));
    assert!(slow["fields"]["query"].as_str().is_some_and(|name| name.starts_with("transactions_")), "{slow}");
    assert_eq!(slow["span"]["request.id"], "third");
    let answered = lines.iter().find(|line| line["fields"]["request.id"] == "first").expect("a line");
    let fingerprint = answered["fields"]["token"].as_str().expect("a fingerprint");
    assert_eq!((fingerprint.len(), &answered["fields"]["route"]), (12, &"/v1/me".into()));
    assert_eq!(answered["fields"]["trace.id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    for secret in ["canary", token.as_str(), "@example"] {
        assert!(!ended.stderr.contains(secret), "{secret}: {}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn outage_of_the_database_is_one_error_in_the_log() {
    let (app, _, token) = App::with_household().await;
    let server = Served::start(&app.database, &["--log-format", "json"]);
    let unseen = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
    let status = async |path: &str, token: &str| {
        server.get(path, &[("authorization", &format!("Bearer {token}"))]).await.status.as_u16()
    };
    assert_eq!(status("/v1/me", &token).await, 200);
    app.database.rename_away(true).await;
    for path in ["/v1/me", "/v1/transactions", "/v1/me", "/v1/banks/status"] {
        assert_eq!(status(path, &token).await, 503, "{path}");
        assert_eq!(status(path, unseen.reveal()).await, 503, "{path}, a token that is not cached");
    }
    app.database.rename_away(false).await;
    tests::until(async || status("/v1/me", &token).await == 200).await;
    let log = server.stop().stderr;
    let errors: Vec<&str> = log.lines().filter(|line| line.contains(r#""level":"ERROR""#)).collect();
    assert!(matches!(&errors[..], [error] if error.contains("the ledger is unavailable")), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_server_is_not_ready_and_still_answers() {
    let server = Served::start(&Database::fresh().await, &["--stop-notice-seconds", "600"]);
    assert_eq!(server.get("/ready", &[]).await.status.as_u16(), 200);
    assert!(signal("TERM", server.running.pid()));
    // A new connection each time: the server must still accept.
    let stopping = loop {
        let reply = server.get("/ready", &[]).await;
        if reply.status.as_u16() == 503 {
            break reply;
        }
    };
    assert!(String::from_utf8_lossy(&stopping.body).contains("the server is stopping"));
    assert_eq!(server.get("/health", &[]).await.status.as_u16(), 200);
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_part_of_a_token_is_logged_at_trace_level() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let flags = ["--oidc-issuer", &provider.issuer, "--oidc-audience", AUDIENCE, "--log", "trace"];
    let server = Served::start(&Database::fresh().await, &flags);
    let now = jiff::Timestamp::now().as_second();
    let user = Uuid::from_u128(0x00ca_0a27_0000_4000_8000_0000_0000_0001);
    let good = provider.claims(user, now);
    let with = |name: &str, value: Value| signer.sign(&provider.changed_claims(user, now, &[(name, value)]));
    let header = json!({ "alg": "ES256", "kid": "canary-kid", "typ": "JWT" }).to_string();
    let tokens = [
        signer.sign(&good),
        with("exp", json!(now - 100)),
        with("aud", json!("canary-audience")),
        with("sub", json!("canary-subject")),
        with("client_id", json!("canary-client")),
        with("session_id", json!(["canary-session"])),
        Signer::new("k1", "ES256").sign(&good),
        signer.sign_text(&header, "{\"canary\":1}"),
        signer.sign_text("{\"alg\":\"canary-alg\"}", "{}"),
        passbook_auth::personal_access_token::PlainToken::generate("pbk_").reveal().to_owned(),
        "pbk_canarygarbage".to_owned(),
        "canary.garbage".to_owned(),
    ];
    for token in &tokens {
        let authorization = format!("Bearer {token}");
        let reply = server.get("/v1/me", &[("authorization", &authorization)]).await;
        assert_eq!(reply.status, 401, "{token}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("canary"), "{token}");
    }
    // The server ends although keys are refreshed.
    let ended = server.stop();
    assert!(ended.stderr.contains("TRACE"), "the log must contain trace lines");
    assert!(
        ended.stderr.contains("the access token is refused: its audience is not an accepted one"),
        "the log must name the rule that the token breaks"
    );
    for token in &tokens {
        for part in token.split('.').filter(|part| part.len() > 8) {
            assert!(!ended.stderr.contains(part), "{part} is in the log");
        }
    }
    for word in ["canary", "Bearer ", "00ca0a27"] {
        let line = ended.stderr.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word}");
    }
}

/// Maximum number of open files of the server. It starts with about 30.
const FILES_MAX: u32 = 80;
/// Number of connections, which the server cannot all accept.
const SOCKETS: usize = 100;
/// Number of failures to accept during which the server may write one line.
const ACCEPT_ERRORS: f64 = 10.0;

/// The command with a lower limit of open files.
fn with_few_files(server: &Command) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("ulimit -n {FILES_MAX}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script]).arg(server.get_program()).args(server.get_args()).env_clear();
    shell.envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

#[tokio::test(flavor = "multi_thread")]
async fn server_without_free_descriptors_accepts_again_after_connections_end() {
    let (folder, database) = (Folder::create(), Database::fresh().await);
    let server = folder.server_of(&database, &["--metrics-listen", "127.0.0.1:0"]);
    let mut server = Running::start(with_few_files(&server));
    let lines = server.lines(5);
    let (base, metrics) = (value(&lines[1], "base"), value(&lines[4], "metrics"));
    let address = base.trim_start_matches("http://").trim_end_matches("/api");
    // This client's connection stays open, so it needs no further descriptor.
    let reader = Http::default();
    let accept_errors = async || {
        let reply = reader.send(Method::GET, metrics, &[]).await;
        let text = String::from_utf8(reply.body.to_vec()).expect("metrics are text");
        series(&text, "passbook_accept_errors_total", &[])
    };
    assert_eq!(accept_errors().await, 0.0);

    let sockets: Vec<TcpStream> =
        (0..SOCKETS).map(|_| TcpStream::connect(address).expect("the server listens")).collect();
    tests::until(async || accept_errors().await >= ACCEPT_ERRORS).await;
    drop(sockets);
    let health = Http::default().send(Method::GET, &format!("{base}/health"), &[]).await;
    assert_eq!(health.status.as_u16(), 200);

    let ended = server.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let lines = |text: &str| ended.stderr.lines().filter(|line| line.contains(text)).count();
    assert_eq!(lines("too few open files for PASSBOOK_CONNECTIONS"), 1, "{}", ended.stderr);
    // A line for the first failure, and at most one for every ten seconds after it.
    assert!((1..=3).contains(&lines("cannot accept connections")), "{}", ended.stderr);
}
