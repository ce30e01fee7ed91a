//! Rows that a writer may store. The database rejects a row that breaks a rule, so nothing stored can make a request of its
//! owner fail.

use passbook_domain::category::ExpenseCategory;
use tests::app::App;
use tests::household::Household;
use tokio_postgres::error::SqlState;

/// Statements that the database rejects, each with the constraint or the message. `U` is a user, `A` an account of the user.
const REJECTED: &[(&str, SqlState, &str)] = &[
    // Days and moments.
    (
        "update passbook.bank_connections set last_successful_update = 'infinity'",
        SqlState::CHECK_VIOLATION,
        "moment_check",
    ),
    (
        "update passbook.accounts set balance_updated_at = '2201-01-01'",
        SqlState::CHECK_VIOLATION,
        "moment_check",
    ),
    ("update passbook.accounts set closed_on = '-infinity'", SqlState::CHECK_VIOLATION, "calendar_day_check"),
    (
        "insert into passbook.balance_snapshots values ('U', 'A', '-infinity', 5)",
        SqlState::CHECK_VIOLATION,
        "calendar_day_check",
    ),
    (
        "insert into passbook.exchange_rates values ('XYZ', 'infinity', 2)",
        SqlState::CHECK_VIOLATION,
        "calendar_day_check",
    ),
    // Amounts, quantities and rates.
    (
        "update passbook.accounts set balance_cents = -9223372036854775808",
        SqlState::CHECK_VIOLATION,
        "cents_check",
    ),
    (
        "insert into passbook.holdings values ('U', 'A', 'U', 1e20)",
        SqlState::CHECK_VIOLATION,
        "quantity_check",
    ),
    (
        "insert into passbook.security_prices values ('U', 'U', '2026-01-01', 'NaN')",
        SqlState::CHECK_VIOLATION,
        "quantity_check",
    ),
    (
        "insert into passbook.exchange_rates values ('USD', '2026-11-01', 1e-12)",
        SqlState::CHECK_VIOLATION,
        "exchange_rates_rate_check",
    ),
    // Rates against the base currency.
    (
        "insert into passbook.exchange_rates values ('EUR', '2026-11-01', 2)",
        SqlState::CHECK_VIOLATION,
        "base currency",
    ),
    (
        "insert into passbook.exchange_rates values ('USD', '2026-11-01', 2); \
         update passbook.base_currency set currency = 'USD'",
        SqlState::RESTRICT_VIOLATION,
        "cannot change while exchange rates are stored",
    ),
    // Texts.
    (
        "update passbook.transactions set merchant_name = E'\\t\\u00a0\\u2003'",
        SqlState::CHECK_VIOLATION,
        "transactions_merchant_name_check",
    ),
    ("update passbook.accounts set name = E'\\u3000'", SqlState::CHECK_VIOLATION, "display_name_check"),
    ("update passbook.accounts set name = repeat('x', 201)", SqlState::CHECK_VIOLATION, "display_name_check"),
    (
        "update passbook.transactions set title = repeat('x', 65537)",
        SqlState::CHECK_VIOLATION,
        "free_text_check",
    ),
    (
        "update passbook.users set time_zone = 'UTC+3'",
        SqlState::FOREIGN_KEY_VIOLATION,
        "users_time_zone_fkey",
    ),
    (
        "update passbook.users set time_zone = '<foo>-02:30'",
        SqlState::FOREIGN_KEY_VIOLATION,
        "users_time_zone_fkey",
    ),
    (
        "update passbook.accounts set ledger_id = 'nowhere'",
        SqlState::FOREIGN_KEY_VIOLATION,
        "accounts_user_id_ledger_id_fkey",
    ),
    // Credentials.
    (
        "insert into passbook.oauth_clients (client_id, kind, name, scopes) values ('c', 'known_mcp', 'n', '{budgets:read,NULL}')",
        SqlState::CHECK_VIOLATION,
        "scopes_check",
    ),
    (
        "insert into passbook.oauth_clients (client_id, kind, name, scopes) values ('c', 'known_mcp', 'n', '{\"\"}')",
        SqlState::CHECK_VIOLATION,
        "scopes_check",
    ),
    (
        "insert into passbook.oauth_clients (client_id, kind, name, scopes, redirect_uris) \
         values ('c', 'known_mcp', 'n', '{}', '{javascript:alert(1)}')",
        SqlState::CHECK_VIOLATION,
        "redirect_uris_check",
    ),
    // Statements of files.
    (
        "insert into passbook.import_files (user_id, file_id, digest, name, format) \
           values ('U', 'A', sha256('f'), 'f.csv', 'csv'); \
         insert into passbook.import_statements \
           (user_id, file_id, statement, account_id, kind, first_day, last_day, lists_pending, withdrawn_ids) \
           values ('U', 'A', 0, 'A', 'complete', '2026-02-01', '2026-01-01', false, '{}')",
        SqlState::CHECK_VIOLATION,
        "import_statements_check",
    ),
];

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
    for (statement, code, named) in REJECTED {
        let sql = statement.replace("'U'", &format!("'{user}'")).replace("'A'", &format!("'{account}'"));
        let sql = format!("begin; {sql}; commit");
        let error = writer.batch_execute(&sql).await.expect_err(statement);
        writer.batch_execute("rollback").await.expect("the transaction ends");
        let error = error.as_db_error().expect("an error of the database");
        assert_eq!(error.code(), code, "{statement}: {error:?}");
        let names = [error.constraint().unwrap_or_default(), error.message()];
        assert!(names.iter().any(|name| name.contains(named)), "{statement}: {error:?}");
    }
}

#[tokio::test]
async fn long_text_is_stored_and_found_to_its_end() {
    let (app, household) = one_expense().await;
    let writer = app.database.connect(passbook_schema::WRITER).await;
    writer.batch_execute(LONG_TEXTS).await.expect("every text of a bundle fits the indexes");
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
    reader.batch_execute(&open).await.expect("the setting accepts any value");
    let seen = "select count(*) from passbook_read.grants where reference = 'dashboard-of-another'";
    assert_eq!(reader.query_one(seen, &[]).await.expect("a count").get::<_, i64>(0), 0);
    // Nobody but those to whom it is granted may execute a function.
    let public = "select string_agg(p.oid::regprocedure::text, ', ') from pg_proc as p \
         where p.pronamespace in ('passbook'::regnamespace, 'passbook_read'::regnamespace) \
           and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0)";
    let public: Option<String> = reader.query_one(public, &[]).await.expect("the functions").get(0);
    assert_eq!(public.as_deref(), Some("passbook.current_user_id()"));
}
