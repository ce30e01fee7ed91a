//! `load` writes only what its flags allow: rows of stored people need `--user`, credentials need `--with-credentials`.

use serde_json::{Value, json};
use tests::database::Database;

use tests::admin::{Ended, admin, admin_with_input};

const BUNDLE: &str = include_str!("../../../crates/formats/data/example_bundle.json");
/// The person of [`BUNDLE`].
const ADA: &str = "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11";
/// Another person.
const EVE: &str = "0d5c3f1a-52b7-4c39-8d0f-2f6f0a8c1e77";
const OF_ADA: &[&str] = &["--user", "ada@example.org"];
const OF_EVE: &[&str] = &["--user", "eve@example.org"];
const WITH_CREDENTIALS: &[&str] = &["--with-credentials"];

/// A bundle with one array.
fn bundle(array: &str, element: Value) -> Value {
    json!({ "format": "passbook-bundle", "version": 1, array: [element] })
}

/// The element of an array of [`BUNDLE`], with other members.
fn element(array: &str, changes: Value) -> Value {
    let bundle: Value = serde_json::from_str(BUNDLE).expect("the example is JSON");
    let mut element = bundle[array][0].clone();
    for (name, value) in changes.as_object().expect("an object") {
        element[name] = value.clone();
    }
    element
}

fn user(id: &str, email: &str) -> Value {
    element("users", json!({ "id": id, "email": email }))
}

fn load(database: &Database, bundle: &Value, flags: &[&[&str]]) -> Ended {
    let words = [&["load", "-"], flags.concat().as_slice()].concat();
    admin_with_input(database, &words, &bundle.to_string())
}

/// A database with Ada, her data and her credentials, and with Eve.
async fn with_ada_and_eve() -> Database {
    let database = Database::fresh().await;
    admin_with_input(&database, &["load", "-", "--with-credentials"], BUNDLE).done();
    load(&database, &bundle("users", user(EVE, "eve@example.org")), &[]).done();
    database
}

/// The rows that these tests try to change.
async fn stored(database: &Database) -> Vec<String> {
    let writer = database.connect("passbook_writer").await;
    let query = "
        select user_id || ' ' || email from passbook.users
        union all select client_id || ' of ' || coalesce(user_id::text, 'everyone') || ' ' || name
          || coalesce(' revoked ' || revoked_at, '') from passbook.oauth_clients
        union all select token_id || ' of ' || user_id || ' ' || name from passbook.personal_access_tokens
        union all select budget_id || ' of ' || user_id from passbook.budgets
        order by 1";
    writer.query(query, &[]).await.expect("the query runs").iter().map(|row| row.get(0)).collect()
}

/// Loads the bundle with each of the flags. Each load must fail with `fault` and write nothing.
async fn assert_refused(database: &Database, bundle: &Value, flags: &[&[&[&str]]], fault: &str) {
    let before = stored(database).await;
    for flags in flags {
        let message = load(database, bundle, flags).failed(65);
        assert!(message.contains(fault), "{flags:?}: {message}");
        assert_eq!(stored(database).await, before, "{flags:?}");
    }
}

#[tokio::test]
async fn email_of_a_stored_person_changes_only_with_permission_for_the_stored_one() {
    let database = with_ada_and_eve().await;
    let renamed = bundle("users", user(ADA, "mallory@example.org"));
    let fault = "users[0].id: must belong to a person whose rows this load may write";
    let mallory: &[&str] = &["--user", "mallory@example.org"];
    assert_refused(&database, &renamed, &[&[], &[WITH_CREDENTIALS], &[OF_EVE]], fault).await;
    // The address in the file is no permission: the stored person has another one.
    assert_refused(&database, &renamed, &[&[mallory]], "").await;
    // Two people cannot have one address, whatever the flags are.
    let taken = bundle("users", user(EVE, "Ada@example.org"));
    assert_refused(&database, &taken, &[&[OF_EVE], &[OF_ADA], &[OF_EVE, OF_ADA]], "users[0]").await;

    load(&database, &renamed, &[OF_ADA]).done();
    assert!(stored(&database).await.contains(&format!("{ADA} mallory@example.org")));
}

