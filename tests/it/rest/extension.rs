//! The example adapter of `docs/embedding.md`, mounted beside REST on the same database: it serves every operation.
//! `pipeline.rs` covers its rules. Snapshots of the service: several operations over one state of the data.

use std::sync::Arc;

use jiff::civil::date;
use passbook_auth::Authenticator;
use passbook_domain::access::Credential;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::Scope;
use passbook_operations::cashflow_summary::{self, CashflowSummary};
use passbook_operations::top_merchants::{self, TopMerchants};
use passbook_operations::{Code, Service};
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, Rest, Router};
use passbook_store::Store;
use serde_json::Value;
use tests::app::{App, store_config, token_credential};
use tests::catalogue::listed;
use tests::database::execute;
use tests::household::Household;

use super::pipeline::{assert_reply, get};

/// Returns a router of the example adapter and REST on the database of `app`.
async fn router(app: &App) -> Router {
    let store = Arc::new(store(app).await);
    let authenticator = Authenticator::new(passbook_auth::AuthenticatorConfig::default(), store.clone());
    let config = PipelineConfig::new(BaseUrl::parse("https://money.example/api").expect("an address"));
    let pipeline = Pipeline::new(Service::new(store.clone()), authenticator, config);
    let rest = Rest::new(&pipeline, store);
    Router::new(&pipeline, [passbook_report::endpoints(&pipeline), rest.endpoints()].concat())
}

/// A store with one connection.
async fn store(app: &App) -> Store {
    let config = store_config(app.database.configuration(passbook_schema::READER));
    Store::connect(config).await.expect("role and schema pass the check")
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
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR").merchant_name =
        Some("Line\nBreak \"&\" Söhne".to_owned());
    household.expense("2026-11-04", ExpenseCategory::Coffee, 450, "USD");
    app.load(household.records()).await;
    let router = router(&app).await;
    let token = app.token(household.user.user_id).await;
    for operation in listed() {
        let (id, path) = (operation.spec.id, operation.spec.path);
        for query_string in operation.query_strings() {
            let payload = get(&router, &format!("/api{path}{query_string}"), &token).await.ok();
            let reply = get(&router, &format!("/report/{id}{query_string}"), &token).await;
            assert_reply(&reply, 200, "");
            let lines: Vec<&str> = std::str::from_utf8(&reply.body).expect("UTF-8").lines().collect();
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

/// Starts an application with a household that has one expense. Returns the household, and the credential of a token.
async fn with_a_book(scopes: &[Scope]) -> (App, Household, Credential) {
    let app = App::start().await;
    let mut household = Household::new();
    let book = household.expense("2026-11-20", ExpenseCategory::Books, 2_150, "EUR");
    book.merchant_name = Some("Librairie".to_owned());
    app.load(household.records()).await;
    let (_, token) = app.token_with(household.user.user_id, scopes, true, true).await;
    let credential = token_credential(household.user.user_id, token);
    (app, household, credential)
}

#[tokio::test]
async fn figures_of_a_snapshot_agree_while_rows_arrive_and_the_grant_is_revoked() {
    let (app, mut household, credential) = with_a_book(Scope::ALL).await;
    let service = Service::new(Arc::new(store(&app).await));
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    assert_eq!(snapshot.report_settings().today, date(2026, 11, 21));
    let cashflow = || snapshot.call::<CashflowSummary>(cashflow_summary::Params::default());
    assert_eq!(cashflow().await.expect("a total").expense_total.amount_cents, 2_150);
    household.expense("2026-11-21", ExpenseCategory::Books, 1_000, "EUR");
    app.load(household.records()).await;
    app.write("update passbook.personal_access_tokens set revoked_at = now()").await;
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
    let (app, _, credential) = with_a_book(&[Scope::SpendingRead]).await;
    let service = Service::new(Arc::new(store(&app).await));
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    let refused = snapshot.call::<CashflowSummary>(cashflow_summary::Params::default()).await;
    assert_eq!(refused.map_err(|error| error.code()).map(drop), Err(Code::InsufficientScope));
    let merchants = snapshot.call::<TopMerchants>(top_merchants::Params::default()).await.expect("merchants");
    assert_eq!(merchants.merchants[0].merchant, "Librairie");
}

#[tokio::test]
async fn snapshot_without_prepared_statements_reads_one_state() {
    let (app, mut household, credential) = with_a_book(Scope::ALL).await;
    let service = Service::new(Arc::new(store(&app).await.without_prepared_statements()));
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    household.expense("2026-11-21", ExpenseCategory::Books, 1_000, "EUR");
    app.load(household.records()).await;
    // The first use of the query fetches its parameter types inside the transaction of the snapshot.
    let cashflow = snapshot.call::<CashflowSummary>(cashflow_summary::Params::default()).await;
    assert_eq!(cashflow.expect("a total").expense_total.amount_cents, 2_150);
}

#[tokio::test]
async fn failed_read_ends_the_snapshot() {
    let (app, _, credential) = with_a_book(Scope::ALL).await;
    let service = Service::new(Arc::new(store(&app).await));
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
