//! The object `deleted` of a bundle: rows that it deletes, and rows that must not be deleted.

use std::sync::Mutex;

use passbook_ingest::load::{Options, Removal, credential_rules, load};
use serde_json::{Map, Value, json};
use tests::database::Database;
use tokio_postgres::Client;

use super::{content, counts, example, loaded, physical_content, refused, removed_and_absent};

const USER: &str = "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11";

fn bundle(arrays: Value) -> Value {
    let mut bundle = json!({ "format": "passbook-bundle", "version": 1 });
    bundle.as_object_mut().expect("an object").extend(arrays.as_object().expect("an object").clone());
    bundle
}

fn deleting(deleted: Value) -> Value {
    bundle(json!({ "deleted": deleted }))
}

/// The example without its own deletions.
fn stored_example() -> Value {
    let mut bundle = example();
    bundle.as_object_mut().expect("an object").remove("deleted");
    bundle
}

/// A bundle that deletes every row of the example that can be deleted. Keys are those of the example's deletions.
fn without_everything() -> Value {
    let example = example();
    let arrays = example["deleted"].as_object().expect("an object").iter().map(|(array, deleted)| {
        let names: Vec<&String> = deleted[0].as_object().expect("an object").keys().collect();
        let keys = example[array].as_array().expect("an array").iter().map(|row| {
            let key = names.iter().map(|&name| (name.clone(), row[name].clone()));
            Value::Object(key.collect())
        });
        (array.clone(), Value::Array(keys.collect()))
    });
    deleting(Value::Object(arrays.collect::<Map<String, Value>>()))
}

fn messages(faults: &[passbook_input::Fault]) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

async fn example_in(database: &Database) -> Client {
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &stored_example()).await;
    client
}

/// A transaction of the example's user.
fn transaction(id: &str, kind: &str, category: &str, account: &str, linked: Option<&str>) -> Value {
    let mut row = json!({ "user": USER, "id": id, "account": account, "date": "2026-11-03", "type": kind,
        "category": category, "amount_cents": 5_000, "currency": "EUR", "title": format!("title of {id}") });
    if let Some(linked) = linked {
        row["linked_transaction"] = json!(linked);
    }
    row
}

#[tokio::test]
async fn every_deletable_array_deletes_its_rows_and_a_second_load_changes_nothing() {
    let database = Database::fresh().await;
    let before = content(&database).await;
    let mut client = example_in(&database).await;
    let summary = loaded(&mut client, &without_everything()).await;
    assert_eq!((counts(&summary), removed_and_absent(&summary)), ((0, 0, 0), (15, 0)), "{summary:?}");
    let left = content(&database).await;
    let remaining = ["users", "excluded_categories", "oauth_", "personal_access_tokens", "rate_base"];
    for row in &left {
        assert!(remaining.iter().any(|table| row.starts_with(table)), "{row}");
    }
    assert!(left.len() > before.len(), "people and credentials stay");

    let stored = physical_content(&database).await;
    let again = loaded(&mut client, &without_everything()).await;
    assert_eq!((counts(&again), removed_and_absent(&again)), ((0, 0, 0), (0, 15)), "{again:?}");
    assert_eq!(physical_content(&database).await, stored);
    // The deletions of the example itself name rows that were never stored.
    let summary = loaded(&mut client, &example()).await;
    assert_eq!(removed_and_absent(&summary), (0, 13));
}

#[tokio::test]
async fn deleted_row_can_be_named_by_the_identifier_that_passbook_shows() {
    let database = Database::fresh().await;
    let mut client = example_in(&database).await;
    let shown =
        "select account_id::text, transaction_id::text from passbook.transactions where title like 'To my%'";
    let shown = client.query_one(shown, &[]).await.expect("a row");
    let (account, transaction): (&str, &str) = (shown.get(0), shown.get(1));
    let bundle = deleting(json!({
        "transactions": [{ "user": USER, "id": transaction }],
        "balance_snapshots": [{ "user": USER, "account": account, "as_of": "2026-11-19" }],
    }));
    assert_eq!(removed_and_absent(&loaded(&mut client, &bundle).await), (2, 0));
    assert_eq!(removed_and_absent(&loaded(&mut client, &bundle).await), (0, 2));
}

