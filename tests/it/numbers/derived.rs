//! Derived data: after random statements of writers, each derived value is that of `passbook.check_derived`, and the store
//! gives the answers of the ledger in memory, which reads the rows of users only.

mod plans;
mod rates;
mod reads;
mod statements;
mod writers;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tests::check_property;
use tests::compared::compare_stored_rows;
use tests::database::{Database, execute, one};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use statements::Statement;

/// Number of random histories of a database, in an ordinary and in a thorough test run.
const CASES: (u32, u32) = (3, 12);
/// Maximum number of statements of a history.
const STATEMENTS_MAX: usize = 24;

/// Creates a database with the two users of the tests.
async fn database() -> Database {
    let database = Database::fresh().await;
    let writer = database.connect("passbook_writer").await;
    execute(&writer, &statements::set_up()).await;
    database
}

/// Creates a database with the example rows. Returns it with sessions of the superuser and of a writer.
async fn with_example_rows() -> (Database, Client, Client) {
    let database = database().await;
    let superuser = database.connect("postgres").await;
    let writer = database.connect("passbook_writer").await;
    execute(&writer, &statements::example_rows()).await;
    (database, superuser, writer)
}

/// Returns an error that lists the first derived values that differ from those that `check_derived` computes.
async fn check(superuser: &Client, after: &str) -> Result<(), TestCaseError> {
    let query = "select relation, differences from passbook.check_derived() limit 5";
    let rows = superuser.query(query, &[]).await.expect("the differences are computed");
    let found: Vec<String> =
        rows.iter().map(|row| format!("{}: {}", row.get::<_, &str>(0), row.get::<_, i64>(1))).collect();
    prop_assert!(found.is_empty(), "after {after}: {found:#?}");
    Ok(())
}

/// Returns when a statement in the database waits for the lock of another one.
async fn until_a_statement_waits(superuser: &Client) {
    let blocked = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    tests::until(async || one::<i64>(superuser, blocked).await > 0).await;
}

#[test]
fn every_derived_value_is_right_after_every_statement() {
    let strategy = prop::collection::vec(statements::statement(), 1..STATEMENTS_MAX);
    check_property(tests::cases(CASES.0, CASES.1), &strategy, async |history: Vec<Statement>| {
        let database = database().await;
        let superuser = database.connect("postgres").await;
        let writer = database.connect("passbook_writer").await;
        for statement in &history {
            let sql = statement.sql();
            execute(&writer, &sql).await;
            check(&superuser, &sql).await?;
        }
        compare_stored_rows(&database, history.len() as u64, "after the last statement").await;
        Ok(())
    });
}

#[tokio::test]
async fn deriving_follows_each_column_and_each_label_alone() {
    let (database, superuser, writer) = with_example_rows().await;
    // From this seed on, the calls group labelled rows by own category and by tag.
    for (statement, seed) in statements::single_changes().zip(200..) {
        let sql = statement.sql();
        execute(&writer, &sql).await;
        check(&superuser, &sql).await.expect("the derived values are right");
        if matches!(statement, Statement::Label(..)) {
            compare_stored_rows(&database, seed, &sql).await;
        }
    }
}

#[test]
fn statements_in_one_transaction_and_after_a_savepoint_are_derived_at_once() {
    let strategy = prop::collection::vec((statements::statement(), any::<bool>()), 1..STATEMENTS_MAX);
    check_property(tests::cases(CASES.0, CASES.1), &strategy, async |history: Vec<(Statement, bool)>| {
        in_one_transaction(&history).await
    });
}

#[tokio::test]
async fn user_is_deleted_in_the_transaction_that_stored_rows_and_labels() {
    let labels = statements::single_changes().filter(|change| matches!(change, Statement::Label(..)));
    let statements = labels.flat_map(|label| [statements::stored_rows(0), label, Statement::DeleteUser(0)]);
    let history: Vec<_> = statements.map(|statement| (statement, true)).collect();
    in_one_transaction(&history).await.expect("the derived values are right");
}

