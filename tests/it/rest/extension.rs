//! The example adapter of `docs/embedding.md`, mounted beside REST on the same database: it serves every operation under
//! the same rules. Snapshots of the service: several operations over one state of the data.

use std::convert::Infallible;
use std::sync::Arc;

use hyper::Method;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use jiff::civil::date;
use passbook_auth::Authenticator;
use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::person::UserId;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::cashflow_summary::{self, CashflowSummary};
use passbook_operations::top_merchants::{self, TopMerchants};
use passbook_operations::{Code, Entry, Service};
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, Rest, Router};
use passbook_store::{Config, Store};
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::database::execute;
use tests::household::Household;
use tests::http::{Http, Reply, query};
use tokio::net::TcpListener;
use uuid::Uuid;

/// Starts a server with the example adapter and REST on the database of `app`, and returns its origin. The server stops
/// when the Tokio runtime of the test is dropped.
async fn start(app: &App) -> String {
    let connection = app.database.configuration(passbook_schema::READER).into();
    let config = passbook_store::Config::new(connection).with_connections_max(2).with_today(TODAY);
    let store = Arc::new(Store::connect(config).await.expect("role and schema pass the check"));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let authenticator = Authenticator::new(passbook_auth::Config::default(), store.clone());
    let config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/api")).expect("an address"));
    let pipeline = Pipeline::new(Service::new(store.clone()), authenticator, config);
    let rest = Rest::new(&pipeline, store);
    let router = Router::new(&pipeline, [passbook_report::endpoints(&pipeline), rest.endpoints()].concat());
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else { break };
            let router = router.clone();
            let service = service_fn(move |request| {
                let router = router.clone();
                async move { Ok::<_, Infallible>(router.handle(request).await) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    origin
}

async fn household() -> (App, Household) {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR").merchant_name =
        Some("Line\nBreak \"&\" Söhne".to_owned());
    household.expense("2026-11-04", ExpenseCategory::Coffee, 450, "USD");
    app.load(household.records()).await;
    (app, household)
}

async fn get(target: &str, token: &str) -> Reply {
    Http::default().send(Method::GET, target, &[("authorization", &format!("Bearer {token}"))]).await
}

fn text(reply: &Reply) -> &str {
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "no-store");
    std::str::from_utf8(&reply.body).expect("UTF-8")
}

/// The number of scalar values in a payload.
fn values(payload: &Value) -> usize {
    match payload {
        Value::Object(members) => members.values().map(values).sum(),
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

#[tokio::test]
async fn adapter_reports_the_values_of_rest_for_every_operation() {
    let (app, household) = household().await;
    let origin = start(&app).await;
    let token = app.token(household.user.user_id).await;
    for entry in Entry::all() {
        let (id, path) = (entry.spec.id, entry.spec.path);
        let examples = entry.declarations(Surface::Rest).into_iter().map(|parameter| {
            let example = parameter.example;
            let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            format!("?{}", query(&[(parameter.name, &example)]))
        });
        for query_string in std::iter::once(String::new()).chain(examples) {
            let payload = get(&format!("{origin}/api{path}{query_string}"), &token).await.ok();
            let reply = get(&format!("{origin}/report/{id}{query_string}"), &token).await;
            assert_eq!(reply.status, 200, "{id}{query_string}");
            let lines: Vec<&str> = text(&reply).lines().collect();
            assert_eq!(lines.len(), values(&payload), "{id}{query_string}: {lines:?}");
            for line in lines {
                let (place, value) = line.split_once(": ").expect("the line has a place and a value");
                let pointer =
                    place.strip_prefix(id).expect("the place starts with the operation").replace('.', "/");
                let value: Value = serde_json::from_str(value).expect("the value is JSON");
                assert_eq!(payload.pointer(&pointer), Some(&value), "{id}{query_string} {place}");
            }
        }
    }
}

#[tokio::test]
async fn adapter_reports_all_invalid_parameters_at_once() {
    let (app, household) = household().await;
    let origin = start(&app).await;
    let token = app.token(household.user.user_id).await;
    for entry in Entry::all() {
        let names: Vec<&str> =
            entry.declarations(Surface::Rest).iter().map(|parameter| parameter.name).collect();
        let broken: Vec<(&str, &str)> =
            names.iter().map(|name| (*name, "")).chain([("colour", "red")]).collect();
        let reply = get(&format!("{origin}/report/{}?{}", entry.spec.id, query(&broken)), &token).await;
        assert_eq!(reply.status, 400, "{}", entry.spec.id);
        for (name, _) in &broken {
            assert!(
                text(&reply).contains(&format!("{name} ")),
                "{}: {name}: {}",
                entry.spec.id,
                text(&reply)
            );
        }
    }
    let reply = get(&format!("{origin}/report/transactions?cursor=%7B%7D"), &token).await;
    assert_eq!((reply.status.as_u16(), text(&reply).starts_with("cursor must be")), (400, true));
}

/// `pipeline.rs` covers invalid tokens, missing scopes, methods and unknown paths of the adapter.
#[tokio::test]
async fn adapter_requires_a_grant_for_rest() {
    let (app, household) = household().await;
    let origin = start(&app).await;
    let (tools_only, _) = app.token_with(household.user.user_id, Scope::ALL, false, true).await;
    for entry in Entry::all() {
        let target = format!("{origin}/report/{}", entry.spec.id);
        assert_eq!(get(&target, &tools_only).await.status, 403, "{target}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the test is the caller of the ledger")]
fn credential(household: &Household, token: Uuid) -> Credential {
    let user = UserId::from_authenticated(household.user.user_id);
    Credential::new(user, GrantReference::PersonalAccessToken(token))
}

/// A service over a store with one connection.
async fn service(app: &App) -> Service {
    let connection = app.database.configuration(passbook_schema::READER).into();
    let config = Config::new(connection).with_connections_max(1).with_today(TODAY);
    Service::new(Arc::new(Store::connect(config).await.expect("role and schema pass the check")))
}

fn household_with_a_book() -> Household {
    let mut household = Household::new();
    let book = household.expense("2026-11-20", ExpenseCategory::Books, 2_150, "EUR");
    book.merchant_name = Some("Librairie".to_owned());
    household
}

#[tokio::test]
async fn figures_of_a_snapshot_agree_while_rows_arrive_and_the_grant_is_revoked() {
    let app = App::start().await;
    let mut household = household_with_a_book();
    app.load(household.records()).await;
    let (_, token) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    let (service, credential) = (service(&app).await, credential(&household, token));

    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    assert_eq!(snapshot.report_settings().today, date(2026, 11, 21));
    let cashflow = || snapshot.call::<CashflowSummary>(cashflow_summary::Params::default());
    assert_eq!(cashflow().await.expect("a total").expense_total.amount_cents, 2_150);
    household.expense("2026-11-21", ExpenseCategory::Books, 1_000, "EUR");
    app.load(household.records()).await;
    let revoke =
        format!("update passbook.personal_access_tokens set revoked_at = now() where token_id = '{token}'");
    app.write(&revoke).await;
    assert_eq!(cashflow().await.expect("the same total").expense_total.amount_cents, 2_150);
    let merchants = snapshot.call::<TopMerchants>(top_merchants::Params::default()).await.expect("merchants");
    assert_eq!(merchants.total_expense.amount_cents, 2_150);

    // The dropped snapshot returns the only connection, and the next call reads the revoked grant.
    drop(snapshot);
    let refused = service.call::<CashflowSummary>(&credential, cashflow_summary::Params::default()).await;
    assert_eq!(refused.map_err(|error| error.code()).map(drop), Err(Code::Unauthorized));
    let refused = service.snapshot(&credential).await.map_err(|error| error.code());
    assert_eq!(refused.map(drop), Err(Code::Unauthorized));
}

#[tokio::test]
async fn each_call_of_a_snapshot_needs_its_scope() {
    let app = App::start().await;
    let household = household_with_a_book();
    app.load(household.records()).await;
    let (_, token) = app.token_with(household.user.user_id, &[Scope::SpendingRead], true, true).await;
    let (service, credential) = (service(&app).await, credential(&household, token));
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    let refused = snapshot.call::<CashflowSummary>(cashflow_summary::Params::default()).await;
    assert_eq!(refused.map_err(|error| error.code()).map(drop), Err(Code::InsufficientScope));
    let merchants = snapshot.call::<TopMerchants>(top_merchants::Params::default()).await.expect("merchants");
    assert_eq!(merchants.merchants[0].merchant, "Librairie");
}

#[tokio::test]
async fn snapshot_without_prepared_statements_reads_one_state() {
    let app = App::start().await;
    let mut household = household_with_a_book();
    app.load(household.records()).await;
    let (_, token) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    let connection = app.database.configuration(passbook_schema::READER).into();
    let config = Config::new(connection).with_connections_max(1).with_today(TODAY);
    let store = Store::connect(config).await.expect("role and schema pass the check");
    let service = Service::new(Arc::new(store.without_prepared_statements()));
    let credential = credential(&household, token);
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    household.expense("2026-11-21", ExpenseCategory::Books, 1_000, "EUR");
    app.load(household.records()).await;
    // The first use of the query fetches its parameter types inside the transaction of the snapshot.
    let cashflow = snapshot.call::<CashflowSummary>(cashflow_summary::Params::default()).await;
    assert_eq!(cashflow.expect("a total").expense_total.amount_cents, 2_150);
}

#[tokio::test]
async fn failed_read_ends_the_snapshot() {
    let app = App::start().await;
    let household = household_with_a_book();
    app.load(household.records()).await;
    let (_, token) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    let (service, credential) = (service(&app).await, credential(&household, token));
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    let superuser = app.database.connect("postgres").await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
               where datname = current_database() and state = 'idle in transaction'";
    execute(&superuser, end).await;
    for _ in 0..2 {
        let failed = snapshot.call::<CashflowSummary>(cashflow_summary::Params::default()).await;
        assert_eq!(failed.map_err(|error| error.code()).map(drop), Err(Code::Unavailable));
    }
    drop(snapshot);
    service.snapshot(&credential).await.expect("another snapshot has another connection");
}
