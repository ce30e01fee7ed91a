//! Rows that a writer may store: the database rejects a row that breaks a rule, so nothing stored can make a request of its
//! owner fail. Every key and index of personal rows starts with `user_id`, so that the rows of one user can be found,
//! joined and distributed by user. `cargo xtask tidy` checks the joins.

use passbook_domain::category::ExpenseCategory;
use tests::app::App;
use tests::database::{Database, execute, one, tables};
use tests::household::Household;
use tokio_postgres::Client;

/// Statements that the database rejects.
const REJECTED: &str = include_str!("stored_rows/rejected.txt");

/// Texts that are long and cannot be compressed: of title and merchant.
const LONG_TEXTS: &str = "update passbook.transactions set \
    title = (select string_agg(chr(19968 + (n * 7919) % 20000), '' order by n) from generate_series(1, 999) as n) || 'ending', \
    merchant_name = (select string_agg(chr(19968 + (n * 104729) % 20000), '' order by n) from generate_series(1, 200) as n)";

async fn one_expense() -> (App, Household) {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-05", ExpenseCategory::Books, 100, "EUR");
    app.load(household.records()).await;
    (app, household)
}

#[tokio::test]
async fn row_that_breaks_a_rule_is_rejected_by_the_database() {
    let (app, household) = one_expense().await;
    let writer = app.database.connect(passbook_schema::WRITER).await;
    let (user, account) = (household.user.user_id.to_string(), household.accounts[0].to_string());
    for (statement, values) in tests::table::rows(REJECTED) {
        let (code, named) = values[0].split_once(' ').expect("a code and a name");
        let sql = statement.replace("'U'", &format!("'{user}'")).replace("'A'", &format!("'{account}'"));
        let sql = format!("begin; {sql}; commit");
        let error = writer.batch_execute(&sql).await.expect_err(statement);
        execute(&writer, "rollback").await;
        let error = error.as_db_error().expect("an error of the database");
        assert_eq!(error.code().code(), code, "{statement}: {error:?}");
        let names = [error.constraint().unwrap_or_default(), error.message()];
        assert!(names.iter().any(|name| name.contains(named)), "{statement}: {error:?}");
    }
}

#[tokio::test]
async fn long_text_is_stored_and_found_to_its_end() {
    let (app, household) = one_expense().await;
    let writer = app.database.connect(passbook_schema::WRITER).await;
    execute(&writer, LONG_TEXTS).await;
    let token = app.token(household.user.user_id).await;
    for (text, rows) in [("ENDING", 1), ("%E4%BA%8C", 0)] {
        let list = app.get(&format!("/v1/transactions?merchantQuery={text}"), &token).await.ok();
        assert_eq!(list["transactions"].as_array().map(Vec::len), Some(rows), "{text}");
        let total = app.get(&format!("/v1/spending/categories?merchantQuery={text}"), &token).await.ok();
        assert_eq!(total["totalExpense"]["amount_cents"], 100 * rows, "{text}");
    }
}

#[tokio::test]
async fn reader_with_a_user_sees_no_dashboard_of_another() {
    let (app, household) = one_expense().await;
    let other = Household::new();
    app.load(other.records()).await;
    app.write(&format!(
        "insert into passbook.oauth_clients (client_id, kind, user_id, name, scopes) values \
         ('dashboard-of-another', 'personal_dashboard', '{}', 'Dashboard', '{{budgets:read}}')",
        other.user.user_id
    ))
    .await;
    let reader = app.database.connect(passbook_schema::READER).await;
    let open = format!("set app.user_id = '{}'", household.user.user_id);
    execute(&reader, &open).await;
    let seen = "select count(*) from passbook_read.grants where reference = 'dashboard-of-another'";
    assert_eq!(reader.query_one(seen, &[]).await.expect("a count").get::<_, i64>(0), 0);
    // Nobody but those to whom it is granted may execute a function.
    let public = "select string_agg(p.oid::regprocedure::text, ', ') from pg_proc as p \
         where p.pronamespace in ('passbook'::regnamespace, 'passbook_read'::regnamespace) \
           and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0)";
    let public: Option<String> = one(&reader, public).await;
    assert_eq!(public.as_deref(), Some("passbook.current_user_id()"));
}

