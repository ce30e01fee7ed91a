//! The plans of pages: an index finds the rows of a page, however deep the page is, and PostgreSQL keeps the plan.

use passbook_store::QUERIES;
use serde_json::Value;
use tests::database::Database;
use tokio_postgres::Client;
use tokio_postgres::SimpleQueryMessage;

const USER: &str = "00000000-0000-4000-8000-000000000001";
/// Number of transactions of the user.
const ROWS: usize = 4_000;
/// Maximum number of blocks that a page of 51 rows may read: for each row one of the table, and a few of the indexes,
/// accounts and banks per row and per query. All rows of the user have more.
const BLOCKS_MAX: u64 = 400;
const OPEN: &str = "begin isolation level repeatable read, read only; select from passbook_read.open_session(\
     '00000000-0000-4000-8000-000000000001', 'personal_access_token', 'x', null, null, null, null, null, null)";

/// A database in which one user has [`ROWS`] transactions, one in every 10 of them in another currency.
async fn database() -> Database {
    let database = Database::fresh().await;
    let writer = database.connect(passbook_schema::WRITER).await;
    let insert = format!(
        "insert into passbook.users (user_id, email) values ('{USER}', 'ada@example.org');
         insert into passbook.exchange_rates (currency, date, rate) \
           select 'USD', day, 1.1 from generate_series('2016-01-01'::date, '2026-11-21', '7 days') as day;
         insert into passbook.bank_connections (user_id, bank_id, name) values ('{USER}', md5('bank')::uuid, 'Bank');
         insert into passbook.accounts \
             (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at) \
           values ('{USER}', md5('account')::uuid, md5('bank')::uuid, 'Checking', 'depository', 'checking', 'EUR', 0, now());
         insert into passbook.transactions \
             (user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title) \
           select '{USER}', md5(n::text)::uuid, md5('account')::uuid, '2026-11-21'::date - n % 3600, 'EXPENSE', 'BOOKS', \
             100 + n % 977, case when n % 10 = 0 then 'USD' else 'EUR' end, 'Purchase ' || n \
           from generate_series(1, {ROWS}) as n"
    );
    writer.batch_execute(&insert).await.expect("the rows are stored");
    database.vacuum().await;
    database
}

/// Executes a query of the store with its plan for all parameter values, and returns the plan with its counts.
async fn plan(reader: &Client, name: &str, types: &str, values: &str) -> Value {
    explained(reader, OPEN, name, types, values).await["Plan"].clone()
}

/// Executes a query of the store in a transaction that `open` begins, and returns what PostgreSQL tells about it.
async fn explained(reader: &Client, open: &str, name: &str, types: &str, values: &str) -> Value {
    let query = QUERIES.iter().find(|query| query.name == name).expect("the query exists");
    let statements = format!(
        "{open}; prepare page ({types}) as {}; \
         explain (analyze, buffers, timing off, summary off, format json) execute page ({values}); \
         deallocate page; commit",
        query.sql
    );
    let messages = reader.simple_query(&statements).await.expect("the query runs");
    let text = messages.iter().rev().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    let plan: Value = serde_json::from_str(&text.expect("a plan")).expect("JSON");
    plan[0].clone()
}

/// Returns the nodes that read transactions.
fn scans(plan: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    if plan["Relation Name"] == "transactions" && plan["Actual Loops"] != 0 {
        found.push(plan);
    }
    for child in plan["Plans"].as_array().into_iter().flatten() {
        found.extend(scans(child));
    }
    found
}

fn blocks(plan: &Value) -> u64 {
    ["Shared Hit Blocks", "Shared Read Blocks"].iter().filter_map(|key| plan[*key].as_u64()).sum()
}

/// Types of the parameters of the pages with filters.
const FILTERED: &str = "uuid, text[], text[], uuid[], bigint, bigint, text, boolean, date, uuid, bigint";

