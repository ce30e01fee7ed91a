//! Failures while the server runs: lost database, slow statements, rows that violate the contract, disconnecting
//! clients, and shutdown.

pub(crate) mod clients;
mod connections;
mod database;

use std::time::Duration;

use tests::app::App;
use tests::database::{Database, execute, one};
use tests::household::Household;
use tokio_postgres::Client;

/// Time limit of a wait in a test. A successful wait takes a fraction of it.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The paths of all operations.
fn paths() -> Vec<&'static str> {
    tests::catalogue::listed().into_iter().map(|listed| listed.spec.path).collect()
}

/// Starts an application with settings and one person. Returns the person's token.
pub(crate) async fn app(environment: &[(&str, &str)]) -> (App, String) {
    let app = App::configured(environment).await;
    let mut household = Household::new();
    household.expense("2026-11-01", passbook_domain::category::ExpenseCategory::Rent, 120_000, "EUR");
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    (app, token)
}

/// Locks the transactions table. Readers wait until the returned session ends or rolls back.
pub(crate) async fn lock_transactions(database: &Database) -> Client {
    let client = database.connect("postgres").await;
    execute(&client, "begin; lock table passbook.transactions").await;
    client
}

pub(crate) async fn release(lock: &Client) {
    execute(lock, "rollback").await;
}

/// Changes the limits of the reader role in this database and ends its sessions, which have the previous limits.
pub(crate) async fn limit_reader(database: &Database, limits: &[(&str, &str)]) {
    let client = database.connect("postgres").await;
    for (name, value) in limits {
        let statement = format!(
            "do $$ begin execute format('alter role passbook_reader in database %I set {name} = %L', \
             current_database(), '{value}'); end $$"
        );
        execute(&client, &statement).await;
    }
    database.rename_away(true).await;
    database.rename_away(false).await;
}

/// Waits until the number of server sessions that satisfy `condition` is `wanted`.
///
/// Each query runs outside of a transaction, because a transaction would see the sessions of its first query only.
pub(crate) async fn until_sessions(database: &Database, condition: &str, wanted: i64) {
    let client = database.connect("postgres").await;
    let query = format!(
        "select count(*) from pg_stat_activity \
         where datname = current_database() and application_name = 'passbook-server' and {condition}"
    );
    let counting = tests::until(async || one::<i64>(&client, &query).await == wanted);
    let counted = tokio::time::timeout(TIMEOUT, counting).await;
    counted.unwrap_or_else(|_| panic!("timed out waiting for {wanted} sessions with {condition}"));
}

/// The condition of a session that waits for a lock.
pub(crate) const WAITING: &str = "wait_event_type = 'Lock'";
