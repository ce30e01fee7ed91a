//! Converted amounts while rates change in the same transaction.

use tests::database::{execute, one};
use tokio_postgres::Client;

use super::{check, database, statements};

/// Returns a statement that inserts an expense of 100 cents in dollars on a day.
fn insert(title: &str, day: &str) -> String {
    format!(
        "insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
           amount_cents, currency, title) \
         values ('{user}', md5('{title}')::uuid, '00000000-0000-4000-8000-00000000a001', '{day}', 'EXPENSE', \
           'GROCERIES', 100, 'USD', '{title}')",
        user = statements::user(0),
    )
}

/// Returns a statement that stores the dollars for one euro on a day.
fn store_rate(units: &str, day: &str) -> String {
    format!(
        "insert into passbook.exchange_rates values ('USD', '{day}', {units}) \
         on conflict (currency, date) do update set rate = excluded.rate"
    )
}

/// Returns the title and the converted cents of each row.
async fn converted(client: &Client) -> String {
    let query =
        "select string_agg(title || ' ' || converted_cents, ', ' order by title) from passbook.transactions";
    one(client, query).await
}

#[tokio::test]
async fn rates_changed_in_a_transaction_convert_the_rows_after_them() {
    let database = database().await;
    let client = database.connect("postgres").await;
    let day = "2025-02-01";
    let first = [insert("without a rate", day), store_rate("2", day), insert("first", day)].join("; ");
    execute(&client, &format!("begin; {first}")).await;
    assert_eq!(converted(&client).await, "first 50, without a rate 50");

    let changed = [store_rate("4", day), insert("second", day)].join("; ");
    execute(&client, &format!("savepoint here; {changed}")).await;
    assert_eq!(converted(&client).await, "first 25, second 25, without a rate 25");

    execute(&client, &format!("rollback to savepoint here; {}", insert("third", day))).await;
    assert_eq!(converted(&client).await, "first 50, third 50, without a rate 50");
    execute(&client, "commit").await;
    check(&client, "the transaction").await.expect("the derived values are right");
}

#[tokio::test]
async fn statement_that_stores_a_rate_and_rows_converts_at_the_new_rate() {
    let database = database().await;
    let client = database.connect("postgres").await;
    execute(&client, &store_rate("2", "2025-02-01")).await;
    // One row before the rate of the statement, and one after it.
    let statement = format!(
        "with early as ({}), rate as ({} returning 1) {} from rate",
        insert("early", "2025-02-03"),
        store_rate("4", "2025-02-02"),
        insert("late", "2025-02-03").replace("values (", "select ").trim_end_matches(')'),
    );
    execute(&client, &statement).await;
    assert_eq!(converted(&client).await, "early 25, late 25");
    check(&client, "the statement").await.expect("the derived values are right");
}

#[tokio::test]
async fn day_of_a_rate_does_not_depend_on_the_format_of_dates() {
    let database = database().await;
    let client = database.connect("postgres").await;
    // Both days are written 01/02/2025, one in each format. A function changes the format within a statement.
    let function = "create function public.day(value date, style text) returns date language plpgsql as $$ \
                    begin perform set_config('datestyle', style, true); return value; end $$";
    execute(&client, function).await;
    let rates = [store_rate("2", "2025-02-01"), store_rate("4", "2025-01-02")].join("; ");
    execute(&client, &rates).await;
    let row = |title: &str, day: &str, style: &str| {
        insert(title, day).replace(&format!("'{day}'"), &format!("public.day('{day}', '{style}')"))
    };
    let january = row("January", "2025-01-02", "SQL, MDY");
    let (_, second) = january.split_once("values ").expect("the statement has values");
    let statement = format!("{}, {second}", row("February", "2025-02-01", "SQL, DMY"));
    execute(&client, &statement).await;
    assert_eq!(converted(&client).await, "February 50, January 25");
    check(&client, "the rows").await.expect("the derived values are right");
}

#[tokio::test]
async fn rows_of_one_day_need_its_rates_once() {
    let database = database().await;
    let mut writer = database.connect("passbook_writer").await;
    execute(&writer, &store_rate("2", "2025-01-01")).await;
    let transaction = writer.transaction().await.expect("a transaction");
    let values = insert("row", "2025-01-01")
        .replace("values (", "select ")
        .replace("md5('row')", "md5('row' || n)")
        .trim_end_matches(')')
        .to_owned();
    let statement = format!("{values} from generate_series(1, 500) as n");
    transaction.batch_execute(&statement).await.expect("the rows are stored");
    let query = "select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables \
                 where schemaname = 'passbook' and relname = 'exchange_rates'";
    let read: i64 = transaction.query_one(query, &[]).await.expect("the number is read").get(0);
    assert_eq!(read, 1, "the rate is read once for all rows");
}

#[tokio::test]
async fn rows_of_one_statement_are_converted_for_each_person() {
    let database = database().await;
    let client = database.connect("postgres").await;
    let (day, other) = ("2025-02-01", statements::user(1));
    let pounds = format!("update passbook.users set preferred_currency = 'GBP' where user_id = '{other}'");
    let rates = [store_rate("2", day), store_rate("4", day).replace("USD", "GBP"), pounds];
    execute(&client, &rates.join("; ")).await;
    let row = insert("euros", day);
    let values = row.split_once("values ").expect("a row").1.replace("'00000000-", "'00000001-");
    execute(&client, &format!("{row}, {}", values.replace("euros", "pounds"))).await;
    assert_eq!(converted(&client).await, "euros 50, pounds 200");
}
