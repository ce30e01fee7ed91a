//! The section "Beancount" of `docs/loading-data.md`: the example ledger and map, the printed reports, the figures, and
//! the names of accounts.

use std::collections::BTreeMap;

use jiff::civil::date;
use serde_json::Value;
use tests::app::App;
use tests::database::Database;
use uuid::Uuid;

use super::loading::as_writer;
use tests::documents::blocks;
use tests::documents::runner::Runner;
use tests::documents::shell::Folder;

const ADMIN: &[&str] = &["passbook-admin"];
const PAGE: &str = "docs/loading-data.md";
const EMAIL: &str = "ada@example.org";

/// Splits the page into the text before the section and the section.
pub(super) fn sections(page: &str) -> (&str, &str) {
    page.split_once("\n## Beancount\n").expect("the page has the section")
}

/// The cells of the tables of a text, row by row.
fn cells(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn create_user(folder: &Folder, database: &Database, currency: &str) {
    let create = format!("passbook-admin user create --email {EMAIL} --currency {currency}");
    folder.done(&as_writer(database, &create), ADMIN);
}

#[tokio::test]
async fn example_ledger_and_account_map_work_as_shown() {
    let (_, section) = sections(tests::documents::text(PAGE));
    let database = Database::fresh().await;
    let folder = Folder::create();
    create_user(&folder, &database, "EUR");
    let others = Runner::new(&folder, ADMIN, &as_writer(&database, "")).run(&blocks::read(PAGE, section));
    let [refund] = others[..] else { panic!("{others:?}") };
    compare_figures(&database, section).await;

    folder.write("ledger.beancount", AMBIGUOUS);
    let import = format!("passbook-admin import beancount ledger.beancount --user {EMAIL} --ledger other");
    let ambiguous = folder.run(&as_writer(&database, &import), ADMIN);
    let ambiguous = String::from_utf8_lossy(&ambiguous.stderr);
    assert!(ambiguous.contains(refund.text), "{}: {ambiguous}", refund.place());
}

/// A ledger with two equal purchases and the refund of one of them in line 12.
const AMBIGUOUS: &str = "2026-01-01 open Assets:Bank:Checking\n2026-01-01 open Expenses:Clothing\n\n\
    2026-01-10 * \"Zalando\" \"Shoes\"\n  Expenses:Clothing  89.90 EUR\n  Assets:Bank:Checking\n\n\
    2026-01-11 * \"Zalando\" \"Boots\"\n  Expenses:Clothing  89.90 EUR\n  Assets:Bank:Checking\n\n\
    2026-01-24 * \"Zalando\" \"Returned\"\n  Expenses:Clothing  -89.90 EUR\n  Assets:Bank:Checking\n";

/// Compares the table of figures with the responses of the server.
async fn compare_figures(database: &Database, section: &str) {
    let app = App::start_on_day(database.clone(), date(2026, 11, 21)).await;
    let writer = database.connect(passbook_schema::WRITER).await;
    let query = "select user_id from passbook.users where email = $1";
    let user: Uuid = writer.query_one(query, &[&EMAIL]).await.expect("the user is stored").get(0);
    let token = app.token(user).await;
    let rows = app.get("/v1/transactions?timeRange=all&pageSize=200", &token).await.ok();
    let mut found: BTreeMap<(String, String), i64> = BTreeMap::new();
    for row in rows["transactions"].as_array().expect("a list") {
        let key = (text(&row["type"]), text(&row["category"]));
        *found.entry(key).or_default() += row["amount_cents"].as_i64().expect("cents");
    }
    let mut documented: BTreeMap<(String, String), i64> = BTreeMap::new();
    for row in cells(section).iter().filter(|row| row.len() == 5 && row[0].starts_with('`')) {
        for (kind, cell) in [("EXPENSE", &row[2]), ("INCOME", &row[3])] {
            if let Some((amount, category)) = cell.split_once(' ') {
                let key = (kind.to_owned(), category.trim_matches('`').to_owned());
                *documented.entry(key).or_default() += cents(amount);
            }
        }
    }
    assert_eq!(documented, found);
    let total = cells(section).into_iter().find(|row| row[0] == "all").expect("a row with the totals");
    let summary = app.get("/v1/cashflow/summary?timeRange=all", &token).await.ok();
    let totals = ["expenseTotal", "incomeTotal"].map(|total| summary[total]["amount_cents"].as_i64());
    assert_eq!([&total[2], &total[3]].map(|cell| Some(cents(cell))), totals);
    let spending = app.get("/v1/spending/categories?timeRange=all", &token).await.ok();
    let categories = spending["categories"].as_array().expect("a list");
    let clothing = categories.iter().find(|entry| entry["category"] == "CLOTHING").expect("clothing");
    assert_eq!(clothing["total"]["amount_cents"], clothing["refunds"]["amount_cents"]);
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

fn cents(amount: &str) -> i64 {
    amount.replace('.', "").parse().expect("an amount with two decimals")
}

#[tokio::test]
async fn accounts_are_named_as_the_table_shows() {
    let (_, section) = sections(tests::documents::text(PAGE));
    let rows: Vec<Vec<String>> =
        cells(section).into_iter().filter(|row| row.len() == 4 && row[0].starts_with('`')).collect();
    assert!(rows.len() > 5, "{rows:?}");
    let mut ledger = "2026-01-01 open Equity:Opening-Balances\n".to_owned();
    let mut expected = Vec::new();
    for row in &rows {
        let account = row[0].trim_matches('`');
        ledger.push_str(&format!(
            "2026-01-01 open {account}\n2026-01-02 * \"Opening\"\n  {account}  1.00 EUR\n  Equity:Opening-Balances\n"
        ));
        expected.push(row[1..].join(" | "));
    }
    let database = Database::fresh().await;
    let folder = Folder::create();
    folder.write("ledger.beancount", &ledger);
    create_user(&folder, &database, "EUR");
    let import = format!("passbook-admin import beancount ledger.beancount --user {EMAIL}");
    folder.done(&as_writer(&database, &import), ADMIN);
    let writer = database.connect(passbook_schema::WRITER).await;
    let query = "select format('%s | %s | %s/%s', banks.name, accounts.name, accounts.type, accounts.subtype) \
                 from passbook.accounts join passbook.bank_connections as banks using (user_id, bank_id)";
    let stored = writer.query(query, &[]).await.expect("the accounts are read");
    let mut stored: Vec<String> = stored.iter().map(|row| row.get(0)).collect();
    stored.sort();
    expected.sort();
    assert_eq!(stored, expected);
}
