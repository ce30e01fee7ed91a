//! Work per request, counted and never timed: statements and round trips, the rows and blocks that a page reads, and the
//! connections that requests use.

use passbook_domain::ports::{TokenDirectory as _, TokenHash};
use passbook_server::settings::Settings;
use passbook_store::{Store, StoreConfig};
use serde_json::{Value, json};
use tests::app::{App, TODAY, settings, store_config};
use tests::database::{Database, execute, one};
use tests::http::Reply;
use tests::mcp::Era;
use tests::plans::{blocks, explained, scans_of_transactions};
use tests::proxy::{PredicateRemoval, Proxy};
use tokio::join;
use tokio_postgres::Client;

/// A search for a token, which takes a connection of the pool. No token has this hash.
async fn search(store: &Store) {
    let owner = store.find(TokenHash::new([0; 32])).await.expect("the database answers");
    assert!(owner.is_none());
}

/// A busy user's slow requests, which follow each other, must use one process of PostgreSQL: the system's scheduler lets a
/// process that was idle for long run before the processes of other users.
#[tokio::test]
async fn requests_that_follow_each_other_use_one_connection() {
    let database = Database::fresh().await;
    let store = Store::new(StoreConfig::new(database.configuration(passbook_schema::READER).into()))
        .expect("valid settings");
    join!(search(&store), search(&store), search(&store));
    assert_eq!(store.pool_status().connections, 3);
    let observer = database.connect("postgres").await;
    let now = "select clock_timestamp()";
    let since: std::time::SystemTime = one(&observer, now).await;
    for _ in 0..4 {
        search(&store).await;
    }
    let used = "select count(*) from pg_stat_activity
                where datname = current_database() and usename = 'passbook_reader' and query_start > $1";
    let used: i64 = observer.query_one(used, &[&since]).await.expect("a number").get(0);
    assert_eq!(used, 1);
}

/// An application whose connections to PostgreSQL lead through a recording proxy.
struct Recorded {
    app: App,
    proxy: Proxy,
    token: String,
}

impl Recorded {
    async fn start() -> Recorded {
        let database = Database::fresh().await;
        let settings = Settings { today: Some(TODAY), ..settings(&[]) };
        let proxy = Proxy::start(database.configuration(passbook_schema::READER), PredicateRemoval::None);
        // One connection, so that the second request of each kind finds its statements prepared.
        let config = store_config(proxy.configuration());
        let store = Store::new(config).expect("the configuration is valid");
        let app = App::serve(database, settings, store).await;
        let (_, token) = app.add_person().await;
        Recorded { app, proxy, token }
    }

    /// Sends a request twice. Returns the messages of PostgreSQL to the second one.
    async fn messages(&self, send: impl AsyncFn() -> Reply) -> Vec<String> {
        send().await;
        self.proxy.clear_responses();
        let reply = send().await;
        assert!(reply.status.is_success(), "{reply:?}");
        self.proxy.completions()
    }
}

/// The messages to a transaction with this number of queries besides the session. Each statement is one round trip, but
/// all are sent at once. The session alone is one statement.
fn transaction(queries: usize) -> Vec<&'static str> {
    let ends = |tag| [tag, "ReadyForQuery"];
    if queries == 0 {
        return ends("SELECT").to_vec();
    }
    let mut expected = ends("BEGIN").to_vec();
    expected.extend((0..=queries).flat_map(|_| ends("SELECT")));
    expected.extend(ends("COMMIT"));
    expected
}

#[tokio::test]
async fn request_runs_one_transaction_with_the_queries_of_its_operation() {
    let served = Recorded::start().await;
    for (target, transactions) in [
        ("/v1/me", &[0][..]),
        ("/v1/preferences", &[0]),
        ("/v1/transactions?timeRange=1m", &[1]),
        ("/v1/transactions", &[1]),
        // The second transaction reads the nearest names, because nothing matches.
        ("/v1/transactions?categories=RENT&merchantQuery=x", &[1, 1]),
        // Further queries only if some amount has no rate, or if rows follow today.
        ("/v1/transactions?sort=amount_desc", &[1]),
        // An identifier needs no names.
        ("/v1/transactions?accounts=8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d", &[1]),
        // The complete months of a short range are added up from its months; otherwise the last query reads them.
        ("/v1/cashflow/summary?timeRange=1m", &[1]),
        ("/v1/cashflow/summary?merchantQuery=x", &[1, 1]),
        ("/v1/spending/categories?timeRange=1m", &[1]),
        ("/v1/spending/categories", &[2]),
        ("/v1/recurring-payments", &[1]),
        // The second query reads what decides the balances of accounts.
        ("/v1/banks/status", &[2]),
        ("/v1/portfolio/history", &[4]),
    ] {
        let messages = served.messages(async || served.app.get(target, &served.token).await).await;
        let expected: Vec<&str> = transactions.iter().flat_map(|queries| transaction(*queries)).collect();
        assert_eq!(messages, expected, "{target}");
    }
}