#[tokio::test]
async fn token_of_a_stored_person_needs_both_flags() {
    let database = with_ada_and_eve().await;
    let hash = "0".repeat(64);
    let token = |user: &str| {
        let changes = json!({ "id": "token-2", "token_hash": hash, "name": "Planted", "user": user });
        bundle("personal_access_tokens", element("personal_access_tokens", changes))
    };
    let fault = "personal_access_tokens[0].user: must belong to a person whose rows this load may write";
    assert_refused(&database, &token(ADA), &[&[WITH_CREDENTIALS], &[WITH_CREDENTIALS, OF_EVE]], fault).await;
    let fault = "personal_access_tokens[0]: must not be given, because this load may not write credentials";
    assert_refused(&database, &token(ADA), &[&[], &[OF_ADA]], fault).await;

    let before = stored(&database).await.len();
    load(&database, &token(ADA), &[WITH_CREDENTIALS, OF_ADA]).done();
    assert_eq!(stored(&database).await.len(), before + 1);
}

#[tokio::test]
async fn rows_of_a_deleted_user_are_not_written() {
    let database = with_ada_and_eve().await;
    admin(&database, &["user", "delete", "ada@example.org", "--yes"]).done();
    let budget = bundle("budgets", element("budgets", json!({})));
    assert_refused(&database, &budget, &[&[], &[OF_EVE]], "budgets[0].user: must be").await;
    assert_refused(&database, &budget, &[&[OF_ADA]], "--user: must be the e-mail address of a user").await;
    let token = bundle("personal_access_tokens", element("personal_access_tokens", json!({})));
    assert_refused(&database, &token, &[&[WITH_CREDENTIALS]], "personal_access_tokens[0].user: must be")
        .await;

    // A file that contains the person stores a new one, and the credentials only with their flag.
    let whole: Value = serde_json::from_str(BUNDLE).expect("the example is JSON");
    assert_refused(&database, &whole, &[&[]], "personal_access_tokens[0]: must not be given").await;
    load(&database, &whole, &[WITH_CREDENTIALS]).done();
    assert!(stored(&database).await.contains(&format!("{ADA} ada@example.org")));
}

#[tokio::test]
async fn oauth_client_changes_hands_only_with_permission_for_both_owners() {
    let database = with_ada_and_eve().await;
    let client = |owner: Value| {
        let changes = json!({ "owner": owner, "name": "Taken over", "revoked_at": null });
        let mut element = element("oauth_clients", changes);
        for absent in ["owner", "revoked_at"] {
            if element[absent].is_null() {
                element.as_object_mut().expect("an object").remove(absent);
            }
        }
        bundle("oauth_clients", element)
    };
    let fault = "oauth_clients[0].owner: must belong to a person whose rows this load may write";
    let flags: &[&[&[&str]]] =
        &[&[WITH_CREDENTIALS], &[WITH_CREDENTIALS, OF_EVE], &[WITH_CREDENTIALS, OF_ADA]];
    assert_refused(&database, &client(json!(EVE)), flags, fault).await;
    let fault = "oauth_clients[0]: must not serve everyone";
    assert_refused(&database, &client(Value::Null), &flags[1..], fault).await;
    // A load without people may store clients for everyone, but not take one from its owner.
    let fault = "oauth_clients[0].owner: must belong to a person";
    assert_refused(&database, &client(Value::Null), &flags[..1], fault).await;

    load(&database, &client(json!(EVE)), &[WITH_CREDENTIALS, OF_ADA, OF_EVE]).done();
    let stored = stored(&database).await;
    // A file without `revoked_at` gives no revoked client back.
    let changed = format!("dashboard-1 of {EVE} Taken over revoked ");
    assert!(stored.iter().any(|row| row.starts_with(&changed)), "{stored:#?}");
}
