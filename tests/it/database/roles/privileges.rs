//! Statements of the reader and the writer role that PostgreSQL denies.

use tests::app::App;
use tests::database::{Database, execute, one};
use tokio_postgres::error::SqlState;
use uuid::Uuid;

const DENIED: SqlState = SqlState::INSUFFICIENT_PRIVILEGE;
const READ_ONLY: SqlState = SqlState::READ_ONLY_SQL_TRANSACTION;

/// Two people, each with rows in every view.
async fn two_households() -> (Database, Uuid, Uuid) {
    let app = App::start().await;
    let users = app.add_tenants().await.map(|tenant| tenant.household.user.user_id);
    (app.database.clone(), users[0], users[1])
}

/// Runs every statement on its own connection and checks the error.
async fn assert_denied(database: &Database, role: &str, cases: &[(&str, SqlState)]) {
    for (statement, state) in cases {
        let client = database.connect(role).await;
        let answer = client.batch_execute(statement).await;
        let error = answer.expect_err(&format!("{role} must not be able to run: {statement}"));
        assert_eq!(error.code(), Some(state), "{role}: {statement}: {error:?}");
    }
}

/// A hash of all stored rows and the number of relations.
async fn everything(database: &Database) -> (String, i64) {
    let client = database.connect("postgres").await;
    let tables = "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'passbook' order by 1";
    let mut stored = String::new();
    for table in client.query(tables, &[]).await.expect("the query runs") {
        let table: String = table.get(0);
        let rows =
            format!("select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from {table} as t");
        stored.push_str(&one::<String>(&client, &rows).await);
    }
    (stored, one(&client, "select count(*) from pg_class").await)
}

#[tokio::test]
async fn reader_cannot_write() {
    let (database, user, _) = two_households().await;
    let before = everything(&database).await;
    let insert =
        format!("insert into passbook.excluded_categories (user_id, category) values ('{user}', 'RENT')");
    let read_write = format!("begin read write; set local app.user_id = '{user}'; ");
    assert_denied(
        &database,
        "passbook_reader",
        &[
            (&insert, DENIED),
            ("update passbook.transactions set amount_cents = 0", DENIED),
            ("delete from passbook.transactions", DENIED),
            ("truncate passbook.transactions", READ_ONLY),
            ("create table passbook_read.mine (x integer)", READ_ONLY),
            ("create table mine (x integer)", READ_ONLY),
            ("drop view passbook_read.current_user_profile", READ_ONLY),
            (&format!("begin read write; {insert}"), DENIED),
            (&format!("set session characteristics as transaction read write; {insert}"), DENIED),
            (&format!("set default_transaction_read_only = off; {insert}"), DENIED),
            ("begin read write; update passbook.transactions set amount_cents = 0", DENIED),
            ("begin read write; delete from passbook.transactions", DENIED),
            ("begin read write; truncate passbook.transactions", DENIED),
            (&format!("{read_write}update passbook_read.exchange_rates set rate = 1"), DENIED),
            (&format!("{read_write}delete from passbook_read.base_currency"), DENIED),
            ("begin read write; create table passbook.mine (x integer)", DENIED),
            ("begin read write; create table passbook_read.mine (x integer)", DENIED),
            ("begin read write; create table public.mine (x integer)", DENIED),
            ("begin read write; create schema mine", DENIED),
            ("begin read write; drop view passbook_read.current_user_profile", DENIED),
            (
                "begin read write; create or replace view passbook_read.current_user_profile as select 1",
                DENIED,
            ),
            ("begin read write; alter table passbook.transactions disable row level security", DENIED),
            ("begin read write; grant passbook_writer to passbook_reader", DENIED),
            ("begin read write; alter role passbook_reader superuser", DENIED),
            ("copy (select 1) to program 'true'", DENIED),
        ],
    )
    .await;
    assert_eq!(everything(&database).await, before);
}

