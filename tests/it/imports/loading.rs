//! Loading of bundles and exchange rates into PostgreSQL: stored rows, repeated loads, and faults.

mod cases;
mod deletions;
mod household;
mod labels;

use std::io::Cursor;

use passbook_domain::category::ExpenseCategory;
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_ingest::load::{LoadError, Options, Summary, credential_rules, load};
use passbook_input::Fault;
use passbook_records::record::Record;
use serde_json::{Value, json};
use tests::app::App;
use tests::database::Database;
use tests::household::{Household, parse_currency, rate};
use tokio_postgres::{Client, Statement};

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
    "own_categories",
    "tags",
    "transactions",
    "transaction_labels",
    "transaction_tags",
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

async fn load_bundle(
    client: &mut Client,
    bundle: &Value,
    options: Options<'_>,
) -> Result<Summary, LoadError> {
    let records = passbook_records::bundle::read(Cursor::new(bundle.to_string()), credential_rules());
    load(client, records, options).await
}

async fn loaded(client: &mut Client, bundle: &Value) -> Summary {
    match load_bundle(client, bundle, Options::default()).await {
        Ok(summary) => summary,
        Err(LoadError::Faults(faults)) => panic!("{faults:#?}"),
        Err(error) => panic!("{error:?}"),
    }
}

async fn refused(client: &mut Client, bundle: &Value) -> Vec<Fault> {
    match load_bundle(client, bundle, Options::default()).await {
        Err(LoadError::Faults(faults)) => faults,
        other => panic!("expected faults, found {other:?}"),
    }
}

/// The content of every table without the creation times.
async fn content(database: &Database) -> Vec<String> {
    let superuser = database.connect("postgres").await;
    let query = dump(&superuser, "to_jsonb(stored) - 'created_at' - 'data_version' - 'version'").await;
    lines(&superuser, &query).await
}

/// A query of the content of every table with the physical location of each row, which changes when a row is rewritten.
async fn physical_dump(superuser: &Client) -> Statement {
    // A statement that could change rates increments the version of the base currency.
    let row = "case when to_jsonb(stored) ? 'only_row' then to_jsonb(stored) - 'version'
         else to_jsonb(stored) || jsonb_build_object('xmin', stored.xmin::text, 'ctid', stored.ctid::text) end";
    dump(superuser, row).await
}

/// Prepares a query of all tables, which PostgreSQL plans once.
async fn dump(client: &Client, row: &str) -> Statement {
    let tables = TABLES.iter().map(|array| {
        let table = match *array {
            "rate_base" => "base_currency",
            "banks" => "bank_connections",
            "wallet_holdings" => "wallet_quantities",
            same => same,
        };
        format!("select '{array} ' || ({row})::text from passbook.{table} as stored")
    });
    let query = tables.collect::<Vec<String>>().join(" union all ") + " order by 1";
    client.prepare(&query).await.expect("the tables exist")
}

async fn lines(client: &Client, query: &Statement) -> Vec<String> {
    let found = client.query(query, &[]).await.expect("the tables are read");
    found.iter().map(|row| row.get(0)).collect()
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

fn bundle(base: &str, rates: Value) -> Value {
    json!({ "format": "passbook-bundle", "version": 1, "rate_base": base, "exchange_rates": rates })
}

#[tokio::test]
async fn concurrent_loads_cannot_store_rates_of_two_bases() {
    let database = Database::fresh().await;
    let mut one = database.connect("passbook_writer").await;
    let mut two = database.connect("passbook_writer").await;
    let rates =
        |currency: &str| json!([{ "currency": currency, "as_of": "2026-11-20", "units_per_base": "1.1" }]);
    let (in_euro, in_dollar) = (bundle("EUR", rates("JPY")), bundle("USD", rates("JPY")));
    let (euro, dollar) = tokio::join!(
        load_bundle(&mut one, &in_euro, Options::default()),
        load_bundle(&mut two, &in_dollar, Options::default())
    );
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
            account.balance_cents = Some(AMOUNT_CENTS_MAX);
            account.balance_updated_at = Some("2026-11-20T12:00:00Z".parse().expect("a time"));
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