/// Tables without a column `user_id`, each with the reason.
const SHARED_TABLES: [(&str, &str); 5] = [
    ("base_currency", "the base of the published rates"),
    ("categories", "the closed list of categories"),
    ("exchange_rates", "published rates"),
    ("migrations", "the applied migrations"),
    ("time_zones", "the names of time zones"),
];

/// Foreign keys to clients: a client may serve several users.
const CLIENT_KEYS: [&str; 2] = ["oauth_consents_client_id_fkey", "oauth_sessions_client_id_fkey"];

/// Keys and indexes of personal tables that start with another column, each with the reason.
const OTHER_KEYS: [(&str, &str); 5] = [
    ("oauth_clients_pkey", "a client of everyone has no user"),
    ("oauth_consents_by_client", "deletes the consents of a client"),
    ("oauth_sessions_by_client", "changes the sessions of a deleted client"),
    ("personal_access_tokens_token_hash_key", "finds the user of a token, before the user is known"),
    ("users_by_email", "an e-mail address names one user"),
];

/// The indexes of tables with a column `user_id`, with those of keys: name and first column, which is null for an
/// expression.
const INDEXES: &str = "
    select i.indexrelid::regclass::text, first.attname::text
    from pg_index as i
    join pg_class as c on c.oid = i.indrelid and c.relnamespace = 'passbook'::regnamespace
    join pg_attribute as owner on owner.attrelid = c.oid and owner.attname = 'user_id' and not owner.attisdropped
    left join pg_attribute as first on first.attrelid = c.oid and first.attnum = i.indkey[0]
    order by 1";

/// The foreign keys between tables with a column `user_id`: name, and the first column on either side.
const FOREIGN_KEYS: &str = "
    select k.conname::text, here.attname::text, there.attname::text
    from pg_constraint as k
    join pg_attribute as owner on owner.attrelid = k.conrelid and owner.attname = 'user_id'
    join pg_attribute as target on target.attrelid = k.confrelid and target.attname = 'user_id'
    join pg_attribute as here on here.attrelid = k.conrelid and here.attnum = k.conkey[1]
    join pg_attribute as there on there.attrelid = k.confrelid and there.attnum = k.confkey[1]
    where k.contype = 'f' and k.connamespace = 'passbook'::regnamespace order by 1";

#[tokio::test]
async fn every_table_has_a_user_or_is_shared_for_a_reason() {
    let superuser = superuser().await;
    let tables = tables(&superuser).await;
    let shared = tables.iter().filter(|(_, is_personal)| !is_personal).map(|(table, _)| table.as_str());
    assert!(shared.eq(SHARED_TABLES.map(|(table, _)| table)), "{tables:?}");
    assert!(tables.len() > 15, "the query must find all tables");
}

#[tokio::test]
async fn every_index_of_personal_rows_starts_with_the_user() {
    let superuser = superuser().await;
    let rows = superuser.query(INDEXES, &[]).await.expect("the catalogue is read");
    assert!(rows.len() > 20, "the query must find all indexes");
    let other: Vec<String> = rows
        .iter()
        .filter(|row| row.get::<_, Option<&str>>(1) != Some("user_id"))
        .map(|row| row.get::<_, &str>(0).trim_start_matches("passbook.").to_owned())
        .collect();
    assert_eq!(other, OTHER_KEYS.map(|(key, _)| key));
}

#[tokio::test]
async fn every_foreign_key_between_personal_tables_starts_with_the_user() {
    let superuser = superuser().await;
    let rows = superuser.query(FOREIGN_KEYS, &[]).await.expect("the catalogue is read");
    assert!(rows.len() > 15, "the query must find all foreign keys");
    for row in &rows {
        let (key, here, there): (&str, &str, &str) = (row.get(0), row.get(1), row.get(2));
        if CLIENT_KEYS.contains(&key) {
            continue;
        }
        assert_eq!((here, there), ("user_id", "user_id"), "{key}");
    }
}

async fn superuser() -> Client {
    Database::fresh().await.connect("postgres").await
}
