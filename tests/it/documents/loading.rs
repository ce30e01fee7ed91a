//! `docs/loading-data.md` with its section "Beancount", and `docs/importing.md`: every bundle, ledger, map, rules file and
//! profile is valid, commands print what is shown, and figures and names are those of a server.

use std::collections::BTreeMap;

use jiff::civil::date;
use passbook_matching::rules::Rules;
use passbook_statements::csv::{Profile, builtin_profiles};
use passbook_statements::{ReadOptions, read};
use serde_json::{Value, json};
use tests::app::App;
use tests::database::Database;
use tests::documents::runner::Runner;
use tests::documents::{Block, blocks_in, noted};
use tests::temporary::Folder;
use uuid::Uuid;

use super::{ADMIN, as_writer};

const RATES: &str = "Date,USD,JPY,CYP,\n2026-11-19,1.0841,168.25,N/A,\n";
const LATEST_RATES: &str = "Date, USD, JPY, \n20 November 2026, 1.0841, 168.25, \n";

#[tokio::test]
async fn blocks_of_loading_data_work_as_shown() {
    // The section about Beancount has its own tests.
    let (page, _) = sections(tests::documents::text("docs/loading-data.md"));
    let blocks = blocks_in("docs/loading-data.md", page);
    let database = Database::fresh().await;
    let folder = Folder::create();
    folder.write("eurofxref-hist.csv", RATES);
    folder.write("eurofxref.csv", LATEST_RATES);
    let bundle = noted(&blocks, "file bundle.json");
    folder.write("bundle.json", bundle.text);
    folder.write("faulty.json", &faulty(bundle.text).to_string());
    let load = as_writer(&database, "passbook-admin load bundle.json");
    let loaded = folder.done(&load, ADMIN);
    assert!(loaded.contains("transactions"), "{loaded}");

    let faults = noted(&blocks, "printed for a faulty bundle");
    let refused =
        folder.run(&as_writer(&database, "passbook-admin load faulty.json --user ada@example.org"), ADMIN);
    let output = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(output, faults.text, "{}", faults.place());

    let others = Runner::new(&folder, ADMIN, &as_writer(&database, "")).run(&blocks);
    let notes: Vec<_> = others.iter().filter_map(|block| block.note).collect();
    assert_eq!(notes, ["printed for a faulty bundle"]);
    let writer = database.connect(passbook_schema::WRITER).await;
    let count =
        "select (select count(*) from passbook.exchange_rates), (select count(*) from passbook.transactions)";
    let counted = writer.query_one(count, &[]).await.expect("the writer may count");
    assert_eq!((counted.get::<_, i64>(0), counted.get::<_, i64>(1)), (4, 2));
}

/// The words in backticks of a cell.
fn words(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn table_of_arrays_shows_the_keys_that_the_schema_requires() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/bundle.schema.json")).expect("the schema is JSON");
    let required = |arrays: &Value, array: &str| -> Vec<String> {
        let Some(reference) = arrays[array]["items"]["$ref"].as_str() else { return Vec::new() };
        let definition = schema.pointer(reference.trim_start_matches('#')).expect("a definition");
        serde_json::from_value(definition["required"].clone()).expect("names of keys")
    };
    let (_, table) = tests::documents::text("docs/loading-data.md")
        .split_once("| array | required keys | keys in `deleted` |\n")
        .expect("the table of arrays");
    let mut shown = Vec::new();
    for line in table.lines().skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').collect();
        let array = words(cells[1])[0];
        assert_eq!(words(cells[2]), required(&schema["properties"], array), "{array}");
        let deleted = required(&schema["properties"]["deleted"]["properties"], array);
        assert_eq!(words(cells[3]), deleted, "deleted {array}");
        shown.push(array);
    }
    let properties = schema["properties"].as_object().expect("an object").iter();
    let mut arrays: Vec<&str> =
        properties.filter(|(_, value)| value["type"] == "array").map(|(key, _)| key.as_str()).collect();
    arrays.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, arrays);
}

/// The bundle of the page with two faults: an invalid date in the thirteenth transaction, and an invalid currency in
/// the fourth account.
fn faulty(bundle: &str) -> Value {
    let mut bundle: Value = serde_json::from_str(bundle).expect("JSON");
    for (array, count) in [("transactions", 13), ("accounts", 4)] {
        let rows = bundle[array].as_array_mut().expect("a list");
        while rows.len() < count {
            let mut row = rows[0].clone();
            row["id"] = json!(format!("{array} {}", rows.len()));
            rows.push(row);
        }
    }
    bundle["transactions"][12]["date"] = json!("2026-02-30");
    bundle["accounts"][3]["currency"] = json!("EURO");
    bundle
}

