//! Database connections that PostgreSQL has ended, refuses or keeps busy: requests succeed as long as the database can
//! serve them.

use futures_util::future::join_all;
use hyper::Method;
use tests::app::{App, settings};
use tests::database::Database;
use tests::household::Household;

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, release, until_sessions};
use crate::outages::clients::send_without_waiting;

const END_SESSIONS: &str = "select pg_terminate_backend(pid) from pg_stat_activity \
                            where datname = current_database() and application_name = 'passbook-server'";
/// Number of sessions of the test of ended connections.
const CONNECTIONS: usize = 8;

/// Sends as many requests at once as the pool has connections. All must succeed.
async fn assert_all_succeed(app: &App, token: &str, place: &str) {
    let replies = join_all((0..2 * CONNECTIONS).map(|_| app.get("/v1/transactions", token))).await;
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status.as_u16()).collect();
    assert_eq!(statuses, vec![200; 2 * CONNECTIONS], "{place}");
}

#[tokio::test]
async fn pooled_connection_that_postgresql_has_ended_costs_no_request() {
    let (app, token) = app(&[]).await;
    let superuser = app.database.connect("postgres").await;
    for round in 1..=20 {
        assert_all_succeed(&app, &token, &format!("round {round}")).await;
        superuser.batch_execute(END_SESSIONS).await.expect("a superuser can end sessions");
        // The look-up of a token is the first statement on an ended connection.
        let unseen = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
        assert_eq!(app.get("/v1/me", unseen.reveal()).await.status, 401, "round {round}");
        superuser.batch_execute(END_SESSIONS).await.expect("a superuser can end sessions");
    }
    assert_eq!(app.send(Method::GET, "/ready", &[]).await.status, 200);
}

#[tokio::test]
async fn requests_share_the_connections_that_postgresql_grants() {
    let (app, token) = app(&[]).await;
    let superuser = app.database.connect("postgres").await;
    superuser
        .batch_execute(
            "do $$ begin execute format('alter database %I connection limit 2', current_database()); end $$",
        )
        .await
        .expect("a superuser can limit connections");
    superuser.batch_execute(END_SESSIONS).await.expect("a superuser can end sessions");
    for round in 1..=5 {
        assert_all_succeed(&app, &token, &format!("round {round}")).await;
    }
    // The connection of the readiness check is refused, so it uses one of the requests.
    app.send(Method::GET, "/ready", &[]).await.ok();
}

#[tokio::test]
async fn request_that_gets_no_connection_in_time_gives_503() {
    let (app, token) =
        app(&[("PASSBOOK_DATABASE_CONNECTIONS", "1"), ("PASSBOOK_REQUEST_SECONDS", "600")]).await;
    let other = Household::new();
    app.load(other.records()).await;
    let [other, unseen] = [app.token(other.user.user_id).await, app.token(other.user.user_id).await];
    limit_reader(&app.database, &[("statement_timeout", "10min"), ("lock_timeout", "10min")]).await;
    app.get("/v1/me", &other).await.ok();
    let lock = lock_transactions(&app.database).await;
    let waiting = send_without_waiting(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    // The lock is held until all have been answered, so only the limit of the wait can end them.
    for (path, token) in [("/v1/me", &other), ("/v1/preferences", &other), ("/v1/me", &unseen)] {
        let reply = tokio::time::timeout(TIMEOUT, app.get(path, token)).await.expect("the wait is bounded");
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (503, "UNAVAILABLE"), "{path}");
        assert!(!reply.header("retry-after").is_empty(), "{path}");
    }
    until_sessions(&app.database, WAITING, 1).await;
    release(&lock).await;
    drop(waiting);
    app.get("/v1/me", &unseen).await.ok();
}

#[tokio::test]
async fn requests_do_not_delay_the_readiness_check() {
    let database = Database::fresh().await;
    let config = settings(&[("PASSBOOK_DATABASE_CONNECTIONS", "1")]);
    let store =
        passbook_server::wiring::store(&config, database.configuration("passbook_reader").into()).await;
    let store = store.expect("role and schema pass the check");
    let app = App::serve(database, config, store.clone()).await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    // The complete check, which waits for locks.
    assert_eq!(store.recheck().await.expect("the check runs"), []);
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let lock = lock_transactions(&app.database).await;
    let waiting = send_without_waiting(&app, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    // The only connection for requests is busy.
    assert_eq!(store.recheck().await.expect("the check runs"), []);
    drop(waiting);
    release(&lock).await;
}

/// The complete check waits for the lock. `/ready` must not wait with it until the request times out.
#[tokio::test]
async fn readiness_check_that_takes_too_long_gives_503() {
    let (app, _) = app(&[]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let lock = lock_transactions(&app.database).await;
    let reply = app.send(Method::GET, "/ready", &[]).await;
    assert_eq!(reply.status, 503);
    assert_eq!(reply.json()["checks"][1]["message"], "does not answer within 3 s");
    release(&lock).await;
}

#[tokio::test]
async fn readiness_distinguishes_a_busy_database_from_an_unreachable_one() {
    let (app, _) = app(&[]).await;
    let message = async || {
        let reply = app.send(Method::GET, "/ready", &[]).await;
        assert_eq!(reply.status, 503);
        reply.json()["checks"][1]["message"].as_str().expect("a message").to_owned()
    };
    let lock = app.database.connect("postgres").await;
    lock.batch_execute("begin; lock table passbook.users").await.expect("a superuser can lock the table");
    assert_eq!(message().await, "is busy: no connection is free, or a lock delays the check");
    release(&lock).await;
    app.database.rename_away(true).await;
    // A result is cached for a second.
    while message().await != "cannot be reached" {}
    app.database.rename_away(false).await;
}

/// A migration changes the type of a column under statements that the server has prepared.
#[tokio::test]
async fn schema_change_under_prepared_statements_costs_no_request() {
    let (app, token) = app(&[]).await;
    let superuser = app.database.connect("postgres").await;
    let mut types = ["varchar", "text"].iter().cycle();
    for round in 1..=4 {
        let replies = join_all((0..CONNECTIONS).map(|_| app.get("/v1/budgets/categories", &token))).await;
        assert!(replies.iter().all(|reply| reply.status == 200), "round {round}: {replies:?}");
        let r#type = types.next().expect("endless");
        let change = format!(
            "begin; alter view passbook_read.budgets rename to budgets_{round}; \
             create view passbook_read.budgets as select user_id, budget_id, category::{type} as category, category_kind, \
             target_cents, currency from passbook_read.budgets_{round}; \
             grant select on passbook_read.budgets to passbook_reader; commit"
        );
        superuser.batch_execute(&change).await.expect("a superuser can change the view");
    }
}
