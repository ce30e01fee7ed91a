//! The provider's keys: usable keys, and requests at the same time. `sequences` has keys that change over time.

use std::sync::Arc;

use serde_json::{Value, json};
use tests::provider::{Checker, IdentityProvider, NOON};
use tests::signer::Signer;

use super::{USER, changed, one_key};

/// Pause between two fetches of the keys for unknown keys, in seconds.
const PAUSE_SECONDS: u64 = 30;

#[tokio::test]
async fn key_is_used_only_for_its_published_purpose() {
    let good = Signer::new("good", "EdDSA");
    let signers = [Signer::new("k1", "ES256"), Signer::new("k1", "RS256")];
    for (name, values) in tests::table::rows(include_str!("keys/purposes.txt")) {
        let mut words = values[0].splitn(3, ' ');
        let signer = &signers[usize::from(words.next() == Some("RS256"))];
        let (verdict, changes) = (words.next().expect("a verdict"), words.next().unwrap_or("{}"));
        let json = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
        let jwk = match changes.strip_prefix("= ") {
            Some(whole) => json(whole),
            None => changed(signer.jwk(), &json(changes)),
        };
        let provider = IdentityProvider::start(&[]).await;
        provider.publish(json!([jwk, good.jwk()]));
        let checker = Checker::new(&provider.issuer);
        let claims = provider.claims(USER, NOON);
        assert_eq!(checker.verdict(&signer.sign(&claims)).await, verdict, "{name}");
        assert_eq!(
            checker.verdict(&good.sign(&claims)).await,
            "good",
            "{name}: the other key must stay usable"
        );
        let status = checker.provider.status();
        let skipped = usize::from(verdict == "Key");
        assert_eq!((status.keys_usable, status.keys_skipped), (2 - skipped, skipped), "{name}");
    }
}

#[tokio::test]
async fn repeated_key_name_is_unusable_and_token_without_name_needs_a_single_key() {
    let [first, second] = [Signer::new("k1", "ES256"), Signer::new("k1", "ES256")];
    let mut encrypting = second.jwk();
    encrypting["use"] = json!("enc");
    let mut nameless = first.jwk();
    nameless.as_object_mut().expect("an object").remove("kid");
    let other = Signer::new("k2", "ES256");
    let mut numbered = other.jwk();
    numbered["kid"] = json!(5);
    let named = first.header();
    let unnamed = json!({ "alg": "ES256" });
    let table = [
        ("alone", json!([first.jwk()]), &named, "good"),
        ("with another", json!([first.jwk(), other.jwk()]), &named, "good"),
        ("twice", json!([first.jwk(), second.jwk()]), &named, "Key"),
        ("the same twice", json!([first.jwk(), first.jwk()]), &named, "Key"),
        ("with one for encryption", json!([first.jwk(), encrypting]), &named, "Key"),
        ("alone, and the token nameless", json!([first.jwk()]), &unnamed, "good"),
        ("with another, and the token nameless", json!([first.jwk(), other.jwk()]), &unnamed, "Key"),
        ("key and token nameless", json!([nameless]), &unnamed, "good"),
        (
            "key and token nameless, another key with a number as name",
            json!([nameless, numbered]),
            &unnamed,
            "good",
        ),
        ("the key nameless", json!([nameless]), &named, "Key"),
        ("none", json!([]), &named, "Key"),
    ];
    for (name, keys, header, verdict) in table {
        let provider = IdentityProvider::start(&[]).await;
        provider.publish(keys);
        let claims = provider.claims(USER, NOON).to_string();
        let token = first.sign_text(&header.to_string(), &claims);
        assert_eq!(Checker::new(&provider.issuer).verdict(&token).await, verdict, "{name}");
    }
}

#[tokio::test]
async fn concurrent_first_requests_fetch_the_keys_once() {
    let (signer, provider, checker) = one_key("ES256").await;
    let checker = Arc::new(checker);
    let token = signer.sign(&provider.claims(USER, NOON));
    let checks: Vec<_> = (0..1_000)
        .map(|_| {
            let (checker, token) = (checker.clone(), token.clone());
            tokio::spawn(async move { checker.verdict(&token).await })
        })
        .collect();
    for verdict in checks {
        assert_eq!(verdict.await.expect("the check does not panic"), "good");
    }
    assert_eq!(
        (provider.jwks_requests(), provider.total_requests()),
        (1, 2),
        "one request each for the discovery document and the keys"
    );
}

#[tokio::test]
async fn unknown_key_names_cause_one_fetch_in_30_seconds() {
    let (signer, provider, checker) = one_key("EdDSA").await;
    let claims = provider.claims(USER, NOON);
    let good = signer.sign(&claims);
    assert_eq!(checker.verdict(&good).await, "good");
    for (round, expected) in [(0, 2), (1, 3), (2, 4)] {
        for at in 0..3_400 {
            let header = json!({ "alg": "EdDSA", "kid": format!("{round}-{at}") }).to_string();
            // The first name causes a fetch. Every later name may be that of a key that is newer than this fetch.
            let expected = if at == 0 { "Key" } else { "Unavailable" };
            assert_eq!(checker.verdict(&signer.sign_text(&header, "{}")).await, expected, "{round}-{at}");
        }
        assert_eq!(provider.jwks_requests(), expected, "round {round}");
        assert_eq!(checker.verdict(&good).await, "good", "round {round}");
        checker.clock.advance(PAUSE_SECONDS);
    }
    // A name that was not found is not looked up again right after the pause.
    let header = json!({ "alg": "EdDSA", "kid": "2-0" }).to_string();
    let again = signer.sign_text(&header, "{}");
    assert_eq!((checker.verdict(&again).await, provider.jwks_requests()), ("Key".to_owned(), 4));
    checker.clock.advance(PAUSE_SECONDS);
    assert_eq!((checker.verdict(&again).await, provider.jwks_requests()), ("Key".to_owned(), 5));
}

#[tokio::test]
async fn key_rotation_under_load_rejects_no_valid_token() {
    let [old, new] = [Signer::new("old", "ES256"), Signer::new("new", "RS256")];
    let provider = IdentityProvider::start(&[&old]).await;
    let checker = Arc::new(Checker::new(&provider.issuer));
    let claims = provider.claims(USER, NOON);
    let tokens = [old.sign(&claims), new.sign(&claims)];
    assert_eq!(checker.verdict(&tokens[0]).await, "good");
    provider.rotate(&[&old, &new]);
    checker.clock.advance(PAUSE_SECONDS);
    let checks: Vec<_> = (0..400)
        .map(|at: usize| {
            let (checker, token) = (checker.clone(), tokens[at % 2].clone());
            tokio::spawn(async move {
                let mut verdicts = Vec::new();
                for _ in 0..5 {
                    verdicts.push(checker.verdict(&token).await);
                    checker.clock.advance(1);
                }
                verdicts
            })
        })
        .collect();
    for verdicts in checks {
        assert!(verdicts.await.expect("the check does not panic").iter().all(|verdict| verdict == "good"));
    }
}
