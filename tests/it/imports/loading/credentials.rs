//! Tokens, clients and consents in a bundle: revocation is permanent, and no fault repeats a plain token.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tests::database::Database;

use super::{counts_of, example, loaded, refused};

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
        client.batch_execute(&revoke).await.expect("the row is revoked");
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
            let first: bool = client.query_one(&first, &[]).await.expect("a row").get(0);
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