#[tokio::test]
async fn initialize_and_tools_list_run_the_grant_check_as_their_only_query() {
    let served = Recorded::start().await;
    for (era, method, params) in [
        (Era::Legacy, "initialize", json!({ "protocolVersion": "2025-11-25" })),
        (Era::Legacy, "ping", json!({})),
        (Era::Legacy, "tools/list", json!({})),
        (Era::Modern, "server/discover", json!({})),
        (Era::Modern, "tools/list", json!({})),
    ] {
        let send = async || served.app.rpc(era, &served.token, method, params.clone()).await;
        assert_eq!(served.messages(send).await, transaction(0), "{method}");
    }
    let call = async || served.app.call(Era::Modern, &served.token, "search_transactions", json!({})).await;
    assert_eq!(served.messages(call).await, transaction(1));
}

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
    execute(&writer, &insert).await;
    database.vacuum().await;
    database
}

/// Executes a query of the store, and returns the plan with its counts.
async fn plan(reader: &Client, name: &str, values: &str) -> Value {
    explained(reader, OPEN, name, values).await["Plan"].clone()
}

#[tokio::test]
async fn page_reads_its_rows_through_an_index_at_any_depth() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    let (newest, oldest) = (
        "'9999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
        "'0001-01-01', '00000000-0000-0000-0000-000000000000'",
    );
    let deep = "'2018-06-01', '80000000-0000-0000-0000-000000000000'";
    let filters = "null, null, null, null, null, null, null, null, null";
    // The anchor of an order by amount must exist.
    let anchor = "'2021-05-31', md5('2000')::uuid";
    for (name, filters, position, index) in [
        ("transactions_date_desc", "", newest, "transactions_newest"),
        ("transactions_date_desc", "", deep, "transactions_newest"),
        ("transactions_date_asc", "", oldest, "transactions_newest"),
        ("transactions_date_asc", "", deep, "transactions_newest"),
        ("transactions_date_desc_filtered", filters, newest, "transactions_newest"),
        ("transactions_date_desc_filtered", filters, deep, "transactions_newest"),
        ("transactions_date_asc_filtered", filters, deep, "transactions_newest"),
        ("transactions_amount_desc", filters, "null, null", "transactions_by_amount"),
        ("transactions_amount_desc", filters, anchor, "transactions_by_amount"),
        ("transactions_amount_asc", filters, "null, null", "transactions_by_amount"),
        ("transactions_amount_asc", filters, anchor, "transactions_by_amount"),
    ] {
        let separator = if filters.is_empty() { "" } else { ", " };
        let values = format!("'{USER}', '{{EXPENSE}}', {filters}{separator}{position}, 51");
        let plan = plan(&reader, name, &values).await;
        assert_eq!(plan["Actual Rows"].as_f64(), Some(51.0), "{name} {position}: {plan:#}");
        assert!(blocks(&plan) <= BLOCKS_MAX, "{name} {position} reads {} blocks: {plan:#}", blocks(&plan));
        let page =
            scans_of_transactions(&plan).into_iter().find(|scan| scan["Actual Rows"].as_f64() >= Some(51.0));
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
    execute(&reader, settings).await;
    let newest = "'9999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    let oldest = "'0001-01-01', '00000000-0000-0000-0000-000000000000'";
    let (text, amount) = (
        "null, null, null, null, 'zzz', null, null, null, null",
        "null, null, 900000, null, null, null, null, null, null",
    );
    for (name, position) in [
        ("transactions_date_desc_filtered", newest),
        ("transactions_date_asc_filtered", oldest),
        ("transactions_amount_desc", "null, null"),
        ("transactions_amount_asc", "null, null"),
    ] {
        for filters in [text, amount] {
            let values = format!("'{USER}', '{{EXPENSE}}', {filters}, {position}, 51");
            let plan = plan(&reader, name, &values).await;
            // PostgreSQL 18 has fractions here.
            assert_eq!(plan["Actual Rows"].as_f64(), Some(0.0), "{name}: {plan:#}");
            for scan in scans_of_transactions(&plan) {
                let of = format!("{name} with {filters}: {scan:#}");
                // The index of rows with a note is empty; it cannot contain long notes.
                if scan["Index Name"] == "transactions_with_note" {
                    assert_eq!(scan["Actual Rows"].as_f64(), Some(0.0), "{of}");
                    continue;
                }
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
    let plan = plan(&reader, "recurring_payments", &values).await;
    let scans = scans_of_transactions(&plan);
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
        one(&reader, settings).await
    };
    let before = settings().await;
    execute(&reader, OPEN).await;
    assert_eq!(settings().await, "force_generic_plan off");
    execute(&reader, "commit").await;
    assert_eq!(settings().await, before);
}

#[tokio::test]
async fn spending_by_category_is_not_compiled_although_the_database_compiles_every_query() {
    let database = database().await;
    let reader = database.connect(passbook_schema::READER).await;
    let settings = "set jit = on; set jit_above_cost = 0; set jit_inline_above_cost = -1; set jit_optimize_above_cost = -1";
    execute(&reader, settings).await;
    let values = format!("'{USER}', true, false, null, null, null, null, null, null, null");
    let explained = async |open: &str| explained(&reader, open, "spending_categories", &values).await;
    let plan = explained(OPEN).await;
    assert!(plan["JIT"].is_null(), "{plan:#}");
    let available = one(&reader, "select pg_jit_available()").await;
    if available {
        let compiled =
            explained(&format!("{OPEN}; set local jit = on; set local statement_timeout = 0")).await;
        assert!(
            compiled["JIT"].is_object(),
            "the database does not compile, so the test shows nothing: {compiled:#}"
        );
    }
}
