//! What a caller sees when something fails while the service runs: the database goes and comes back, a statement
//! takes too long, a row breaks the contract, a client hangs up, the service is told to end.

pub(crate) mod clients;
mod database;
mod rows;

use std::time::Duration;

use operations::Operation;
use operations::catalogue::{Visitor, visit};
use server::settings::Settings;
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::household::Household;
use tokio_postgres::Client;

/// Seconds after which a test gives up waiting. Nothing here takes a fraction of it.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The path of every operation.
fn paths() -> Vec<&'static str> {
    struct Paths(Vec<&'static str>);
    impl Visitor for Paths {
        fn visit<O: Operation>(&mut self) {
            self.0.push(O::SPEC.path);
        }
    }
    let mut paths = Paths(Vec::new());
    visit(&mut paths);
    paths.0
}

/// An application with settings over a database with one person in it, and their token.
async fn app(environment: &[(&str, &str)]) -> (App, String) {
    let settings = Settings { today: Some(TODAY), ..settings(environment) };
    let app = App::start_with(Database::fresh().await, settings).await;
    let mut household = Household::new();
    household.expense("2026-11-01", domain::category::ExpenseCategory::Rent, 120_000, "EUR");
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    (app, token)
}

/// A superuser's session that holds a lock on the transactions, for as long as it lives or until it is told to
/// roll back: whoever reads them waits.
pub(crate) async fn lock_transactions(database: &Database) -> Client {
    let client = database.connect("postgres").await;
    client.batch_execute("begin; lock table passbook.transactions").await.expect("a superuser may");
    client
}

pub(crate) async fn release(lock: &Client) {
    lock.batch_execute("rollback").await.expect("the lock is released");
}

/// Gives the reader other limits in this database alone, and ends its sessions, which have the old ones.
pub(crate) async fn limit_reader(database: &Database, limits: &[(&str, &str)]) {
    let client = database.connect("postgres").await;
    for (name, value) in limits {
        let statement = format!(
            "do $$ begin execute format('alter role passbook_reader in database %I set {name} = %L', \
             current_database(), '{value}'); end $$"
        );
        client.batch_execute(&statement).await.expect("a superuser may");
    }
    database.rename_away(true).await;
    database.rename_away(false).await;
}

/// Asks the database, again and again, until a count of the server's sessions is as wanted.
///
/// Outside any transaction: inside one PostgreSQL shows the sessions as they were at the first look.
pub(crate) async fn until_sessions(database: &Database, condition: &str, wanted: i64) {
    let client = database.connect("postgres").await;
    let query = format!(
        "select count(*) from pg_stat_activity \
         where datname = current_database() and application_name = 'passbook-server' and {condition}"
    );
    let counting = async {
        while client.query_one(&query, &[]).await.expect("the catalogue answers").get::<_, i64>(0) != wanted {
            tokio::task::yield_now().await;
        }
    };
    let counted = tokio::time::timeout(TIMEOUT, counting).await;
    counted.unwrap_or_else(|_| panic!("there are never {wanted} sessions with {condition}"));
}

/// The condition of a session that waits for a lock.
pub(crate) const WAITING: &str = "wait_event_type = 'Lock'";
