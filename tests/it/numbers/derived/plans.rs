//! The plans of the queries over totals: which tables they read, with the plan that a prepared statement keeps.

use serde_json::Value;
use tests::database::{Database, execute};
use tests::plans::{explained, scans, scans_of_transactions};
use tokio_postgres::Client;

use super::{database, statements, with_example_rows};

/// Queries that are answered from stored totals alone if the range is not limited, each with its value between switches and
/// filters.
const QUERIES: &[(&str, &str)] = &[
    ("cashflow_stored", ", null"),
    ("cashflow_stored", ", 'month'"),
    ("spending_periods_stored", ", 'month'"),
    ("spending_before_stored", ""),
    ("spending_categories_stored", ", null"),
];

/// Switches and filters.
const PARAMETERS: [(&str, &str); 4] = [
    ("true, false", "null, null"),
    ("false, true", "null, null"),
    ("true, false", "'{RENT,SALARY}', null"),
    ("true, false", "null, '{00000000-0000-4000-8000-00000000a001}'"),
];

/// Executes a query in a session of [`reader`], and returns the plan with its counts.
async fn plan(reader: &Client, name: &str, values: &str) -> Value {
    explained(reader, "begin", name, values).await["Plan"].clone()
}

/// Returns the names of the tables that a plan read.
fn tables_read(plan: &Value) -> Vec<&str> {
    scans(plan).into_iter().filter_map(|scan| scan["Relation Name"].as_str()).collect()
}

/// Returns the number of rows that the plan read from a table, those that a filter removed included.
fn rows_read(plan: &Value, table: &str) -> f64 {
    let rows = |scan: &Value| {
        let each = ["Actual Rows", "Rows Removed by Filter"].map(|key| scan[key].as_f64().unwrap_or(0.0));
        (each[0] + each[1]) * scan["Actual Loops"].as_f64().unwrap_or(0.0)
    };
    scans(plan).into_iter().filter(|scan| scan["Relation Name"] == table).map(rows).sum()
}

async fn reader(database: &Database, first: &str, last: &str) -> Client {
    let reader = database.connect("passbook_reader").await;
    let settings = format!(
        "set plan_cache_mode = force_generic_plan; set app.user_id = '{}'; set app.first_day = '{first}'; \
         set app.last_day = '{last}'; set app.last_total_day = '{last}'",
        statements::user(0)
    );
    execute(&reader, &settings).await;
    reader
}

#[tokio::test]
async fn totals_of_whole_months_read_no_transactions() {
    let (database, ..) = with_example_rows().await;
    let user = statements::user(0);
    let whole = reader(&database, "2025-02-01", "2026-10-31").await;
    for &(name, last) in QUERIES {
        for (switches, filters) in PARAMETERS {
            // The equally long range before begins in the middle of a month.
            if name == "spending_before_stored" && filters == PARAMETERS[3].1 {
                continue;
            }
            let plan = plan(&whole, name, &format!("'{user}', {switches}{last}, {filters}")).await;
            let tables = tables_read(&plan);
            assert!(!tables.contains(&"transactions"), "{name} ({filters}): {tables:?}");
            assert!(tables.iter().any(|table| table.ends_with("totals")), "{name} ({filters}): {tables:?}");
        }
    }
    let partial = reader(&database, "2025-02-03", "2026-10-31").await;
    let all_accounts = format!("'{user}', true, false, null");
    let plan = plan(&partial, "cashflow_unfiltered", &all_accounts).await;
    assert!(!tables_read(&plan).contains(&"transactions"), "{plan:#}");
}

/// Number of merchants of the user.
const MERCHANTS: usize = 3_000;
/// Maximum number of stored totals and bounds that the ten largest merchants of a year may need. All merchants of the user
/// have many more.
const TOTALS_MAX: f64 = 2_000.0;

/// A database in which a user has many merchants with two small expenses each, and 30 with a large one every week.
async fn many_merchants() -> Database {
    let database = database().await;
    let user = statements::user(0);
    let writer = database.connect("passbook_writer").await;
    let insert = format!(
        "insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, \
           amount_cents, currency, title, merchant_name) \
         select '{user}', md5(kind || n)::uuid, '00000000-0000-4000-8000-00000000a001', '2026-11-30'::date - days, \
           'EXPENSE', case when n % 7 = 0 then 'RENT' else 'GROCERIES' end, cents, 'EUR', 'Purchase', merchant \
         from ( \
           select 'small' as kind, n, n % 700 as days, 100 + n % 900 as cents, 'Shop ' || n % {MERCHANTS} as merchant \
           from generate_series(1, 2 * {MERCHANTS}) as n \
           union all \
           select 'large', n, n / 30 * 7, 50000 + 1000 * (n % 30), 'Store ' || n % 30 from generate_series(0, 2999) as n \
         ) as purchases"
    );
    execute(&writer, &insert).await;
    database.vacuum().await;
    database
}

#[tokio::test]
async fn largest_merchants_are_found_without_reading_all_merchants() {
    let database = many_merchants().await;
    let user = statements::user(0);
    for (first, last) in [
        ("-infinity", "infinity"),
        ("2025-11-22", "2026-11-21"),
        ("2025-01-01", "2026-12-31"),
        ("2026-10-05", "2026-11-04"),
    ] {
        let reader = reader(&database, first, last).await;
        for (switches, filters) in PARAMETERS {
            let plan =
                plan(&reader, "top_merchants_stored", &format!("'{user}', {switches}, 10, {filters}")).await;
            let read: f64 = ["merchant_upper_bounds", "merchant_totals"]
                .iter()
                .map(|table| rows_read(&plan, table))
                .sum();
            assert!(read > 0.0, "{first}..{last} ({filters})");
            assert!(read < TOTALS_MAX, "{first}..{last} ({filters}) reads {read} totals: {plan:#}");
            let rows = rows_read(&plan, "transactions");
            assert!(rows < TOTALS_MAX, "{first}..{last} ({filters}) reads {rows} transactions: {plan:#}");
        }
    }
}

#[tokio::test]
async fn incomplete_months_of_an_account_are_read_from_an_index() {
    let database = many_merchants().await;
    let user = statements::user(0);
    let reader = reader(&database, "2025-02-03", "2026-10-20").await;
    let (switches, filters) = PARAMETERS[3];
    for &(name, last) in QUERIES {
        let plan = plan(&reader, name, &format!("'{user}', {switches}{last}, {filters}")).await;
        // The few refunds are read from the table.
        let is_read_whole = |scan: &&serde_json::Value| scan["Index Name"] != "transactions_refunds";
        for scan in scans_of_transactions(&plan).into_iter().filter(is_read_whole) {
            assert_eq!(scan["Node Type"], "Index Only Scan", "{name}: {scan:#}");
            assert_eq!(scan["Heap Fetches"], 0, "{name}: {scan:#}");
        }
        let rows = rows_read(&plan, "transactions");
        // 26 days of February 2025 and 20 days of October 2026, each with about 13 rows of 9,000.
        assert!(rows < 1_500.0, "{name} reads {rows} rows: {plan:#}");
    }
}