#[tokio::test]
async fn reader_cannot_bypass_row_level_security() {
    let (database, user, _) = two_households().await;
    let named = format!("set app.user_id = '{user}'; ");
    assert_denied(
        &database,
        "passbook_reader",
        &[
            ("select from passbook.transactions", DENIED),
            (&format!("{named}select from passbook.transactions"), DENIED),
            ("select from passbook.personal_access_tokens", DENIED),
            ("copy passbook.transactions to stdout", DENIED),
            ("set role passbook_owner", DENIED),
            ("set role passbook_writer", DENIED),
            ("set role postgres", DENIED),
            ("set session authorization postgres", DENIED),
            (&format!("{named}set row_security = off; select from passbook_read.transactions"), DENIED),
            (
                &format!("{named}set row_security = off; select from passbook_read.current_user_profile"),
                DENIED,
            ),
            (
                "set app.user_id = 'everybody'; select from passbook_read.current_user_profile",
                SqlState::INVALID_TEXT_REPRESENTATION,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn views_show_rows_of_the_named_person_only() {
    let (database, user, other) = two_households().await;
    let views = "select format('%I.%I', columns.table_schema, columns.table_name) from information_schema.columns \
                 where columns.table_schema = 'passbook_read' and columns.column_name = 'user_id' order by 1";
    let superuser = database.connect("postgres").await;
    let views: Vec<String> =
        superuser.query(views, &[]).await.expect("the query runs").iter().map(|row| row.get(0)).collect();
    assert!(views.len() >= 4, "{views:?}");
    for view in &views {
        let count = format!("select count(*) from {view}");
        let others = format!("{count} where user_id <> '{user}'");
        let reader = database.connect("passbook_reader").await;
        assert_eq!(one::<i64>(&reader, &count).await, 0, "{view} without a named person");
        execute(&reader, "set app.user_id = ''").await;
        assert_eq!(one::<i64>(&reader, &count).await, 0, "{view} with an empty person");
        execute(&reader, &format!("set app.user_id = '{}'", Uuid::new_v4())).await;
        assert_eq!(one::<i64>(&reader, &count).await, 0, "{view} with an unknown person");
        for named in [user, other] {
            execute(&reader, &format!("set app.user_id = '{named}'")).await;
            let own = format!("{count} where user_id = '{named}'");
            assert!(one::<i64>(&reader, &own).await > 0, "{view} of {named}");
            assert_eq!(
                one::<i64>(&reader, &own).await,
                one::<i64>(&reader, &count).await,
                "{view} of {named}"
            );
        }
        execute(&reader, &format!("set app.user_id = '{user}'")).await;
        assert_eq!(one::<i64>(&reader, &others).await, 0, "{view} shows rows of another person");
    }
}

#[tokio::test]
async fn cheap_function_in_a_condition_never_sees_rows_of_others() {
    let (database, user, other) = two_households().await;
    let reader = database.connect("passbook_reader").await;
    // The planner evaluates a cheap condition first, if possible before the condition of the policy.
    let grant = "do $$ begin execute format('grant temporary on database %I to passbook_reader', current_database()); end $$";
    database.connect("postgres").await.batch_execute(grant).await.expect("a superuser can grant");
    let spy = format!(
        "begin read write; \
         create function pg_temp.spy(uuid) returns boolean language plpgsql immutable cost 0.0000001 as \
         $$ begin if $1 = '{other}' then raise exception 'seen'; end if; return true; end $$; \
         set local app.user_id = '{user}'"
    );
    execute(&reader, &spy).await;
    for view in [
        "current_user_profile",
        "transactions",
        "budgets",
        "grants",
        "bank_connections",
        "open_accounts",
        "holdings",
        "wallets",
        "wallet_holdings",
        "paper_accounts",
        "paper_positions",
        "stated_balances",
        "balance_facts",
        "security_prices",
        "wallet_quantities",
        "booked_days",
        "all_wallet_holdings",
        "valuation_gaps",
    ] {
        let query = format!("select count(*) from passbook_read.{view} where pg_temp.spy(user_id)");
        assert!(one::<i64>(&reader, &query).await > 0, "{view}");
    }
}

#[tokio::test]
async fn token_is_found_by_its_exact_hash_only() {
    let (database, user, _) = two_households().await;
    let superuser = database.connect("postgres").await;
    let hash = format!(
        "select encode(token_hash, 'hex') from passbook.personal_access_tokens where user_id = '{user}'"
    );
    let hash: String = one(&superuser, &hash).await;
    let reader = database.connect("passbook_reader").await;
    let found = |hash: &str| {
        format!(
            "select string_agg(user_id::text, ',') from passbook_read.find_personal_access_token(decode('{hash}', 'hex'))"
        )
    };
    assert_eq!(one::<Option<String>>(&reader, &found(&hash)).await, Some(user.to_string()));
    assert_eq!(one::<Option<String>>(&reader, &found("")).await, None);
    assert_eq!(one::<Option<String>>(&reader, &found(&"00".repeat(32))).await, None);
}

#[tokio::test]
async fn writer_loads_data_but_cannot_change_the_schema() {
    let (database, user, _) = two_households().await;
    let before = everything(&database).await;
    assert_denied(
        &database,
        "passbook_writer",
        &[
            ("drop table passbook.budgets", DENIED),
            ("drop view passbook_read.current_user_profile", DENIED),
            ("drop schema passbook cascade", DENIED),
            ("truncate passbook.transactions", DENIED),
            ("alter table passbook.transactions disable row level security", DENIED),
            ("alter table passbook.transactions drop column title", DENIED),
            ("create table passbook.mine (x integer)", DENIED),
            ("create or replace view passbook_read.current_user_profile as select 1", DENIED),
            ("insert into passbook.migrations (version, name, sha256) values (999, 'mine', '')", DENIED),
            ("update passbook.migrations set sha256 = ''", DENIED),
            ("delete from passbook.migrations", DENIED),
            ("update passbook.categories set category_kind = 'income'", DENIED),
            ("delete from passbook.categories", DENIED),
            ("set role passbook_owner", DENIED),
            ("set role postgres", DENIED),
            ("grant passbook_owner to passbook_writer", DENIED),
        ],
    )
    .await;
    assert_eq!(everything(&database).await, before);
    let writer = database.connect("passbook_writer").await;
    let load =
        format!("insert into passbook.excluded_categories (user_id, category) values ('{user}', 'RENT')");
    execute(&writer, &load).await;
}