#[tokio::test]
async fn row_that_is_stored_and_deleted_by_one_bundle_is_a_fault() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = stored_example();
    bundle["deleted"] = without_everything()["deleted"].clone();
    let before = content(&database).await;
    let faults = messages(&refused(&mut client, &bundle).await);
    assert_eq!(faults.len(), 15, "{faults:#?}");
    let expected = "deleted.transactions[1]: must not name the same row as transactions[1]";
    assert!(faults.contains(&expected.to_owned()), "{faults:#?}");
    assert_eq!(content(&database).await, before);
}

#[tokio::test]
async fn imported_rows_are_not_deleted() {
    let database = Database::fresh().await;
    let mut client = example_in(&database).await;
    client
        .batch_execute(
            "insert into passbook.ledgers (user_id, ledger, imported_at) select user_id, 'main', now() from passbook.users; \
             update passbook.accounts set ledger_id = 'beancount:main'",
        )
        .await
        .expect("an update");
    let before = content(&database).await;
    let faults = refused(&mut client, &without_everything()).await;
    let places: Vec<&str> = faults.iter().map(|fault| fault.place.as_str()).collect();
    let expected = [
        "deleted.banks[0]",
        "deleted.accounts[0]",
        "deleted.balance_snapshots[0]",
        "deleted.transactions[0]",
        "deleted.transactions[1]",
        "deleted.transactions[2]",
        "deleted.securities[0]",
        "deleted.security_prices[0]",
        "deleted.holdings[0]",
    ];
    assert_eq!(places, expected);
    for fault in &faults {
        assert_eq!(passbook_ingest::load::import_that_owns(fault), Some("beancount:main"), "{fault}");
    }
    assert_eq!(
        faults[0].to_string(),
        "deleted.banks[0]: must be a row that no import owns; received a row of beancount:main"
    );
    assert_eq!(content(&database).await, before);
}

#[tokio::test]
async fn rows_are_shown_before_they_are_deleted() {
    let database = Database::fresh().await;
    let mut client = example_in(&database).await;
    let many =
        (0..30).map(|number| transaction(&format!("extra {number}"), "EXPENSE", "BOOKS", "checking", None));
    loaded(&mut client, &bundle(json!({ "transactions": many.collect::<Vec<_>>() }))).await;
    let keys = (0..30).map(|number| json!({ "user": USER, "id": format!("extra {number}") }));
    let deleted = deleting(json!({
        "transactions": keys.collect::<Vec<_>>(),
        "budgets": [{ "user": USER, "id": "budget-1" }, { "user": USER, "id": "unknown" }],
        "wallets": [{ "user": USER, "id": "unknown" }],
    }));
    let stored = content(&database).await;
    for (dry_run, is_deleted) in [(true, false), (false, true)] {
        let shown = Mutex::new(Vec::new());
        let on_removal = |removal: &Removal| shown.lock().expect("a mutex").push(removal.clone());
        let options = Options { dry_run, on_removal: Some(&on_removal), ..Options::default() };
        let records =
            passbook_records::bundle::read(std::io::Cursor::new(deleted.to_string()), credential_rules());
        load(&mut client, records, options).await.expect("the bundle has no faults");
        let shown = shown.into_inner().expect("a mutex");
        let [removal] = shown.as_slice() else { panic!("one preview is expected: {shown:?}") };
        assert_eq!((removal.stored, removal.transactions, removal.first.len()), (33, 30, 20));
        assert_eq!(removal.by_account, [("Checking".to_owned(), 30)]);
        assert_eq!(removal.other_tables, [("budgets", 1)]);
        let first = &removal.first[0];
        assert_eq!((first.amount_cents, first.currency.as_str()), (-5_000, "EUR"), "{first:?}");
        assert_eq!((first.date.to_string().as_str(), first.account.as_str()), ("2026-11-03", "Checking"));
        assert_eq!(content(&database).await != stored, is_deleted, "dry run: {dry_run}");
    }
    // Nothing is shown if nothing is removed.
    let on_removal = |removal: &Removal| panic!("{removal:?}");
    let options = Options { on_removal: Some(&on_removal), ..Options::default() };
    let records =
        passbook_records::bundle::read(std::io::Cursor::new(deleted.to_string()), credential_rules());
    load(&mut client, records, options).await.expect("the bundle has no faults");
}