const PAGE: &str = "docs/loading-data.md";
const EMAIL: &str = "ada@example.org";

/// Splits the page into the text before the section and the section.
fn sections(page: &str) -> (&str, &str) {
    page.split_once("\n## Beancount\n").expect("the page has the section")
}

/// The cells of the tables of a text, row by row.
fn cells(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// A folder for the commands of a user with the email address of the page.
fn folder_of_new_user(database: &Database) -> Folder {
    let folder = Folder::create();
    let create = format!("passbook-admin user create --email {EMAIL} --currency EUR");
    folder.done(&as_writer(database, &create), ADMIN);
    folder
}

#[tokio::test]
async fn example_ledger_and_account_map_work_as_shown() {
    let (_, section) = sections(tests::documents::text(PAGE));
    let database = Database::fresh().await;
    let folder = folder_of_new_user(&database);
    let others = Runner::new(&folder, ADMIN, &as_writer(&database, "")).run(&blocks_in(PAGE, section));
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
    let folder = folder_of_new_user(&database);
    folder.write("ledger.beancount", &ledger);
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

const IMPORTING: &str = "docs/importing.md";

#[test]
fn every_profile_has_a_row() {
    let page = tests::documents::text(IMPORTING);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    for profile in builtin_profiles() {
        let name = format!("`{}`", profile.name);
        let cell = |line: &str| line.split('|').nth(2).is_some_and(|cell| cell.contains(&name));
        assert_eq!(rows.iter().filter(|line| cell(line)).count(), 1, "{name}");
    }
}

#[tokio::test]
async fn commands_of_the_page_work_as_shown() {
    let blocks = tests::documents::blocks_of(IMPORTING);
    let database = Database::fresh().await;
    let folder = Folder::create();
    let user = passbook_records::id::user("you@example.org");
    folder.write(
        "account.json",
        &format!(
            r#"{{"format": "passbook-bundle", "version": 1,
            "banks": [{{"user": "{user}", "id": "bank", "name": "N26", "status": "MANUAL"}}],
            "accounts": [{{"user": "{user}", "id": "main", "bank": "bank", "name": "Main account", "type": "depository",
            "subtype": "checking", "currency": "EUR", "balance_cents": 0,
            "balance_updated_at": "2026-01-01T00:00:00Z"}}]}}"#
        ),
    );
    let create = "passbook-admin user create --email you@example.org --currency EUR --time-zone UTC
        passbook-admin load account.json --user you@example.org";
    folder.done(&as_writer(&database, create), ADMIN);
    let others = Runner::new(&folder, ADMIN, &as_writer(&database, "")).run(&blocks);
    let report = folder.done(&as_writer(&database, "passbook-admin reconcile --user you@example.org"), ADMIN);
    assert!(report.contains("Main account") && report.contains("not provable"), "{report}");
    let rules = noted(&others, "rules");
    let valid = Rules::from_toml(rules.text, "rules");
    valid.unwrap_or_else(|faults| panic!("{}: {:?}", rules.place(), faults.into_list()));
    let others: Vec<Block<'_>> = others.into_iter().filter(|block| block.note != Some("rules")).collect();
    assert_profiles(&others);
}

/// Checks that the complete profile reads the shown file, and that every other part belongs to a valid profile.
fn assert_profiles(blocks: &[Block<'_>]) {
    let [file, complete, parts @ ..] = blocks else { panic!("{} blocks", blocks.len()) };
    assert_eq!((file.note, complete.note), (Some("export"), Some("profile")));
    let profile = Profile::parse(complete.text, "profile").unwrap_or_else(|fault| panic!("{fault}"));
    let options = ReadOptions { profile: Some(profile), ..ReadOptions::default() };
    let statements = read(file.text.as_bytes(), &options).expect("the file is read");
    let entry = &statements[0].entries[0];
    assert_eq!((entry.booked.to_string(), entry.cents), ("2026-01-31".to_owned(), -450));
    assert_eq!((entry.party.as_deref(), entry.text.as_str()), (Some("Bakery"), "Rolls"));
    for part in parts {
        assert_eq!(part.note, Some("part of a profile"), "{}", part.place());
        let (head, columns) = complete.text.split_once("[columns]").expect("columns");
        let flag = if part.text.contains("out_values") { "flag = \"Payee\"\n" } else { "" };
        let text = if part.text.starts_with('[') {
            format!("{}{}", complete.text, part.text)
        } else {
            format!("{head}{}[columns]\n{flag}{columns}", part.text)
        };
        Profile::parse(&text, "profile").unwrap_or_else(|fault| panic!("{}: {fault}", part.place()));
    }
}
