//! Deletions by a load, and loads with credentials.

use std::sync::Mutex;

use passbook_ingest::load::{Options, Removal};
use serde_json::{Map, Value, json};
use tests::database::{Database, execute, one};

use super::{content, counts_of, example, load_bundle, loaded};

#[tokio::test]
async fn rows_are_shown_before_they_are_deleted() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let user = example()["users"][0]["id"].clone();
    let many = (0..30).map(|number| {
        json!({ "user": user, "id": format!("extra {number}"), "account": "checking", "date": "2026-11-03",
            "type": "EXPENSE", "category": "BOOKS", "amount_cents": 5_000, "currency": "EUR", "title": "a book" })
    });
    let many = many.collect::<Vec<_>>();
    loaded(&mut client, &json!({ "format": "passbook-bundle", "version": 1, "transactions": many })).await;
    let keys = (0..30).map(|number| json!({ "user": user, "id": format!("extra {number}") }));
    let deleted = json!({ "format": "passbook-bundle", "version": 1, "deleted": {
        "transactions": keys.collect::<Vec<_>>(),
        "budgets": [{ "user": user, "id": "budget-1" }, { "user": user, "id": "unknown" }],
        "wallets": [{ "user": user, "id": "unknown" }],
    }});
    let stored = content(&database).await;
    for (dry_run, is_deleted) in [(true, false), (false, true)] {
        let shown = Mutex::new(Vec::new());
        let on_removal = |removal: &Removal| shown.lock().expect("a mutex").push(removal.clone());
        let options = Options { dry_run, on_removal: Some(&on_removal), ..Options::default() };
        load_bundle(&mut client, &deleted, options).await.expect("the bundle has no faults");
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
    load_bundle(&mut client, &deleted, options).await.expect("the bundle has no faults");
}

const CREDENTIALS: [&str; 4] =
    ["oauth_clients", "oauth_consents", "oauth_sessions", "personal_access_tokens"];

fn token(bundle: &mut Value) -> &mut Map<String, Value> {
    bundle["personal_access_tokens"][0].as_object_mut().expect("an object")
}

#[tokio::test]
async fn older_balance_never_replaces_a_newer_one() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    for (time, cents, stored) in [
        ("2026-11-20T22:00:00Z", 300, 300),
        ("2026-11-20T21:59:59Z", 200, 300),
        ("2026-11-20T22:00:00Z", 400, 400),
        ("2026-11-20T22:00:01Z", 500, 500),
    ] {
        bundle["accounts"][0]["balance_updated_at"] = json!(time);
        bundle["accounts"][0]["balance_cents"] = json!(cents);
        loaded(&mut client, &bundle).await;
        let found: i64 = one(&client, "select balance_cents::bigint from passbook.accounts").await;
        assert_eq!(found, stored, "{time}");
    }
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
