//! Deletions by a load, and loads with credentials.

use std::sync::Mutex;

use jiff::{SignedDuration, Timestamp};
use passbook_ingest::load::{Options, Removal, credential_rules, load};
use serde_json::{Map, Value, json};
use tests::database::{Database, execute, one};
use tokio_postgres::Client;

use super::{content, counts, counts_of, example, loaded, physical_content, refused, removed_and_absent};

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
    execute(&client, "insert into passbook.ledgers (user_id, ledger, imported_at) select user_id, 'main', now() from passbook.users; \
             update passbook.accounts set ledger_id = 'beancount:main'").await;
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

/// Text that looks like a plain token and must not occur in a fault.
const CANARY: &str = "pbk_CANARY0123456789abcdefghijABCDEFGHIJ01";
const CREDENTIALS: [&str; 4] =
    ["oauth_clients", "oauth_consents", "oauth_sessions", "personal_access_tokens"];

fn token(bundle: &mut Value) -> &mut serde_json::Map<String, Value> {
    bundle["personal_access_tokens"][0].as_object_mut().expect("an object")
}

#[tokio::test]
async fn loading_a_bundle_never_undoes_a_revocation() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    for array in CREDENTIALS {
        bundle[array][0].as_object_mut().expect("an object").remove("revoked_at");
    }
    loaded(&mut client, &bundle).await;
    for array in CREDENTIALS {
        let revoke = format!("update passbook.{array} set revoked_at = '2026-11-19T00:00:00Z'");
        execute(&client, &revoke).await;
    }
    let mut revoked_later = bundle.clone();
    for array in CREDENTIALS {
        revoked_later[array][0]["revoked_at"] = json!("2026-11-20T08:00:00Z");
    }
    let mut renamed = bundle.clone();
    token(&mut renamed).insert("name".to_owned(), json!("another"));
    for (bundle, expected) in [(&bundle, (0, 0, 1)), (&revoked_later, (0, 0, 1)), (&renamed, (0, 1, 0))] {
        let summary = loaded(&mut client, bundle).await;
        assert_eq!(counts_of(&summary, "personal_access_tokens"), expected);
        for array in CREDENTIALS.into_iter().filter(|array| array.starts_with("oauth_")) {
            assert_eq!(counts_of(&summary, array), (0, 0, 1), "{array}");
        }
        for array in CREDENTIALS {
            let first = format!(
                "select bool_and(revoked_at is not null and revoked_at = '2026-11-19T00:00:00Z') from passbook.{array}"
            );
            let first: bool = one(&client, &first).await;
            assert!(first, "the first revocation of {array} must be kept");
        }
    }
}

#[tokio::test]
async fn bundle_can_revoke_a_stored_token() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    token(&mut bundle).remove("revoked_at");
    loaded(&mut client, &bundle).await;
    assert_eq!(counts_of(&loaded(&mut client, &example()).await, "personal_access_tokens"), (0, 1, 0));
}

#[tokio::test]
async fn plain_token_in_a_token_element_is_never_repeated() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let long = format!("{CANARY}{}", "x".repeat(100));
    for (key, value) in [
        ("token", json!(CANARY)),
        ("token", json!({ "plain": CANARY })),
        (CANARY, json!(1)),
        ("last_four", json!(CANARY)),
        ("last_four", json!("CANARY0123")),
        ("name", json!(CANARY)),
        ("name", json!(long)),
        ("name", json!([CANARY])),
        ("token_hash", json!(CANARY)),
        ("user", json!(CANARY)),
        ("scopes", json!([CANARY])),
        ("rest", json!("CANARY0123")),
        ("expires_at", json!("CANARY0123")),
    ] {
        let mut bundle = example();
        token(&mut bundle).insert(key.to_owned(), value.clone());
        let faults = refused(&mut client, &bundle).await;
        assert!(!faults.is_empty());
        for fault in faults {
            assert!(!format!("{fault} {fault:?}").contains("CANARY"), "{key} = {value}");
            assert!(fault.place.starts_with("personal_access_tokens[0]"), "{fault}");
            assert_eq!(fault.received, None);
        }
    }
}

#[tokio::test]
async fn plain_token_anywhere_in_a_bundle_is_never_repeated() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let places: [fn(&mut Value); 5] = [
        |bundle| bundle["personal_access_tokens"] = json!(CANARY),
        |bundle| bundle["personal_access_tokens"][0] = json!(CANARY),
        |bundle| bundle["oauth_clients"][0]["scopes"] = json!(CANARY),
        |bundle| bundle["token"] = json!(CANARY),
        |bundle| *bundle = json!(CANARY),
    ];
    for place in places {
        let mut bundle = example();
        place(&mut bundle);
        let faults = refused(&mut client, &bundle).await;
        assert!(!faults.is_empty() && !format!("{faults:?}").contains("CANARY"), "{faults:?}");
    }
}

#[tokio::test]
async fn token_must_be_created_in_the_past_expire_within_366_days_and_have_a_scope() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let made = |ahead: SignedDuration, days: i64| {
        let created_at = Timestamp::now() + ahead;
        let mut bundle = example();
        token(&mut bundle).insert("created_at".to_owned(), json!(created_at.to_string()));
        let expires_at = created_at + SignedDuration::from_hours(24 * days);
        token(&mut bundle).insert("expires_at".to_owned(), json!(expires_at.to_string()));
        bundle
    };
    let messages =
        |faults: Vec<passbook_input::Fault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>();
    let faults = refused(&mut client, &made(SignedDuration::from_secs(120), 366)).await;
    assert_eq!(messages(faults), ["personal_access_tokens[0].created_at: must not be in the future"]);
    let faults = refused(&mut client, &made(SignedDuration::ZERO, 367)).await;
    assert_eq!(
        messages(faults),
        ["personal_access_tokens[0].expires_at: must be after created_at, by at most 366 days"]
    );
    let mut bundle = example();
    token(&mut bundle).insert("scopes".to_owned(), json!([]));
    let faults = refused(&mut client, &bundle).await;
    assert_eq!(messages(faults), ["personal_access_tokens[0].scopes: must name at least one scope"]);
    loaded(&mut client, &made(SignedDuration::from_secs(30), 366)).await;
}

#[tokio::test]
async fn all_faults_of_a_client_or_token_are_reported_at_once() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    bundle["oauth_clients"][0]["redirect_uris"] = json!(["http://dashboard.example.org/"]);
    bundle["oauth_clients"][0]["name"] = json!("");
    let later = Timestamp::now() + SignedDuration::from_secs(120);
    token(&mut bundle).insert("created_at".to_owned(), json!(later.to_string()));
    token(&mut bundle).insert("expires_at".to_owned(), json!("never"));
    let faults = refused(&mut client, &bundle).await;
    let places: Vec<&str> = faults.iter().map(|fault| fault.place.as_str()).collect();
    assert_eq!(
        places,
        [
            "oauth_clients[0].name",
            "oauth_clients[0].redirect_uris[0]",
            "personal_access_tokens[0].expires_at",
            "personal_access_tokens[0].created_at",
        ]
    );
}
