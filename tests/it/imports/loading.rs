//! Loading of bundles and exchange rates into PostgreSQL: stored rows, repeated loads, and faults.

mod cases;
mod deletions;
mod household;

use std::io::Cursor;

use passbook_domain::category::ExpenseCategory;
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_ingest::load::{LoadError, Options, Summary, credential_rules, load};
use passbook_input::Fault;
use passbook_records::record::Record;
use serde_json::{Value, json};
use tests::app::App;
use tests::database::{Database, one};
use tests::household::{Household, parse_currency, rate};
use tokio_postgres::Client;

/// A bundle with an element in every array.
const EXAMPLE: &str = include_str!("../../../crates/records/data/example_bundle.json");

/// The array of a bundle for every table that a load may write.
const TABLES: &[&str] = &[
    "users",
    "excluded_categories",
    "rate_base",
    "exchange_rates",
    "banks",
    "accounts",
    "balance_snapshots",
    "transactions",
    "budgets",
    "securities",
    "security_prices",
    "holdings",
    "wallets",
    "wallet_holdings",
    "paper_accounts",
    "paper_positions",
    "oauth_clients",
    "oauth_consents",
    "oauth_sessions",
    "personal_access_tokens",
];

fn example() -> Value {
    serde_json::from_str(EXAMPLE).expect("the example is JSON")
}

async fn load_bundle(client: &mut Client, bundle: &Value) -> Result<Summary, LoadError> {
    load(
        client,
        passbook_records::bundle::read(Cursor::new(bundle.to_string()), credential_rules()),
        Options::default(),
    )
    .await
}

async fn loaded(client: &mut Client, bundle: &Value) -> Summary {
    match load_bundle(client, bundle).await {
        Ok(summary) => summary,
        Err(LoadError::Faults(faults)) => panic!("{faults:#?}"),
        Err(error) => panic!("{error:?}"),
    }
}

async fn refused(client: &mut Client, bundle: &Value) -> Vec<Fault> {
    match load_bundle(client, bundle).await {
        Err(LoadError::Faults(faults)) => faults,
        other => panic!("expected faults, found {other:?}"),
    }
}

/// The content of every table without the creation times.
async fn content(database: &Database) -> Vec<String> {
    dump(database, "to_jsonb(stored) - 'created_at' - 'data_version' - 'version'").await
}

/// The content of every table with the physical location of each row, which changes when a row is rewritten.
async fn physical_content(database: &Database) -> Vec<String> {
    dump(
        database,
        // A statement that could change rates increments the version of the base currency.
        "case when to_jsonb(stored) ? 'only_row' then to_jsonb(stored) - 'version'
         else to_jsonb(stored) || jsonb_build_object('xmin', stored.xmin::text, 'ctid', stored.ctid::text) end",
    )
    .await
}

async fn dump(database: &Database, row: &str) -> Vec<String> {
    let client = database.connect("postgres").await;
    let mut rows = Vec::new();
    for array in TABLES {
        let table = match *array {
            "rate_base" => "base_currency",
            "banks" => "bank_connections",
            "wallet_holdings" => "wallet_quantities",
            same => same,
        };
        let query = format!("select ({row})::text from passbook.{table} as stored order by 1");
        let found = client.query(&query, &[]).await.expect("the table is read");
        rows.extend(found.iter().map(|row| format!("{array} {}", row.get::<_, &str>(0))));
    }
    rows
}

fn counts(summary: &Summary) -> (u64, u64, u64) {
    summary.tables.iter().fold((0, 0, 0), |sum, table| {
        (sum.0 + table.inserted, sum.1 + table.updated, sum.2 + table.unchanged)
    })
}

fn counts_of(summary: &Summary, table: &str) -> (u64, u64, u64) {
    let found = summary.tables.iter().find(|entry| entry.table == table).expect("the table was loaded");
    (found.inserted, found.updated, found.unchanged)
}

/// Removed and already absent rows of all tables.
fn removed_and_absent(summary: &Summary) -> (u64, u64) {
    summary.tables.iter().fold((0, 0), |sum, table| (sum.0 + table.removed, sum.1 + table.absent))
}

#[tokio::test]
async fn example_bundle_loads_and_second_load_changes_nothing() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let first = loaded(&mut client, &example()).await;
    // The rate base was the euro before; every other row is new.
    assert_eq!(counts(&first), (20, 0, 1));
    let stored = physical_content(&database).await;
    for table in TABLES {
        assert!(stored.iter().any(|row| row.starts_with(&format!("{table} "))), "{table} must have a row");
    }
    let second = loaded(&mut client, &example()).await;
    assert_eq!(counts(&second), (0, 0, 21));
    assert_eq!((first.credentials.len(), second.credentials.len()), (4, 0));
    assert_eq!(physical_content(&database).await, stored, "no row may be rewritten");
}

