//! Snapshots of the service: several operations over one state of the data.

use std::sync::Arc;

use jiff::civil::date;
use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::person::UserId;
use passbook_domain::scope::Scope;
use passbook_operations::cashflow_summary::{self, CashflowSummary};
use passbook_operations::top_merchants::{self, TopMerchants};
use passbook_operations::{Code, Service};
use passbook_store::{Config, Store};
use tests::app::{App, TODAY};
use tests::household::Household;
use uuid::Uuid;

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

fn household() -> Household {
    let mut household = Household::new();
    let book = household.expense("2026-11-20", ExpenseCategory::Books, 2_150, "EUR");
    book.merchant_name = Some("Librairie".to_owned());
    household
}

#[tokio::test]
async fn figures_of_a_snapshot_agree_while_rows_arrive_and_the_grant_is_revoked() {
    let app = App::start().await;
    let mut household = household();
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
    let household = household();
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
    let mut household = household();
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
    let household = household();
    app.load(household.records()).await;
    let (_, token) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    let (service, credential) = (service(&app).await, credential(&household, token));
    let snapshot = service.snapshot(&credential).await.expect("a live grant");
    let superuser = app.database.connect("postgres").await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
               where datname = current_database() and state = 'idle in transaction'";
    superuser.batch_execute(end).await.expect("a superuser ends sessions");
    for _ in 0..2 {
        let failed = snapshot.call::<CashflowSummary>(cashflow_summary::Params::default()).await;
        assert_eq!(failed.map_err(|error| error.code()).map(drop), Err(Code::Unavailable));
    }
    drop(snapshot);
    service.snapshot(&credential).await.expect("another snapshot has another connection");
}
