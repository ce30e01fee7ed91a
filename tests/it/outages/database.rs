//! A lost database, slow statements, and rows that violate the contract.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Instant;

use hyper::Method;
use passbook_domain::access::Credential;
use passbook_operations::Service;
use passbook_store::Store;
use serde_json::json;
use tests::app::{App, store_config, token_credential};
use tests::catalogue::{call_all, tools};
use tests::database::{Database, execute};
use tests::household::Household;
use tests::http::Reply;
use tests::mcp::{Era, failure};

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, paths, release, until_sessions};

/// Maximum number of requests until the server has reconnected: one for each connection of the pool, and one more.
const REQUESTS_MAX: usize = 9;

/// Checks for status 503 with `Retry-After` and without details.
#[track_caller]
fn assert_unavailable(reply: &Reply, place: &str) {
    reply.assert_error(503, "UNAVAILABLE", place);
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
    let mut reply = None;
    let polling = tests::until(async || {
        let latest = reply.insert(app.send(Method::GET, "/ready", &[]).await);
        latest.status == status
    });
    let polled = tokio::time::timeout(TIMEOUT, polling).await;
    polled.unwrap_or_else(|_| panic!("/ready did not return {status} in time"));
    reply.expect("it was requested")
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

/// Before a restore, and after a right was revoked by mistake. Only the operator can help, but nothing here is a defect.
#[tokio::test]
async fn empty_database_missing_view_and_lost_right_give_503() {
    let (every, budgets) = (paths(), ["/v1/budgets/summary", "/v1/budgets/categories"]);
    for (damage, failing) in [
        ("drop schema passbook, passbook_read cascade", &every[..]),
        ("revoke execute on all functions in schema passbook_read from passbook_reader", &every),
        ("drop view passbook_read.budgets", &budgets),
    ] {
        let (app, token) = app(&[]).await;
        app.get("/v1/transactions", &token).await.ok();
        execute(&app.database.connect("postgres").await, damage).await;
        for path in failing {
            assert_unavailable(&app.get(path, &token).await, path);
        }
        until_readiness(&app, 503).await;
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
        execute(&lock, end).await;
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
        for path in ["/v1/transactions", "/v1/recurring-payments", "/v1/spending/merchants/top"] {
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

/// The error chains, as logged, of the operations that fail.
async fn failures(database: &Database, credential: &Credential) -> Vec<(&'static str, String)> {
    let store = Store::new(store_config(database.configuration("passbook_reader")));
    let store = store.expect("the configuration is valid");
    let service = Service::new(Arc::new(store));
    let mut failures = Vec::new();
    for (spec, error) in call_all(&service, credential).await {
        if let Some(error) = error {
            let first: &(dyn StdError + 'static) = &error;
            let chain =
                std::iter::successors(Some(first), |error: &&'_ (dyn StdError + 'static)| (*error).source());
            failures.push((spec.path, chain.map(ToString::to_string).collect::<Vec<String>>().join(": ")));
        }
    }
    failures
}

/// Damage to the database, the text that the error chain of every operation that then fails must contain, and operations
/// that must fail. Other operations may fail too, so a new operation needs no entry.
type Case = (&'static str, &'static str, MustFail);

/// The operations that must fail because of damage.
enum MustFail {
    Every,
    /// The operations with these paths.
    Paths(&'static [&'static str]),
}

const CASES: &[Case] = &[
    (
        "alter table passbook.transactions drop constraint transactions_category_category_kind_fkey, disable trigger user; \
         update passbook.transactions set category = 'NO_SUCH_WORD'",
        ".category",
        // Totals are read by the categories of the reference table.
        MustFail::Paths(&["/v1/transactions", "/v1/recurring-payments"]),
    ),
    (
        "alter domain passbook.currency_code drop constraint currency_code_check; \
         update passbook.transactions set currency = 'no such word'",
        ".currency",
        MustFail::Paths(&["/v1/transactions", "/v1/cashflow/summary", "/v1/budgets/summary"]),
    ),
    (
        "alter table passbook.excluded_categories drop constraint excluded_categories_category_category_kind_fkey; \
         insert into passbook.excluded_categories (user_id, category) select user_id, 'NO_SUCH_WORD' from passbook.users",
        "open_session.excluded_categories",
        MustFail::Every,
    ),
    (
        "alter table passbook.bank_connections drop constraint bank_connections_status_check; update passbook.bank_connections set status = 'LOST'",
        "banks.status",
        MustFail::Paths(&["/v1/banks/status", "/v1/portfolio"]),
    ),
    (
        "alter table passbook.accounts drop constraint accounts_type_check; update passbook.accounts set type = 'x'",
        "balance_facts.type",
        MustFail::Paths(&["/v1/portfolio"]),
    ),
];

#[tokio::test]
async fn row_violating_the_contract_gives_500_and_a_log_entry_with_the_column() {
    for (damage, named, must_fail) in CASES {
        let app = App::start().await;
        let mut household = Household::new();
        household.expense("2026-11-01", passbook_domain::category::ExpenseCategory::Rent, 120_000, "EUR");
        app.load(household.records()).await;
        let user = household.user.user_id;
        let (token, token_id) = app.token_with(user, passbook_domain::scope::Scope::ALL, true, true).await;
        let credential = token_credential(user, token_id);
        assert_eq!(failures(&app.database, &credential).await, []);

        let superuser = app.database.connect("postgres").await;
        execute(&superuser, damage).await;
        let failures = failures(&app.database, &credential).await;
        let failing: Vec<&str> = failures.iter().map(|(path, _)| *path).collect();
        let every = super::paths();
        let expected = match must_fail {
            MustFail::Every => every.as_slice(),
            MustFail::Paths(paths) => *paths,
        };
        for path in expected {
            assert!(failing.contains(path), "{path} must fail: {damage}");
        }
        // A total whose banks may be stale without notice would be wrong.
        if failing.contains(&"/v1/banks/status") {
            let total = app.call(Era::Legacy, &token, "get_cashflow_summary", json!({})).await;
            assert!(failure(&total).starts_with("Something went wrong here"), "{damage}");
        }
        for (path, chain) in &failures {
            assert!(chain.contains(named), "{path}: {chain}");
            let reply = app.get(path, &token).await;
            reply.assert_error(500, "INTERNAL", path);
            let error = &reply.json()["error"];
            let public = "Something went wrong here; the request id identifies it in our log.";
            assert_eq!(error["message"], public, "{path}");
            assert!(error["details"].is_null(), "{path}");
            assert_eq!(error["requestId"], reply.header("x-request-id"), "{path}");
            for (tool, _) in tools().iter().filter(|(_, tool)| tool.spec.path == *path) {
                let call = app.call(Era::Legacy, &token, tool, serde_json::json!({})).await;
                let expected_text = format!("{public} Request id: {}.", call.header("x-request-id"));
                assert_eq!((call.status.as_u16(), failure(&call)), (200, expected_text), "{tool}");
            }
        }
        let ready = app.send(Method::GET, "/ready", &[]).await.json();
        let checks = ready["checks"].as_array().expect("a list");
        let is_unready = checks.iter().any(|check| check["name"] == "requests" && check["ok"] == false);
        assert_eq!(is_unready, matches!(must_fail, MustFail::Every), "{damage}: {ready}");
    }
}