#[tokio::test]
async fn changed_elements_are_updated_and_counted() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let mut bundle = example();
    bundle["banks"][0]["status"] = json!("CONNECTED");
    bundle["banks"][0].as_object_mut().expect("an object").remove("error_code");
    bundle["users"][0]["excluded_categories"] = json!(["BOOKS", "MUSIC"]);
    bundle["holdings"][0]["quantity"] = json!("61.00");
    bundle["exchange_rates"][0]["units_per_base"] = json!("1.0842");
    let summary = loaded(&mut client, &bundle).await;
    assert_eq!(counts_of(&summary, "banks"), (0, 1, 0));
    assert_eq!(
        counts_of(&summary, "users"),
        (0, 1, 0),
        "excluded categories must count as a change of the user"
    );
    assert_eq!(counts_of(&summary, "holdings"), (0, 0, 1), "61.00 is 61");
    assert_eq!(counts_of(&summary, "exchange_rates"), (0, 1, 0));
    assert_eq!(counts_of(&summary, "transactions"), (0, 0, 3));
    let reader = database.connect("postgres").await;
    let excluded = "select array_agg(category order by category) from passbook.excluded_categories";
    let excluded: Vec<String> = one(&reader, excluded).await;
    assert_eq!(excluded, ["BOOKS", "MUSIC"]);
    let error_code = "select error_code from passbook.bank_connections";
    let error_code: Option<String> = one(&reader, error_code).await;
    assert_eq!(error_code, None, "an omitted member must be cleared");
}

#[tokio::test]
async fn empty_list_removes_all_excluded_categories() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    loaded(&mut client, &bundle).await;
    bundle["users"][0]["excluded_categories"] = json!([]);
    assert_eq!(counts_of(&loaded(&mut client, &bundle).await, "users"), (0, 1, 0));
    assert!(!content(&database).await.iter().any(|row| row.starts_with("excluded_categories")));
    // A bundle without `users` does not change users.
    bundle.as_object_mut().expect("an object").remove("users");
    let before = content(&database).await;
    loaded(&mut client, &bundle).await;
    assert_eq!(content(&database).await, before);
}

#[tokio::test]
async fn dry_run_returns_the_summary_and_stores_nothing() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let before = content(&database).await;
    let options = Options { dry_run: true, progress: None, ..Options::default() };
    let dry =
        load(&mut client, passbook_records::bundle::read(EXAMPLE.as_bytes(), credential_rules()), options)
            .await
            .expect("the bundle has no faults");
    assert_eq!(content(&database).await, before);
    assert_eq!(loaded(&mut client, &example()).await, dry);
}

#[tokio::test]
async fn example_of_the_document_loads() {
    let document = include_str!("../../../docs/loading-data.md");
    let (_, rest) = document.split_once("```json\n").expect("the document has an example");
    let (text, _) = rest.split_once("```").expect("the example ends");
    let bundle = serde_json::from_str(text).expect("the example is JSON");
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    assert_eq!(counts(&loaded(&mut client, &bundle).await), (5, 0, 0));
    assert_eq!(counts(&loaded(&mut client, &bundle).await), (0, 0, 5));
}

const FILE: &str = "Date,USD,JPY,CYP,\n2026-04-13,1.0841,168.25,N/A,\n2026-04-10,1.0832,168.01,N/A,\n";

fn bundle(base: &str, rates: Value) -> Value {
    json!({ "format": "passbook-bundle", "version": 1, "rate_base": base, "exchange_rates": rates })
}

#[tokio::test]
async fn ecb_file_loads_and_second_load_changes_nothing() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let first = load(&mut client, passbook_records::ecb_rates::read(FILE.as_bytes()), Options::default())
        .await
        .expect("the file has no faults");
    assert_eq!(counts(&first), (4, 0, 1));
    let second = load(&mut client, passbook_records::ecb_rates::read(FILE.as_bytes()), Options::default())
        .await
        .expect("the file has no faults");
    assert_eq!(counts(&second), (0, 0, 5));
    let reader = database.connect("postgres").await;
    let rate = "select rate::text from passbook.exchange_rates where currency = 'JPY' order by date";
    let rates: Vec<String> =
        reader.query(rate, &[]).await.expect("rows").iter().map(|row| row.get(0)).collect();
    assert_eq!(rates, ["168.01", "168.25"]);
}

