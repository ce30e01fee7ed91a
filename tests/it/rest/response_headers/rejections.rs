//! The headers of responses that limits, overload and outages cause.

use hyper::Method;
use passbook_auth::personal_access_token::PlainToken;
use tests::app::App;
use tests::http::Http;

use super::Recorder;
use crate::outages::clients::send_without_waiting;
use crate::outages::{self, WAITING, limit_reader, lock_transactions, until_sessions};

/// Maximum number of requests until a limit of requests is reached.
const REQUESTS_MAX: usize = 10_000;

#[tokio::test]
async fn headers_of_rejections_are_as_recorded() {
    let mut recorder = Recorder::default();
    record_invalid_requests(&mut recorder).await;
    record_rate_limits(&mut recorder).await;
    record_shed_requests(&mut recorder).await;
    record_timeout(&mut recorder).await;
    record_faults_of_the_database(&mut recorder).await;
    insta::assert_snapshot!(recorder.snapshot());
}

/// Status 400 for the host, and 413.
async fn record_invalid_requests(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[]).await;
    for host in ["ada@money.example", "money.example/path"] {
        let reply = app.send(Method::GET, "/v1/me", &[("host", host)]).await;
        recorder.record(format!("400: host {host}"), &reply);
    }
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let reply = app.post("/mcp", &headers, vec![b' '; 256 * 1024 + 1]).await;
    recorder.record("413: POST /api/mcp with more than 256 KiB".to_owned(), &reply);
}

/// Status 429.
async fn record_rate_limits(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[("PASSBOOK_RATE_LIMIT_USER", "1")]).await;
    for request in 0.. {
        let reply = app.get("/v1/me", &token).await;
        if reply.status != 200 {
            recorder.record("429: rate limit of a user".to_owned(), &reply);
            break;
        }
        assert!(request < REQUESTS_MAX, "the rate limit has no effect");
    }
    for request in 0.. {
        let reply = app.get("/v1/me", PlainToken::generate("pbk_").reveal()).await;
        if reply.status != 401 {
            recorder.record("429: limit of unseen tokens".to_owned(), &reply);
            break;
        }
        assert!(request < REQUESTS_MAX, "the limit of unseen tokens has no effect");
    }
}

/// Status 503 and 429 of requests that are not handled.
async fn record_shed_requests(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[("PASSBOOK_REQUESTS_IN_PROGRESS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    let _waiting = send_without_waiting(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    recorder.record("503: too many requests in progress".to_owned(), &app.get("/v1/me", &token).await);

    let environment = [("PASSBOOK_TRUSTED_PROXIES", "127.0.0.1"), ("PASSBOOK_CONNECTIONS_PER_ADDRESS", "1")];
    let (app, token) = outages::app(&environment).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    let first = tokio::spawn(get_as_proxy(app.base_url.clone(), "/v1/transactions", token.clone()));
    until_sessions(&app.database, WAITING, 1).await;
    let reply = get_as_proxy(app.base_url.clone(), "/v1/me", token).await;
    recorder.record("429: too many requests in progress of a client behind a proxy".to_owned(), &reply);
    first.abort();
}

async fn get_as_proxy(base_url: String, path: &str, token: String) -> tests::http::Reply {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("x-forwarded-for", "192.0.2.1")];
    Http::default().send(Method::GET, &format!("{base_url}{path}"), &headers).await
}

/// Status 504.
async fn record_timeout(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    recorder.record("504: limit of a request".to_owned(), &app.get("/v1/transactions", &token).await);
}

/// Status 500 and 503.
async fn record_faults_of_the_database(recorder: &mut Recorder) {
    let (app, token): (App, String) = outages::app(&[]).await;
    let superuser = app.database.connect("postgres").await;
    superuser.batch_execute("drop view passbook_read.budgets").await.expect("a superuser can drop a view");
    recorder.record("500: missing view".to_owned(), &app.get("/v1/budgets/categories", &token).await);
    drop(superuser);
    app.database.rename_away(true).await;
    recorder.record("503: database away".to_owned(), &app.get("/v1/me", &token).await);
    let unseen = PlainToken::generate("pbk_");
    let reply = app.get("/v1/me", unseen.reveal()).await;
    recorder.record("503: database away during the look-up of a token".to_owned(), &reply);
    recorder.record("503: not ready".to_owned(), &app.send(Method::GET, "/ready", &[]).await);
    app.database.rename_away(false).await;
}