#[tokio::test]
async fn page_reads_its_rows_through_an_index_at_any_depth() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    let unfiltered = "uuid, text[], date, uuid, bigint";
    let (newest, oldest) = (
        "'9999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
        "'0001-01-01', '00000000-0000-0000-0000-000000000000'",
    );
    let deep = "'2018-06-01', '80000000-0000-0000-0000-000000000000'";
    let filters = "null, null, null, null, null, null";
    // The anchor of an order by amount must exist.
    let anchor = "'2021-05-31', md5('2000')::uuid";
    for (name, types, filters, position, index) in [
        ("transactions_date_desc", unfiltered, "", newest, "transactions_newest"),
        ("transactions_date_desc", unfiltered, "", deep, "transactions_newest"),
        ("transactions_date_asc", unfiltered, "", oldest, "transactions_newest"),
        ("transactions_date_asc", unfiltered, "", deep, "transactions_newest"),
        ("transactions_date_desc_filtered", FILTERED, filters, newest, "transactions_newest"),
        ("transactions_date_desc_filtered", FILTERED, filters, deep, "transactions_newest"),
        ("transactions_date_asc_filtered", FILTERED, filters, deep, "transactions_newest"),
        ("transactions_amount_desc", FILTERED, filters, "null, null", "transactions_by_amount"),
        ("transactions_amount_desc", FILTERED, filters, anchor, "transactions_by_amount"),
        ("transactions_amount_asc", FILTERED, filters, "null, null", "transactions_by_amount"),
        ("transactions_amount_asc", FILTERED, filters, anchor, "transactions_by_amount"),
    ] {
        let separator = if filters.is_empty() { "" } else { ", " };
        let values = format!("'{USER}', '{{EXPENSE}}', {filters}{separator}{position}, 51");
        let plan = plan(&reader, name, types, &values).await;
        assert_eq!(plan["Actual Rows"].as_f64(), Some(51.0), "{name} {position}: {plan:#}");
        assert!(blocks(&plan) <= BLOCKS_MAX, "{name} {position} reads {} blocks: {plan:#}", blocks(&plan));
        let page = scans(&plan).into_iter().find(|scan| scan["Actual Rows"].as_f64() >= Some(51.0));
        let page = page.unwrap_or_else(|| panic!("{name} {position}: {plan:#}"));
        assert_eq!(page["Index Name"], index, "{name} {position}: {plan:#}");
        assert!(page["Index Cond"].as_str().is_some_and(|condition| condition.contains("ROW(")), "{page:#}");
        assert_eq!(page["Rows Removed by Filter"].as_u64().unwrap_or(0), 0, "{name} {position}: {page:#}");
    }
}

#[tokio::test]
async fn filter_that_matches_nothing_reads_no_row_of_the_table() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    // The user has all rows of the small table, so that PostgreSQL would otherwise read the table from its start to its end.
    let settings = "set enable_seqscan = off; set enable_bitmapscan = off";
    reader.batch_execute(settings).await.expect("the settings change");
    let newest = "'9999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    let oldest = "'0001-01-01', '00000000-0000-0000-0000-000000000000'";
    let (text, amount) = ("null, null, null, null, 'zzz', null", "null, null, 900000, null, null, null");
    for (name, position) in [
        ("transactions_date_desc_filtered", newest),
        ("transactions_date_asc_filtered", oldest),
        ("transactions_amount_desc", "null, null"),
        ("transactions_amount_asc", "null, null"),
    ] {
        for filters in [text, amount] {
            let values = format!("'{USER}', '{{EXPENSE}}', {filters}, {position}, 51");
            let plan = plan(&reader, name, FILTERED, &values).await;
            // PostgreSQL 18 has fractions here.
            assert_eq!(plan["Actual Rows"].as_f64(), Some(0.0), "{name}: {plan:#}");
            for scan in scans(&plan) {
                let of = format!("{name} with {filters}: {scan:#}");
                assert_eq!(scan["Node Type"], "Index Only Scan", "{of}");
                assert_eq!(scan["Heap Fetches"], 0, "{of}");
            }
        }
    }
}

#[tokio::test]
async fn recurring_payments_read_only_the_rows_of_their_months() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    let values = format!("'{USER}', '2026-11-21', 25");
    let plan = plan(&reader, "recurring_payments", "uuid, date, integer", &values).await;
    let scans = scans(&plan);
    let [scan] = &scans[..] else { panic!("one scan: {plan:#}") };
    assert!(scan["Actual Rows"].as_f64() < Some(1_500.0), "{scan:#}");
    assert_eq!(scan["Rows Removed by Filter"].as_u64().unwrap_or(0), 0, "{scan:#}");
}

#[tokio::test]
async fn open_session_keeps_plans_and_disables_compilation_until_the_transaction_ends() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    let settings = async || -> String {
        let settings = "select current_setting('plan_cache_mode') || ' ' || current_setting('jit')";
        reader.query_one(settings, &[]).await.expect("the settings are read").get(0)
    };
    let before = settings().await;
    reader.batch_execute(OPEN).await.expect("the session opens");
    assert_eq!(settings().await, "force_generic_plan off");
    reader.batch_execute("commit").await.expect("the transaction ends");
    assert_eq!(settings().await, before);
}

#[tokio::test]
async fn spending_by_category_is_not_compiled_although_the_database_compiles_every_query() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    let settings = "set jit = on; set jit_above_cost = 0; set jit_inline_above_cost = 0; set jit_optimize_above_cost = 0";
    reader.batch_execute(settings).await.expect("the settings change");
    let types = "uuid, boolean, boolean, text[], uuid[], text, text";
    let values = format!("'{USER}', true, false, null, null, null, null");
    let explained = async |open: &str| explained(&reader, open, "spending_categories", types, &values).await;
    let plan = explained(OPEN).await;
    assert!(plan["JIT"].is_null(), "{plan:#}");
    let available = reader.query_one("select pg_jit_available()", &[]).await.expect("a row").get(0);
    if available {
        let compiled = explained(&format!("{OPEN}; set local jit = on")).await;
        assert!(
            compiled["JIT"].is_object(),
            "the database does not compile, so the test shows nothing: {compiled:#}"
        );
    }
}