#[tokio::test]
async fn faulty_line_in_the_rates_file_stores_nothing() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let before = content(&database).await;
    let text = FILE.replace("1.0832", "1,0832").replace("168.25", "x");
    let faults =
        load(&mut client, passbook_records::ecb_rates::read(std::io::Cursor::new(text)), Options::default())
            .await;
    let Err(LoadError::Faults(faults)) = faults else { panic!("expected faults, found {faults:?}") };
    let places: Vec<&str> = faults.iter().map(|fault| fault.place.as_str()).collect();
    assert_eq!(places, ["line 2, column JPY", "line 3"]);
    assert_eq!(content(&database).await, before);
}

#[tokio::test]
async fn concurrent_loads_cannot_store_rates_of_two_bases() {
    let database = Database::fresh().await;
    let mut one = database.connect("passbook_writer").await;
    let mut two = database.connect("passbook_writer").await;
    let rates =
        |currency: &str| json!([{ "currency": currency, "as_of": "2026-11-20", "units_per_base": "1.1" }]);
    let (in_euro, in_dollar) = (bundle("EUR", rates("JPY")), bundle("USD", rates("JPY")));
    let (euro, dollar) = tokio::join!(load_bundle(&mut one, &in_euro), load_bundle(&mut two, &in_dollar));
    assert!(euro.is_ok() != dollar.is_ok(), "exactly one load must succeed: {euro:?}, {dollar:?}");
    let refused = euro.and(dollar).expect_err("one load fails");
    let LoadError::Faults(faults) = refused else { panic!("expected a fault, found {refused:?}") };
    assert_eq!(faults[0].place, "rate_base");
}

/// The first day with rates.
const DAY: &str = "2026-11-13";

/// Rates at both bounds: one unit of the first currency is 10¹⁸ units of the second.
fn extreme_rates() -> [Record; 2] {
    [rate(DAY, "USD", "0.000000001"), rate(DAY, "JPY", "1000000000")]
}

/// A person who counts in the second currency, with the largest expense and balance in the first.
fn household() -> (Household, Vec<Record>) {
    let mut household = Household::new();
    household.user.preferred_currency = parse_currency("JPY");
    household.expense(DAY, ExpenseCategory::Books, AMOUNT_CENTS_MAX, "USD");
    household.expense(DAY, ExpenseCategory::Books, 5, "JPY");
    let mut records = household.records();
    for record in &mut records {
        if let Record::Account(account) = record {
            account.currency = parse_currency("USD");
            account.balance_cents = AMOUNT_CENTS_MAX;
        }
    }
    (household, records)
}

#[tokio::test]
async fn amount_beyond_the_range_at_an_extreme_rate_is_served_as_unconverted() {
    for rates_come_first in [true, false] {
        let app = App::start().await;
        let (household, records) = household();
        if rates_come_first {
            app.load(extreme_rates()).await;
            app.load(records).await;
        } else {
            app.load(records).await;
            app.load(extreme_rates()).await;
        }
        let token = app.token(household.user.user_id).await;
        let total = json!({ "amount_cents": 5, "currency": "JPY" });
        let missing = json!([{
            "type": "EXPENSE", "currency": "USD", "amount_cents": AMOUNT_CENTS_MAX, "transactionCount": 1
        }]);
        let cashflow = app.get("/v1/cashflow/summary", &token).await.ok();
        assert_eq!((&cashflow["expenseTotal"], &cashflow["unconverted"]), (&total, &missing));
        let categories = app.get("/v1/spending/categories", &token).await.ok();
        assert_eq!((&categories["totalExpense"], &categories["unconverted"]), (&total, &missing));
        // The balances of both accounts.
        let balances = json!([{ "currency": "USD", "amount_cents": 2 * AMOUNT_CENTS_MAX }]);
        let portfolio = app.get("/v1/portfolio", &token).await.ok();
        assert_eq!(portfolio["unconverted"], balances);
        let history = app.get("/v1/portfolio/history", &token).await.ok();
        let today = history["points"].as_array().and_then(|points| points.last()).expect("a point");
        assert_eq!(today["unconverted"], balances);
        let list = app.get("/v1/transactions?sort=amount_desc", &token).await.ok();
        assert_eq!(list["transactions"][1]["amount_cents"], AMOUNT_CENTS_MAX, "{list}");
    }
}
