//! The request pipeline, through the example adapter, which has no code of its own for limits, deadlines, panics,
//! authentication or logs. The ledger is in memory, so that one operation can panic and another can wait forever.

pub(crate) mod ledger;
mod tool_calls;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hyper::Method;
use passbook_auth::Authenticator;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::Scope;
use passbook_operations::Service;
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, RateLimiter, Router};
use passbook_web::rate_limit::CONCURRENT_REQUESTS_MAX;
use serde_json::Value;
use tests::http::{Reply, handle};

use ledger::{Log, TestLedger, token};

/// The adapter over a ledger whose grant has every scope.
fn report() -> Router {
    report_of(Arc::new(TestLedger::new(Scope::ALL)), None)
}

fn report_of(ledger: Arc<TestLedger>, rate_limiter: Option<RateLimiter>) -> Router {
    let pipeline = pipeline(ledger, rate_limiter);
    Router::new(&pipeline, passbook_report::endpoints(&pipeline))
}

/// A pipeline over a ledger. A request may take a second.
fn pipeline(ledger: Arc<TestLedger>, rate_limiter: Option<RateLimiter>) -> Pipeline {
    let authenticator = Authenticator::new(passbook_auth::AuthenticatorConfig::default(), ledger.clone());
    let base_url = BaseUrl::parse("https://money.example/api").expect("an address");
    let mut config = PipelineConfig::new(base_url);
    config.request_seconds_max = 1;
    config.rate_limiter = rate_limiter;
    Pipeline::new(Service::new(ledger), authenticator, config)
}

async fn send(report: &Router, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    handle(report, method, path, headers, "").await
}

/// Sends a GET request with a token and the identifier `request-7`.
pub(super) async fn get(report: &Router, path: &str, token: &str) -> Reply {
    let headers = [("authorization", &*format!("Bearer {token}")), ("x-request-id", "request-7")];
    send(report, Method::GET, path, &headers).await
}

/// Asserts status and message of a reply, and the headers that every response has.
#[track_caller]
pub(super) fn assert_reply(reply: &Reply, status: u16, message: &str) {
    let text = String::from_utf8_lossy(&reply.body);
    assert_eq!(reply.status.as_u16(), status, "{text}");
    assert!(text.contains(message), "{text}");
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    assert_eq!(reply.header("x-request-id"), "request-7");
}

#[tokio::test]
async fn invalid_tokens_are_rejected_and_a_valid_one_is_accepted() {
    let report = report();
    assert_reply(
        &get(&report, "/report/me", token().reveal()).await,
        200,
        "me.email: \"anna@example.com\"\n",
    );
    let unknown = PlainToken::generate("pbk_");
    for invalid in ["pbk_nothing", unknown.reveal(), "", "a.b.c"] {
        let reply = get(&report, "/report/me", invalid).await;
        assert_reply(&reply, 401, "The access token is missing or invalid.\n");
        assert!(reply.header("www-authenticate").starts_with("Bearer"), "{invalid}");
    }
    for path in ["/report/me", "/report/me?access_token=pbk_nothing"] {
        let none = send(&report, Method::GET, path, &[("x-request-id", "request-7")]).await;
        assert_reply(&none, 401, "A bearer token is required");
        assert_eq!(none.header("www-authenticate"), "Bearer");
    }
}

#[tokio::test]
async fn method_and_size_of_the_head_are_checked_before_the_token() {
    let report = report();
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS, Method::TRACE] {
        let reply = send(&report, method, "/report/me", &[("x-request-id", "request-7")]).await;
        assert_reply(&reply, 405, "Only GET and HEAD are accepted");
        assert_eq!(reply.header("allow"), "GET, HEAD");
    }
    let long = format!("/report/me?x={}", "a".repeat(8 * 1024));
    assert_reply(&get(&report, &long, "pbk_nothing").await, 414, "8192 bytes");
    let large = "a".repeat(33 * 1024);
    let headers = [("x-request-id", "request-7"), ("x-large", large.as_str())];
    assert_reply(&send(&report, Method::GET, "/report/me", &headers).await, 431, "header fields");
    let nothing = get(&report, "/report/nothing", "pbk_nothing").await;
    assert_eq!(nothing.status, 404);
    assert!(String::from_utf8_lossy(&nothing.body).contains("nothing at this path"), "{nothing:?}");
}

