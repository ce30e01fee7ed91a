//! Loads of bundles with cases in files: the changes of tables, or the faults. After faults, nothing may be stored.
//!
//! Each section `load` is one load, all into the same database: of the example bundle, of the example without its
//! deletions (`stored`), or of an empty bundle. Each line is a change of the bundle, in which `example` is the example,
//! or a transaction as [`row`] reads it. A case without such a section loads the example with the changes of its text.
//!
//! Section `first` is a load before, and `database` names a database that several cases share.

use std::collections::HashMap;
use std::path::Path;

use passbook_ingest::load::{LoadError, Summary};
use passbook_test_cases::{Case, change};
use serde_json::{Value, json};
use tests::database::Database;

use super::{content, example, load_bundle, loaded};

/// The user of the example, and another one.
const USERS: [(&str, &str); 2] =
    [("{user}", "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11"), ("{other}", "0b8a4a52-2f0e-4f5c-9d0a-6f1f8f0f7a01")];

#[test]
fn cases_of_loads() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let mut shared: HashMap<String, Stored> = HashMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/imports/loading/cases");
    passbook_test_cases::check(&folder, &["load", "first", "database"], |case| {
        runtime.block_on(async {
            let Some(name) = case.value("database") else {
                return outcome(case, &mut started(case).await).await;
            };
            if !shared.contains_key(name) {
                shared.insert(name.to_owned(), started(case).await);
            }
            outcome(case, shared.get_mut(name).expect("it was inserted")).await
        })
    });
}

/// A database, and its content unless that has changed since it was read.
struct Stored {
    database: Database,
    content: Option<Vec<String>>,
}

/// Creates a database with the rows of the section `first`.
async fn started(case: &Case) -> Stored {
    let database = Database::fresh().await;
    for (base, changes) in case.sections("first") {
        loaded(&mut database.connect("passbook_writer").await, &bundle(base, changes)).await;
    }
    Stored { database, content: None }
}

async fn outcome(case: &Case, Stored { database, content: known }: &mut Stored) -> String {
    let mut client = database.connect("passbook_writer").await;
    let text = case.text();
    let mut loads: Vec<(&str, &str)> = case.sections("load").collect();
    if loads.is_empty() {
        loads.push(("example", &text));
    } else {
        assert_eq!(text, "", "the changes of a case with loads are in the loads");
    }
    let mut lines = String::new();
    for (index, (base, changes)) in loads.iter().enumerate() {
        let number = if loads.len() > 1 { format!("load {}: ", index + 1) } else { String::new() };
        let before = match known.take() {
            Some(before) => before,
            None => content(database).await,
        };
        match load_bundle(&mut client, &bundle(base, changes)).await {
            Ok(summary) => lines += &format!("{number}stored: {}\n", counts_text(&summary)),
            Err(LoadError::Faults(faults)) => {
                assert_eq!(content(database).await, before, "nothing may be stored: {changes}");
                *known = Some(before);
                lines.extend(faults.iter().map(|fault| format!("{number}{fault}\n")));
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    lines
}

fn bundle(base: &str, changes: &str) -> Value {
    let mut bundle = match base {
        "example" | "stored" => example(),
        "" => json!({ "format": "passbook-bundle", "version": 1 }),
        other => panic!("a bundle must be example, stored or empty: {other}"),
    };
    let members = bundle.as_object_mut().expect("an object");
    if base == "stored" {
        members.remove("deleted");
    }
    members.insert("example".to_owned(), example());
    let changes = USERS.iter().fold(changes.to_owned(), |text, (name, id)| text.replace(name, id));
    for line in changes.lines() {
        match line.strip_prefix("row ") {
            Some(words) => add(&mut bundle, row(words)),
            None => change(&mut bundle, line),
        }
    }
    bundle.as_object_mut().expect("an object").remove("example");
    bundle
}

fn add(bundle: &mut Value, row: Value) {
    if bundle["transactions"].is_null() {
        bundle["transactions"] = json!([]);
    }
    bundle["transactions"].as_array_mut().expect("an array").push(row);
}

/// Reads a transaction: `id account TYPE CATEGORY`, or `in` or `out` and a provider category; then `-> id` for a link,
/// `pending`, and `outside` for a transfer whose counterpart is outside of Passbook.
fn row(words: &str) -> Value {
    let words: Vec<&str> = words.split(' ').collect();
    let [id, account, kind, category, more @ ..] = &words[..] else { panic!("{words:?}: not a row") };
    let mut row = json!({ "user": USERS[0].1, "id": id, "account": account, "date": "2026-11-18",
        "amount_cents": 100, "currency": "EUR", "title": id });
    let names =
        if ["in", "out"].contains(kind) { ["direction", "provider_category"] } else { ["type", "category"] };
    (row[names[0]], row[names[1]]) = (json!(kind), json!(category));
    let mut more = more.iter();
    while let Some(word) = more.next() {
        match *word {
            "->" => row["linked_transaction"] = json!(more.next().expect("a linked row")),
            "pending" => row["pending"] = json!(true),
            "outside" => row["counterpart_outside"] = json!(true),
            other => panic!("{words:?}: {other}"),
        }
    }
    row
}

/// Prints the rows of each table that a load changed, and the number of all others.
fn counts_text(summary: &Summary) -> String {
    let mut parts = Vec::new();
    let mut unchanged = 0;
    for table in &summary.tables {
        unchanged += table.unchanged;
        let counts = [
            (table.inserted, "new"),
            (table.updated, "changed"),
            (table.removed, "removed"),
            (table.absent, "already absent"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        parts.extend(counts.map(|(count, name)| format!("{} {count} {name}", table.table)));
    }
    parts.push(format!("{unchanged} unchanged"));
    parts.join(", ")
}
