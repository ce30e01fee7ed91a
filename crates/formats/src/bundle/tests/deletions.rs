//! Tests of the rules for `deleted`, and of faults that are reported together.

use serde_json::{Value, json};

use super::{EXAMPLE, USER, faults, read_text};
use crate::Located;
use crate::record::{Deleted, Record};

/// Returns a bundle with the object `deleted`.
fn deleting(deleted: Value) -> String {
    json!({ "format": "passbook-bundle", "version": 1, "deleted": deleted }).to_string()
}

#[test]
fn deleted_row_is_named_by_its_source_id_or_by_the_shown_id() {
    let shown = "0b8a4a52-2f0e-4f5c-9d0a-6f1f8f0f7a01";
    let key = |id: &str| {
        let text = deleting(json!({ "transactions": [{ "user": USER, "id": id }] }));
        match read_text(text).as_slice() {
            [Ok(Located { place, record: Record::Deleted(Deleted::Transaction(row)) })] => {
                assert_eq!(place, "deleted.transactions[0]");
                row.id
            }
            other => panic!("{other:?}"),
        }
    };
    let user: uuid::Uuid = USER.parse().unwrap();
    assert_eq!(key("t-1").derived, crate::id::derive(user, "transaction", "t-1"));
    assert_eq!(key("t-1").shown, None);
    assert_eq!(key(shown).derived, crate::id::derive(user, "transaction", shown));
    assert_eq!(key(shown).shown, Some(shown.parse().unwrap()));
    assert_eq!(
        key(&shown.replace('-', "")).shown,
        None,
        "only the spelling that Passbook shows is a shown id"
    );
}

#[test]
fn faults_of_deleted_rows_name_place_and_rule() {
    let row = json!({ "user": USER, "id": "x" });
    for (deleted, expected) in [
        (
            json!({ "users": [row] }),
            "deleted.users: must not be given, because a bundle does not delete people",
        ),
        (
            json!({ "personal_access_tokens": [row] }),
            "deleted.personal_access_tokens: must not be given: set revoked_at in the array personal_access_tokens",
        ),
        (json!({ "oauth_clients": [row] }), "deleted.oauth_clients: must not be given: set revoked_at"),
        (
            json!({ "rate_base": "EUR" }),
            "deleted.rate_base: is not a known key: the keys are exchange_rates, banks",
        ),
        (json!({ "we ird": [] }), "deleted[\"we ird\"]: is not a known key"),
        (json!({ "banks": {} }), "deleted.banks: must be an array; received an object"),
        (json!({ "banks": ["x"] }), "deleted.banks[0]: must be an object; received \"x\""),
        (json!({ "banks": [{ "user": USER }] }), "deleted.banks[0].id: must be given"),
        (
            json!({ "banks": [{ "user": USER, "id": "x", "name": "y" }] }),
            "deleted.banks[0].name: is not a known key: the keys are user, id",
        ),
        (
            json!({ "balance_snapshots": [{ "user": USER, "account": "a", "as_of": "2026-02-30" }] }),
            "deleted.balance_snapshots[0].as_of: must be a calendar date",
        ),
    ] {
        let faults = faults(deleting(deleted));
        let [fault] = faults.as_slice() else { panic!("{expected}: {faults:?}") };
        assert!(fault.starts_with(expected), "{fault} starts with {expected}");
    }
    let twice = r#"{"format":"passbook-bundle","version":1,"deleted":{"banks":[],"banks":[7]}}"#;
    assert_eq!(faults(twice), ["deleted.banks: must be given only once"]);
    let twice = r#"{"format":"passbook-bundle","version":1,"deleted":{},"deleted":7}"#;
    assert_eq!(faults(twice), ["deleted: must be given only once"]);
    let list = faults(deleting(json!([])));
    assert!(list[0].contains("invalid type: sequence, expected an object with arrays"), "{list:?}");
}

#[test]
fn all_faults_of_a_client_or_token_are_reported_together() {
    let mut bundle: Value = serde_json::from_str(EXAMPLE).unwrap();
    let client = bundle["oauth_clients"][0].as_object_mut().unwrap();
    client.insert("redirect_uris".to_owned(), json!(["https://a.example/", 7, "ftp://a.example/"]));
    client.remove("scopes");
    let token = bundle["personal_access_tokens"][0].as_object_mut().unwrap();
    token.insert("created_at".to_owned(), json!("2027-01-01T00:00:00Z"));
    token.insert("expires_at".to_owned(), json!("2026-12-31T00:00:00Z"));
    token.insert("scopes".to_owned(), json!([]));
    token.insert("last_four".to_owned(), json!("x"));
    token.remove("token_hash");
    let places: Vec<String> = read_text(bundle.to_string())
        .into_iter()
        .filter_map(Result::err)
        .flatten()
        .map(|fault| fault.place)
        .collect();
    assert_eq!(
        places,
        [
            "oauth_clients[0].redirect_uris[1]",
            "oauth_clients[0].scopes",
            "oauth_clients[0].redirect_uris[2]",
            "personal_access_tokens[0].token_hash",
            "personal_access_tokens[0].last_four",
            "personal_access_tokens[0].scopes",
            "personal_access_tokens[0].created_at",
            "personal_access_tokens[0].expires_at",
        ]
    );
}