#[tokio::test]
async fn operation_is_cut_off_at_the_deadline() {
    let (log, report) = (Log::default(), report());
    let _collected = log.collect();
    let started = Instant::now();
    let reply = get(&report, "/report/transactions", token().reveal()).await;
    assert_reply(&reply, 504, "The answer took too long");
    assert!((1..5).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    let lines = log.take();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert_eq!(lines[0]["fields"]["status"], 504);
    assert!(
        lines[0]["fields"]["duration_ms"].as_u64().is_some_and(|duration| duration >= 1_000),
        "{lines:?}"
    );
}

#[tokio::test]
async fn deadline_releases_the_concurrency_permit() {
    let limiter = RateLimiter::new(100_000, 0);
    let report = report_of(Arc::new(TestLedger::new(Scope::ALL)), Some(limiter));
    let held = (0..CONCURRENT_REQUESTS_MAX).map(|_| get(&report, "/report/transactions", token().reveal()));
    for reply in futures_util::future::join_all(held).await {
        assert_reply(&reply, 504, "The answer took too long");
    }
    let reply = tokio::time::timeout(Duration::from_secs(1), get(&report, "/report/me", token().reveal()));
    assert_reply(&reply.await.expect("a permit is free"), 200, "me.");
}

#[tokio::test]
async fn panic_in_an_operation_is_a_500_response_and_its_message_is_logged_with_the_request_id() {
    let (log, report) = (Log::default(), report());
    let _collected = log.collect();
    let reply = get(&report, "/report/cashflow_summary", token().reveal()).await;
    assert_reply(&reply, 500, "Something went wrong here");
    assert!(!String::from_utf8_lossy(&reply.body).contains("seventh"), "the panic stays in the log");
    let lines = log.take();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let (level, fields) = (&lines[0]["level"], &lines[0]["fields"]);
    assert_eq!(
        (level.as_str(), &fields["status"], &fields["code"]),
        (Some("ERROR"), &500.into(), &"INTERNAL".into())
    );
    assert_eq!(fields["request.id"], "request-7");
    assert_eq!(fields["cause"], "the request panicked: the seventh row is broken");
    // The adapter still answers.
    assert_reply(&get(&report, "/report/me", token().reveal()).await, 200, "me.");
}

#[tokio::test]
async fn documented_log_filter_shows_why_a_token_is_rejected() {
    let filter = "info,passbook_web=debug";
    let document = include_str!("../../../docs/oauth.md");
    assert!(document.contains(&format!("`PASSBOOK_LOG={filter}`")), "docs/oauth.md names the filter");
    let (log, report) = (Log::default(), report());
    let _collected = log.collect_filtered(filter);
    get(&report, "/report/me", PlainToken::generate("pbk_").reveal()).await;
    let lines = log.take_all();
    let fields: Vec<_> =
        lines.iter().map(|line| (&line["fields"]["message"], &line["fields"]["cause"])).collect();
    assert_eq!(
        fields,
        [(&"rejected".into(), &"the token is unknown".into()), (&"answered".into(), &Value::Null)]
    );
}

#[tokio::test]
async fn every_request_is_logged_in_one_line_without_text_of_its_caller() {
    let (log, report) = (Log::default(), report());
    let _collected = log.collect();
    let operation = "/report/{operation}";
    for (method, path, token, logged, route, status) in [
        ("GET", "/report/me", token().reveal(), "GET", operation, 200),
        ("GET", "/report/me?canary=1", token().reveal(), "GET", operation, 400),
        ("GET", "/report/me", "pbk_canary", "GET", operation, 401),
        ("GET", "/report/canary", "pbk_canary", "GET", "unknown", 404),
        ("pbk_canary", "/report/me", "pbk_canary", "other", operation, 405),
    ] {
        let headers = [("authorization", &*format!("Bearer {token}")), ("x-request-id", "request-7")];
        send(&report, method.parse().expect("a token of RFC 9110"), path, &headers).await;
        let lines = log.take();
        assert_eq!(lines.len(), 1, "{lines:#?}");
        let fields = &lines[0]["fields"];
        assert_eq!(
            (fields["method"].as_str(), fields["route"].as_str()),
            (Some(logged), Some(route)),
            "{path}"
        );
        assert_eq!(
            (&fields["status"], &fields["request.id"]),
            (&status.into(), &"request-7".into()),
            "{path}"
        );
        assert!(fields["duration_ms"].is_u64(), "{fields}");
        assert_eq!(
            (lines[0]["level"].as_str(), fields["message"].as_str()),
            (Some("INFO"), Some("answered"))
        );
        assert!(!lines[0].to_string().contains("canary"), "{lines:?}");
    }
}

#[tokio::test]
async fn lines_of_a_request_are_inside_its_span_with_the_trace_of_the_caller() {
    let (log, report) = (Log::default(), report());
    let _collected = log.collect();
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let bearer = format!("Bearer {}", token().reveal());
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    let headers = [("authorization", &*bearer), ("x-request-id", "request-7"), ("traceparent", &*parent)];
    let reply = send(&report, Method::GET, "/report/me", &headers).await;
    assert_reply(&reply, 200, "me.");
    let lines = log.take_all();
    let inside = lines.iter().find(|line| line["fields"]["message"] == "the ledger reads");
    let span = &inside.expect("the ledger logs a line")["spans"][0];
    assert_eq!((&span["name"], &span["request.id"]), (&"request".into(), &"request-7".into()));
    assert_eq!((&span["route"], &span["trace.id"]), (&"/report/{operation}".into(), &trace.into()));
    assert_eq!(span["trace.parent_id"], "00f067aa0ba902b7");
    // The token was verified before the ledger was called.
    assert_eq!(span["token"].as_str().map(str::len), Some(12), "{span}");
    let answered = &lines.last().expect("the line of the request")["fields"];
    assert_eq!((&answered["token"], &answered["trace.id"]), (&span["token"], &trace.into()));
    assert!(!format!("{lines:?}").contains(token().reveal()));

    get(&report, "/report/me", PlainToken::generate("pbk_").reveal()).await;
    let rejected = log.take();
    assert_eq!(
        rejected[0]["fields"]["token"],
        Value::Null,
        "an unknown token has no fingerprint: {rejected:?}"
    );
}

const CAUSE: &str = "the ledger is unavailable: the connection was refused";

/// Returns level, message, cause and number of failures of each line.
fn summaries(lines: &[Value]) -> Vec<(&str, &str, &str, u64)> {
    let text = |value| Value::as_str(value).unwrap_or_default();
    lines
        .iter()
        .map(|line| {
            let fields = &line["fields"];
            let failures = fields["failures"].as_u64().unwrap_or_default();
            (text(&line["level"]), text(&fields["message"]), text(&fields["cause"]), failures)
        })
        .collect()
}

#[tokio::test]
async fn outage_of_the_ledger_is_logged_at_its_start_and_at_its_end() {
    let ledger = Arc::new(TestLedger::new(Scope::ALL));
    let report = report_of(ledger.clone(), None);
    let known = token();
    let unseen = PlainToken::generate("pbk_");
    assert_reply(&get(&report, "/report/me", known.reveal()).await, 200, "me.");
    let log = Log::default();
    let _collected = log.collect();
    let answered = ("INFO", "answered", "", 0);
    let started = ("ERROR", "the ledger is unavailable; further failures are counted", CAUSE, 1);
    let ended = |failures| ("INFO", "the ledger is available again", "", failures);
    for first in [known, &unseen] {
        ledger.is_unavailable.store(true, Ordering::Relaxed);
        assert_reply(&get(&report, "/report/me", first.reveal()).await, 503, "cannot reach its data");
        assert_eq!(summaries(&log.take()), [started, answered]);
        for token in [&unseen, known, &unseen] {
            assert_reply(&get(&report, "/report/banks_status", token.reveal()).await, 503, "its data");
        }
        assert_eq!(summaries(&log.take()), [answered; 3]);
        ledger.is_unavailable.store(false, Ordering::Relaxed);
        assert_reply(&get(&report, "/report/me", known.reveal()).await, 200, "me.");
        assert_eq!(summaries(&log.take()), [ended(4), answered]);
        assert_reply(&get(&report, "/report/me", known.reveal()).await, 200, "me.");
        assert_eq!(summaries(&log.take()), [answered]);
    }
}
