//! Boundaries of the time claims, to the second, by a clock that the test sets.

use serde_json::{Value, json};
use tests::provider::{Checker, IdentityProvider, NOON};
use tests::signer::Signer;
use uuid::Uuid;

const DAY: i64 = 86_400;

#[tokio::test]
async fn token_is_valid_between_start_and_end_with_30_seconds_tolerance() {
    let signer = Signer::new("k1", "EdDSA");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    let table: Vec<(&str, Value, &str)> = vec![
        ("ended 29 s ago", json!({ "exp": NOON - 29 }), "good"),
        ("ended 30 s ago", json!({ "exp": NOON - 30 }), "Expired"),
        ("ended 31 s ago", json!({ "exp": NOON - 31 }), "Expired"),
        ("ended in 1970", json!({ "exp": 0, "iat": 0 }), "Expired"),
        ("starts in 30 s", json!({ "nbf": NOON + 30 }), "good"),
        ("starts in 31 s", json!({ "nbf": NOON + 31 }), "Time"),
        ("issued in 30 s", json!({ "iat": NOON + 30 }), "good"),
        ("issued in 31 s", json!({ "iat": NOON + 31 }), "Time"),
        ("meant for a day", json!({ "exp": NOON + DAY }), "good"),
        ("meant for a day and a second", json!({ "exp": NOON + DAY + 1 }), "Lifetime"),
        ("meant for a day since yesterday", json!({ "exp": NOON + 60, "iat": NOON + 60 - DAY }), "good"),
        ("meant for longer since yesterday", json!({ "exp": NOON + 60, "iat": NOON + 59 - DAY }), "Lifetime"),
        ("ends in a day, no time of issue", json!({ "exp": NOON + DAY, "iat": null }), "good"),
        ("ends later, no time of issue", json!({ "exp": NOON + DAY + 1, "iat": null }), "Lifetime"),
    ];
    for (name, changes, expected) in table {
        let mut claims = provider.claims(Uuid::from_u128(1), NOON);
        for (claim, value) in changes.as_object().expect("an object") {
            claims[claim] = value.clone();
        }
        if claims["iat"].is_null() {
            claims.as_object_mut().expect("an object").remove("iat");
        }
        assert_eq!(checker.verdict(&signer.sign(&claims)).await, expected, "{name}");
    }
}

#[tokio::test]
async fn only_otherwise_valid_token_is_reported_as_expired() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    let mut claims = provider.claims(Uuid::from_u128(1), NOON - 7_200);
    assert_eq!(checker.verdict(&signer.sign(&claims)).await, "Expired");
    assert_eq!(checker.verdict(&Signer::new("k1", "ES256").sign(&claims)).await, "Signature");
    claims["is_anonymous"] = json!(true);
    assert_eq!(checker.verdict(&signer.sign(&claims)).await, "Anonymous");
}
