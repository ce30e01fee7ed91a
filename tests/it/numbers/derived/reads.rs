//! The rows that the triggers read when a writer stores many rows in tables without statistics, as in a first load.

use tokio_postgres::Client;

use super::{check, database, statements};

/// Number of rows of a statement. Each has a merchant of its own.
const ROWS: i64 = 2_000;
/// Maximum number of rows of a table that may be read for each stored row. An index of a category and year, or of an
/// account, would find about a thousand for each.
const READ_MAX: i64 = 40;

/// Returns a statement that inserts [`ROWS`] expenses in one category and year. Each fiftieth row is posted and linked to the
/// pending row before it.
fn insert(text: &str) -> String {
    format!(
        "insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
           amount_cents, currency, title, merchant_name, pending, linked_transaction_id) \
         select '{user}', md5('{text}' || n)::uuid, '00000000-0000-4000-8000-00000000a001', '2025-01-01', 'EXPENSE', \
           'GROCERIES', 100 + n, 'EUR', 'Purchase', 'Shop ' || n, n % 50 = 1, \
           case when n % 50 = 2 then md5('{text}' || n - 1)::uuid end \
         from generate_series(1, {ROWS}) as n",
        user = statements::user(0),
    )
}

/// Returns the rows of tables that the current transaction has read, with the name of the table.
async fn rows_read(writer: &Client) -> Vec<(String, i64)> {
    let query = "select relname::text, seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables \
                 where schemaname = 'passbook' and idx_tup_fetch is not null";
    let rows = writer.query(query, &[]).await.expect("the numbers are read");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

#[tokio::test]
async fn rows_of_a_first_load_are_stored_by_their_keys() {
    let database = database().await;
    let mut writer = database.connect("passbook_writer").await;
    // In one transaction, in which no other process collects statistics.
    let transaction = writer.transaction().await.expect("a transaction");
    for (written, text) in [(ROWS, "first"), (2 * ROWS, "second")] {
        transaction.batch_execute(&insert(text)).await.expect("the rows are stored");
        let read = rows_read(transaction.client()).await;
        for table in [
            "transactions",
            "category_totals",
            "account_category_totals",
            "merchant_totals",
            "merchant_upper_bounds",
        ] {
            assert!(read.iter().any(|(name, _)| name == table), "{table} is counted: {read:?}");
        }
        for (table, rows) in read {
            assert!(rows <= READ_MAX * written, "{table}: {rows} rows read to store {written}");
        }
    }
    let deleted = "delete from passbook.transactions where merchant_name like 'Shop 1%'";
    transaction.batch_execute(deleted).await.expect("the rows are deleted");
    for (table, rows) in rows_read(transaction.client()).await {
        assert!(rows <= READ_MAX * 3 * ROWS, "{table}: {rows} rows read");
    }
    transaction.commit().await.expect("the transaction ends");
    let superuser = database.connect("postgres").await;
    check(&superuser, "the load").await.expect("the derived values are right");
}
