//! `docs/loading-data.md`: the bundle loads, faults are printed as shown, and the commands work as documented.

use serde_json::{Value, json};
use tests::database::Database;

use super::shell::Folder;

const ADMIN: &[&str] = &["passbook-admin"];
const RATES: &str = "Date,USD,JPY,CYP,\n2026-11-20,1.0841,168.25,N/A,\n";
const LEDGER: &str = "2026-01-01 open Assets:Bank:Checking EUR\n2026-01-01 open Expenses:Books EUR\n\
    2026-01-05 * \"Librairie\" \"Novel\"\n  Expenses:Books  12.34 EUR\n  Assets:Bank:Checking\n";

/// A script with the connection URL of the writer role.
fn as_writer(database: &Database, script: &str) -> String {
    format!("export PASSBOOK_ADMIN_DATABASE_URL='{}'\n{script}", database.url(schema::WRITER))
}

#[tokio::test]
async fn blocks_of_loading_data_work_as_shown() {
    let documents = super::documents();
    let blocks = super::blocks::read("docs/loading-data.md", &documents["docs/loading-data.md"]);
    let [faults, bundle, rates, import] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let languages = [faults, bundle, rates, import].map(|block| block.language);
    assert_eq!(languages, ["text", "json", "sh", "text"]);

    let database = Database::fresh().await;
    let folder = Folder::new();
    folder.write("eurofxref-hist.csv", RATES);
    folder.write("bundle.json", bundle.text);
    folder.write("ledger.beancount", LEDGER);
    folder.write("faulty.json", &faulty(bundle.text).to_string());
    let load = as_writer(&database, "passbook-admin load bundle.json");
    let loaded = folder.done(&load, ADMIN);
    assert!(loaded.contains("transactions"), "{loaded}");

    let refused = folder.run(&as_writer(&database, "passbook-admin load faulty.json"), ADMIN);
    let output = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(output, faults.text, "{}", faults.place());

    folder.done(&as_writer(&database, rates.text), ADMIN);
    let writer = database.connect(schema::WRITER).await;
    let count =
        "select (select count(*) from passbook.exchange_rates), (select count(*) from passbook.transactions)";
    let counted = writer.query_one(count, &[]).await.expect("the writer may count");
    assert_eq!((counted.get::<_, i64>(0), counted.get::<_, i64>(1)), (2, 2));

    assert_synopsis(&folder, import.text);
    folder.done(
        &as_writer(&database, "passbook-admin import beancount ledger.beancount --user ada@example.org"),
        ADMIN,
    );
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

/// Checks that the synopsis names exactly the options of the command.
fn assert_synopsis(folder: &Folder, synopsis: &str) {
    let words = synopsis.trim().strip_prefix("passbook-admin import beancount FILE ").expect("the command");
    let options = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| letter.is_whitespace() || "[],.()`".contains(letter));
        let mut options: Vec<String> =
            words.filter(|word| word.starts_with("--")).map(str::to_owned).collect();
        options.sort();
        options.dedup();
        options
    };
    let help = folder.done("passbook-admin import beancount --help", ADMIN);
    let general = options(&folder.done("passbook-admin --help", ADMIN));
    let own: Vec<String> = options(&help).into_iter().filter(|option| !general.contains(option)).collect();
    assert_eq!(options(words), own, "{help}");
}