/// Executes the statements in one transaction, each in a savepoint which is released or (`false`) rolled back, and compares
/// the derived values after each.
async fn in_one_transaction(history: &[(Statement, bool)]) -> Result<(), TestCaseError> {
    let database = database().await;
    let superuser = database.connect("postgres").await;
    execute(&superuser, "begin; set local role passbook_writer").await;
    for (statement, is_released) in history {
        let sql = statement.sql();
        let end = if *is_released { "release savepoint here" } else { "rollback to savepoint here" };
        let sql = format!("savepoint here; {sql}; {end}");
        execute(&superuser, &sql).await;
        execute(&superuser, "set local role postgres").await;
        check(&superuser, &sql).await?;
        execute(&superuser, "set local role passbook_writer").await;
    }
    execute(&superuser, "commit").await;
    compare_stored_rows(&database, history.len() as u64, "after the last statement").await;
    check(&superuser, "commit").await
}

#[tokio::test]
async fn writer_may_not_write_derived_data_whatever_its_settings() {
    let (_database, superuser, writer) = with_example_rows().await;
    let settings = "set passbook.deriving = 'on'; set passbook.locked_state = '00000000-0000-4000-8000-000000000000 CHF'; \
                    set passbook.known_rates = 'USD>EUR@1795219200=1,9;'";
    execute(&writer, settings).await;
    for forged in [
        "update passbook.transactions set converted_cents = 7",
        "update passbook.transactions set is_superseded = not is_superseded",
        "update passbook.transactions set resolved_linked_transaction_id = transaction_id",
        "update passbook.transactions set refunded_category = 'RENT'",
        "update passbook.transactions set own_category_id = null",
        "update passbook.transactions set tag_ids = '{}'",
        "update passbook.transactions set note = 'x'",
        "update passbook.users set last_row_on = '2026-01-01'",
        "update passbook.users set data_version = 0",
        "update passbook.users set names = '{}'",
        "update passbook.users set excluded_categories = '{}'",
        "update passbook.base_currency set version = 0",
        "delete from passbook.category_totals",
        "update passbook.account_category_totals set cents = 0",
        "delete from passbook.merchant_totals",
        "insert into passbook.merchant_upper_bounds values (gen_random_uuid(), 'ALL', '2026-01-01', 'shop', 1, 1)",
        "set role passbook_deriver",
        "create trigger forged before insert on passbook.users execute function passbook.derive_links()",
    ] {
        let error = writer.batch_execute(forged).await.expect_err(forged);
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{forged}: {error:?}");
    }
    let again = "update passbook.transactions set amount_cents = amount_cents + 1, currency = 'USD'";
    execute(&writer, again).await;
    check(&superuser, again).await.expect("the derived values are right");
}

#[tokio::test]
async fn owner_of_the_tables_derives_the_rows_that_the_owner_sees() {
    // The owner sees one user. PostgreSQL 18 also runs the triggers of cascading statements as the owner.
    let (database, superuser, _) = with_example_rows().await;
    let owner = database.connect("postgres").await;
    let user = statements::user(0);
    execute(&owner, &format!("set role passbook_owner; set app.user_id = '{user}'")).await;
    for statement in [
        "update passbook.transactions set amount_cents = amount_cents + 1",
        "update passbook.transactions set pending = not pending",
        "delete from passbook.transactions where title like '%3'",
        "update passbook.users set preferred_currency = 'USD'",
        "update passbook.users set month_start = 25",
        "insert into passbook.exchange_rates values ('USD', '2026-11-20', 2) \
           on conflict (currency, date) do update set rate = 2",
        "delete from passbook.bank_connections",
    ] {
        execute(&owner, statement).await;
        check(&superuser, statement).await.expect("the derived values are right");
    }
}

#[tokio::test]
async fn deriving_again_repairs_every_derived_table() {
    let (_database, superuser, writer) = with_example_rows().await;
    let damage = "set session_replication_role = replica; \
         update passbook.transactions set converted_cents = 1, is_superseded = not is_superseded, \
           resolved_linked_transaction_id = null, note = 'x'; \
         delete from passbook.category_totals where period = 'month'; \
         update passbook.account_category_totals set cents = 0; \
         delete from passbook.merchant_totals; update passbook.merchant_upper_bounds set cents = cents + 1; \
         update passbook.users set last_row_on = null, names = '{x}'; \
         reset session_replication_role";
    execute(&superuser, damage).await;
    let query = "select string_agg(distinct relation, ' ' order by relation) from passbook.check_derived()";
    let all = "account_category_totals category_totals labels merchant_totals merchant_upper_bounds transactions users";
    assert_eq!(one::<String>(&superuser, query).await, all);
    execute(&writer, "select passbook.derive_all()").await;
    check(&superuser, "derive_all").await.expect("the derived values are right");
}
