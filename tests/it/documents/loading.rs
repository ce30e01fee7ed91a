//! `docs/loading-data.md`: the bundle loads, faults are printed as shown, and the commands work as documented.

use serde_json::{Value, json};
use tests::database::Database;

use tests::documents::blocks::{self, noted};
use tests::documents::runner::Runner;
use tests::documents::shell::Folder;

const ADMIN: &[&str] = &["passbook-admin"];
const RATES: &str = "Date,USD,JPY,CYP,\n2026-11-19,1.0841,168.25,N/A,\n";
const LATEST_RATES: &str = "Date, USD, JPY, \n20 November 2026, 1.0841, 168.25, \n";

/// A script with the connection URL of the writer role.
pub(super) fn as_writer(database: &Database, script: &str) -> String {
    format!("export PASSBOOK_ADMIN_DATABASE_URL='{}'\n{script}", database.url(passbook_schema::WRITER))
}

#[tokio::test]
async fn blocks_of_loading_data_work_as_shown() {
    // The section about Beancount has its own tests.
    let (page, _) = super::beancount::sections(tests::documents::text("docs/loading-data.md"));
    let blocks = blocks::read("docs/loading-data.md", page);
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
    // `tests/system/loading_program.rs` runs the program in Python, and deletes the rows that it loads.
    let notes: Vec<_> = others.iter().filter_map(|block| block.note).collect();
    assert_eq!(notes, ["printed for a faulty bundle", "run with Python", "printed for the deletion"]);
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
