//! A store over a connection pool of the host.

use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::person::UserId;
use passbook_domain::scope::Scope;
use passbook_operations::Service;
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_store::deadpool_postgres::{Manager, ManagerConfig, Pool, Runtime};
use passbook_store::{ConnectionSettings, Store};
use tests::app::App;
use tests::household::Household;

/// Returns a store over the pool of a host.
fn over_pool(pool: &Pool, settings: &ConnectionSettings) -> Store {
    Store::from_pool(pool.clone(), settings.connector().clone())
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test is the sign-in of the host")]
async fn store_shares_the_pool_and_the_application_name_of_the_host() {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-20", ExpenseCategory::Books, 2_150, "EUR");
    app.load(household.records()).await;
    let user = household.user.user_id;
    let (_, token) = app.token_with(user, Scope::ALL, true, false).await;
    let credential =
        Credential::new(UserId::from_authenticated(user), GrantReference::PersonalAccessToken(token));

    let mut connection = app.database.configuration(passbook_schema::READER);
    connection.application_name("bookkeeping");
    let settings = ConnectionSettings::from(connection.clone());
    let manager = Manager::from_config(connection, settings.connector().clone(), ManagerConfig::default());
    let pool = Pool::builder(manager).max_size(1).runtime(Runtime::Tokio1).build().expect("a pool");
    let service = Service::new(Arc::new(over_pool(&pool, &settings)));
    let cashflow = service.call::<CashflowSummary>(&credential, Params::default()).await.expect("a result");
    assert_eq!(cashflow.expense_total.amount_cents, 2_150);
    assert_eq!(pool.status().size, 1, "the store has opened its connection in the pool of the host");
    let client = pool.get().await.expect("the store has returned the connection");
    let row = client.query_one("select current_setting('application_name')", &[]).await.expect("a row");
    assert_eq!(row.get::<_, &str>(0), "bookkeeping");
}
