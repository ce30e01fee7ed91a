//! Connections to the database: their age, waiting for one of them, and failures to connect to a server that answers with
//! an error. Both programs then print one line with the setting, host, port, database, role, reason and remedy, without the
//! password, and exit with the same code.

use std::time::Duration;

use futures_util::future::join_all;
use hyper::Method;
use passbook_domain::ports::{ReadError, TokenDirectory as _, TokenHash};
use passbook_server::settings::Settings;
use passbook_store::{Store, StoreConfig};
use tests::admin::{Ended, run_program};
use tests::app::{App, TODAY, checked_store, settings};
use tests::database::{Database, execute};
use tests::postgres_stub::{Answer, PostgresStub};

use super::{TIMEOUT, WAITING, app, limit_reader, lock_transactions, release, until_sessions};
use crate::outages::clients::send_without_waiting;

const END_SESSIONS: &str = "select pg_terminate_backend(pid) from pg_stat_activity \
                            where datname = current_database() and pid <> pg_backend_pid()";
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
        execute(&superuser, END_SESSIONS).await;
        // The look-up of a token is the first statement on an ended connection.
        let unseen = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
        assert_eq!(app.get("/v1/me", unseen.reveal()).await.status, 401, "round {round}");
        execute(&superuser, END_SESSIONS).await;
    }
    assert_eq!(app.send(Method::GET, "/ready", &[]).await.status, 200);
}

#[tokio::test]
async fn requests_share_the_connections_that_postgresql_grants() {
    let (app, token) = app(&[]).await;
    let superuser = app.database.connect("postgres").await;
    execute(
        &superuser,
        "do $$ begin execute format('alter database %I connection limit 2', current_database()); end $$",
    )
    .await;
    execute(&superuser, END_SESSIONS).await;
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
    let (household, other) = app.add_person().await;
    let unseen = app.token(household.user.user_id).await;
    limit_reader(&app.database, &[("statement_timeout", "10min"), ("lock_timeout", "10min")]).await;
    app.get("/v1/me", &other).await.ok();
    let lock = lock_transactions(&app.database).await;
    let waiting = send_without_waiting(&app.base_url, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    // The lock is held until all have been answered, so only the limit of the wait can end them.
    for (path, token) in [("/v1/me", &other), ("/v1/preferences", &other), ("/v1/me", &unseen)] {
        let reply = tokio::time::timeout(TIMEOUT, app.get(path, token)).await.expect("the wait is bounded");
        reply.assert_error(503, "UNAVAILABLE", path);
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
    let store = checked_store(&config, database.configuration("passbook_reader")).await;
    let app = App::serve(database, config, store.clone()).await;
    let (_, token) = app.add_person().await;
    // The complete check, which waits for locks.
    assert_eq!(store.recheck().await.expect("the check runs"), []);
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let lock = lock_transactions(&app.database).await;
    let waiting = send_without_waiting(&app.base_url, "/v1/transactions", &token).await;
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
    execute(&lock, "begin; lock table passbook.users").await;
    assert_eq!(message().await, "is busy: no connection is free, or a lock delays the check");
    release(&lock).await;
    app.database.rename_away(true).await;
    // A result is cached for a second.
    tests::until(async || message().await == "cannot be reached").await;
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
        execute(&superuser, &change).await;
    }
}

/// Uses one connection of the pool: no token has this hash.
async fn use_connection(store: &Store) -> Result<(), ReadError> {
    store.find(TokenHash::new([0; 32])).await.map(|owner| assert!(owner.is_none()))
}

/// Returns the process of the session of the reader that was opened last.
async fn last_session(database: &Database) -> i32 {
    let query = "select pid from pg_stat_activity where datname = current_database() and usename = 'passbook_reader' \
                 order by backend_start desc limit 1";
    database.connect("postgres").await.query_one(query, &[]).await.expect("a session").get(0)
}

#[tokio::test]
async fn connection_that_has_reached_its_age_is_replaced() {
    for (age, is_replaced) in [(Duration::ZERO, true), (StoreConfig::CONNECTION_AGE_DEFAULT, false)] {
        let database = Database::fresh().await;
        let config = StoreConfig::new(database.configuration(passbook_schema::READER).into());
        let store = Store::new(config.with_connection_age(age)).expect("valid settings");
        use_connection(&store).await.expect("the database answers");
        let first = last_session(&database).await;
        use_connection(&store).await.expect("the database answers");
        assert_eq!(last_session(&database).await != first, is_replaced, "{age:?}");
    }
}

#[tokio::test]
async fn connection_that_nobody_uses_ends_at_its_age() {
    let settings = Settings { today: Some(TODAY), database_connection_age: Duration::ZERO, ..settings(&[]) };
    let app = App::start_with(Database::fresh().await, settings).await;
    // The start-up check has opened one.
    until_sessions(&app.database, "true", 0).await;
}

/// A password that no program may print.
const SECRET: &str = "hunter2";
/// The settings file of both programs and the first word of their commands.
const PROGRAMS: [(&str, &str, &[&str]); 2] = [
    ("passbook-server", "PASSBOOK_DATABASE_URL", &[]),
    ("passbook-admin", "PASSBOOK_ADMIN_DATABASE_URL", &["user", "list"]),
];

/// Runs both programs with a URL. Each must exit with `code` and print one line: the name of the setting, and `message`.
#[track_caller]
fn assert_failure(situation: &str, url: &str, code: i32, message: &str) {
    for (program, setting, arguments) in PROGRAMS {
        let Ended { code: found, stdout, stderr } = run_program(program, &[(setting, url)], arguments);
        assert_eq!(stderr, format!("{setting}: {message}\n"), "{program}, {situation}");
        assert_eq!((found, stdout.as_str()), (code, ""), "{program}, {situation}");
        assert!(!stderr.contains(SECRET) && !stderr.contains("db error"), "{program}, {situation}: {stderr}");
    }
}

/// Answers of a server, and what the programs print.
const FAILURES: &str = include_str!("connections/failures.txt");

#[test]
fn failure_to_connect_is_one_line_with_address_reason_and_remedy() {
    for (situation, values) in tests::table::rows(FAILURES) {
        let [code, answer, reason] = values[..] else { panic!("{situation}: {values:?}") };
        let answer = match answer.splitn(3, ' ').collect::<Vec<_>>()[..] {
            ["Closed"] => Answer::Closed,
            ["Silence"] => Answer::Silence,
            [code, function, message] => Answer::Error(code, message, function.trim_matches('-')),
            _ => panic!("{situation}: {answer}"),
        };
        let port = PostgresStub::start(answer).port();
        let url = format!("postgresql://operator:{SECRET}@127.0.0.1:{port}/money?connect_timeout=1");
        let message = format!(
            "cannot connect to database \"money\" on 127.0.0.1:{port} as role \"operator\": {reason}"
        );
        assert_failure(situation, &url, code.parse().expect("an exit code"), &message);
    }
}

#[test]
fn missing_password_exits_with_64() {
    let port = PostgresStub::start(Answer::PasswordRequest).port();
    let message = format!(
        "cannot connect to database \"money\" on 127.0.0.1:{port} as role \"operator\": the server asks for a password, \
         and the URL has none; add it: postgresql://role:password@host/database"
    );
    let url = format!("postgresql://operator@127.0.0.1:{port}/money");
    assert_failure("no password", &url, 64, &message);
}
