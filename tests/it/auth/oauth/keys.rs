//! The provider's keys: usable keys, number of fetches, and rotation.

use std::sync::Arc;

use serde_json::{Value, json};
use tests::provider::{Checker, IdentityProvider, NOON, ResponseMode};
use tests::signer::{Signer, base64};
use uuid::Uuid;

const USER: Uuid = Uuid::from_u128(7);
/// Maximum time between two fetches of the keys, and pause between fetches for unknown keys, in seconds.
const REFRESH_SECONDS: u64 = 600;
const PAUSE_SECONDS: u64 = 30;

#[tokio::test]
async fn key_is_used_only_for_its_published_purpose() {
    let [es256, rs256] = [Signer::new("k1", "ES256"), Signer::new("k1", "RS256")];
    let set = |signer: &Signer, member: &str, value: Value| {
        let mut jwk = signer.jwk();
        jwk[member] = value;
        jwk
    };
    let without = |signer: &Signer, members: &[&str]| {
        let mut jwk = signer.jwk();
        members.iter().for_each(|member| drop(jwk.as_object_mut().expect("an object").remove(*member)));
        jwk
    };
    let weak = base64(&[0xff; 255]);
    let table: Vec<(&str, &Signer, Value, &str)> = vec![
        ("as it is", &es256, es256.jwk(), "good"),
        ("no use, operations or algorithm", &es256, without(&es256, &["use", "key_ops", "alg"]), "good"),
        (
            "RSA without use, operations or algorithm",
            &rs256,
            without(&rs256, &["use", "key_ops", "alg"]),
            "good",
        ),
        ("for encryption", &es256, set(&es256, "use", json!("enc")), "Key"),
        ("use in capitals", &es256, set(&es256, "use", json!("SIG")), "Key"),
        ("for signing", &es256, set(&es256, "key_ops", json!(["sign"])), "Key"),
        ("for nothing", &es256, set(&es256, "key_ops", json!([])), "Key"),
        ("operations as text", &es256, set(&es256, "key_ops", json!("verify")), "Key"),
        ("for another curve", &es256, set(&es256, "alg", json!("ES384")), "Key"),
        ("for RSA", &es256, set(&es256, "alg", json!("RS256")), "Key"),
        ("for an Edwards curve", &es256, set(&es256, "alg", json!("EdDSA")), "Key"),
        ("for a secret", &es256, set(&es256, "alg", json!("HS256")), "Key"),
        ("on another curve", &es256, set(&es256, "crv", json!("P-384")), "Key"),
        ("on no curve", &es256, without(&es256, &["crv"]), "Key"),
        ("half a point", &es256, without(&es256, &["y"]), "Key"),
        ("a long point", &es256, set(&es256, "x", json!(base64(&[1; 33]))), "Key"),
        ("a point that is not on the curve", &es256, set(&es256, "x", json!(base64(&[1; 32]))), "Signature"),
        ("private", &es256, set(&es256, "d", json!(base64(&[1; 32]))), "Key"),
        ("RSA for another padding", &rs256, set(&rs256, "alg", json!("PS256")), "Algorithm"),
        ("RSA for longer hashes", &rs256, set(&rs256, "alg", json!("RS512")), "Key"),
        ("RSA for EC", &rs256, set(&rs256, "alg", json!("ES256")), "Key"),
        ("RSA with 2040 bits", &rs256, set(&rs256, "n", json!(weak)), "Key"),
        ("RSA with exponent 1", &rs256, set(&rs256, "e", json!(base64(&[1]))), "Key"),
        ("RSA with exponent 65536", &rs256, set(&rs256, "e", json!(base64(&[1, 0, 0]))), "Key"),
        ("RSA without exponent", &rs256, without(&rs256, &["e"]), "Key"),
        (
            "a secret",
            &es256,
            json!({ "kty": "oct", "kid": "k1", "alg": "HS256", "k": base64(&[7; 32]) }),
            "Key",
        ),
        ("of no kind", &es256, without(&es256, &["kty"]), "Key"),
        ("name that is a number", &es256, set(&es256, "kid", json!(5)), "Key"),
        ("empty name", &es256, set(&es256, "kid", json!("")), "Key"),
        ("no object", &es256, json!("k1"), "Key"),
    ];
    let good = Signer::new("good", "EdDSA");
    for (name, signer, jwk, verdict) in table {
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
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Arc::new(Checker::new(&provider.issuer));
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
    let signer = Signer::new("k1", "EdDSA");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
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
async fn new_key_is_found_by_its_first_token_and_removed_key_is_rejected_after_refresh() {
    let [old, new] = [Signer::new("old", "ES256"), Signer::new("new", "ES256")];
    let provider = IdentityProvider::start(&[&old]).await;
    let checker = Checker::new(&provider.issuer);
    let claims = provider.claims(USER, NOON);
    let [old_token, new_token] = [old.sign(&claims), new.sign(&claims)];
    assert_eq!(checker.verdict(&old_token).await, "good");
    provider.rotate(&[&old, &new]);
    assert_eq!(checker.verdict(&new_token).await, "good");
    assert_eq!(checker.verdict(&old_token).await, "good");
    assert_eq!(provider.jwks_requests(), 2);
    provider.rotate(&[&new]);
    assert_eq!(checker.verdict(&old_token).await, "good", "the keys have not been refreshed yet");
    checker.clock.advance(REFRESH_SECONDS);
    assert_eq!(checker.verdict(&old_token).await, "Key", "the cache entry of a token must end with its key");
    assert_eq!(checker.verdict(&new_token).await, "good");
}

#[tokio::test]
async fn new_key_within_the_pause_gives_the_real_retry_after() {
    let [old, new, newest] = ["old", "new", "newest"].map(|id| Signer::new(id, "ES256"));
    let provider = IdentityProvider::start(&[&old]).await;
    let checker = Checker::new(&provider.issuer);
    let claims = provider.claims(USER, NOON);
    assert_eq!(checker.verdict(&old.sign(&claims)).await, "good");
    provider.rotate(&[&old, &new]);
    assert_eq!(checker.verdict(&new.sign(&claims)).await, "good");
    provider.rotate(&[&old, &new, &newest]);
    for (passed, expected) in [(0, 30), (1, 29), (28, 1)] {
        checker.clock.advance(passed);
        let error = checker.check(&newest.sign(&claims)).await.expect_err("the key is not known yet");
        let passbook_auth::Error::Provider { retry_after_seconds, .. } = error else { panic!("{error:?}") };
        assert_eq!(retry_after_seconds, expected, "after {passed} more seconds");
    }
    assert_eq!(provider.jwks_requests(), 2);
    checker.clock.advance(1);
    assert_eq!(checker.verdict(&newest.sign(&claims)).await, "good");
    assert_eq!(provider.jwks_requests(), 3);
}

#[tokio::test]
async fn key_replaced_under_its_name_is_found_by_its_first_token() {
    for algorithms in [["ES256", "ES256"], ["ES256", "RS256"]] {
        let [first, second] = algorithms.map(|algorithm| Signer::new("k1", algorithm));
        let provider = IdentityProvider::start(&[&first]).await;
        let checker = Checker::new(&provider.issuer);
        let claims = provider.claims(USER, NOON);
        assert_eq!(checker.verdict(&first.sign(&claims)).await, "good");
        provider.rotate(&[&second]);
        assert_eq!(checker.verdict(&second.sign(&claims)).await, "good", "{algorithms:?}");
        let rule = if algorithms[0] == algorithms[1] { "Signature" } else { "Algorithm" };
        assert_eq!(checker.verdict(&first.sign(&claims)).await, rule, "{algorithms:?}: the old key is gone");
        assert_eq!(provider.jwks_requests(), 2, "{algorithms:?}");
    }
}

#[tokio::test]
async fn wrong_signatures_cause_one_fetch_in_30_seconds() {
    let [signer, stranger] = [Signer::new("k1", "ES256"), Signer::new("k1", "ES256")];
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    let claims = provider.claims(USER, NOON);
    assert_eq!(checker.verdict(&signer.sign(&claims)).await, "good");
    for expected in [2, 3] {
        for _ in 0..100 {
            assert_eq!(checker.verdict(&stranger.sign(&claims)).await, "Signature");
        }
        assert_eq!(provider.jwks_requests(), expected);
        checker.clock.advance(PAUSE_SECONDS);
    }
    provider.set_response(ResponseMode::Status(500));
    assert_eq!(checker.verdict(&stranger.sign(&claims)).await, "Signature", "the key is known");
    assert_eq!(checker.verdict(&signer.sign(&claims)).await, "good");
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
