//! The cache of verified tokens: lifetime of entries, and their removal with the keys.

use serde_json::json;
use tests::provider::{Checker, IdentityProvider, NOON, ResponseMode};
use tests::signer::Signer;
use uuid::Uuid;

const USER: Uuid = Uuid::from_u128(7);

#[tokio::test]
async fn cached_token_expires_at_its_end() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    let mut claims = provider.claims(USER, NOON);
    claims["exp"] = json!(NOON + 100);
    let token = signer.sign(&claims);
    assert_eq!(checker.verdict(&token).await, "good");
    checker.clock.advance(99);
    assert_eq!(checker.verdict(&token).await, "good");
    // After its end the token is verified again: the tolerance is 30 seconds.
    checker.clock.advance(30);
    assert_eq!(checker.verdict(&token).await, "good");
    checker.clock.advance(1);
    assert_eq!(checker.verdict(&token).await, "Expired");
}

#[tokio::test]
async fn forged_variant_of_a_cached_token_is_rejected() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    let token = signer.sign(&provider.claims(USER, NOON));
    assert_eq!(checker.verdict(&token).await, "good");
    let (signed, signature) = token.rsplit_once('.').expect("three segments");
    let first = if signature.starts_with('A') { "B" } else { "A" };
    let forged = format!("{signed}.{first}{}", &signature[1..]);
    assert_eq!(checker.verdict(&forged).await, "Signature");
    assert_eq!(checker.verdict(&token).await, "good");
}

#[tokio::test]
async fn cached_token_is_rejected_after_its_key_was_replaced() {
    let [first, second] = [Signer::new("k1", "ES256"), Signer::new("k1", "ES256")];
    let provider = IdentityProvider::start(&[&first]).await;
    let checker = Checker::new(&provider.issuer);
    let token = first.sign(&provider.claims(USER, NOON));
    assert_eq!(checker.verdict(&token).await, "good");
    provider.rotate(&[&second]);
    checker.clock.advance(600);
    assert_eq!(checker.verdict(&token).await, "Signature", "another key has this name now");
    assert_eq!(checker.verdict(&second.sign(&provider.claims(USER, NOON))).await, "good");
}

#[tokio::test]
async fn cached_token_is_not_used_longer_than_stale_keys() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let clock = std::sync::Arc::new(tests::provider::TestClock::default());
    let mut settings = passbook_auth::provider::Settings::new(&provider.issuer).with_clock(clock.clone());
    settings.stale_max = std::time::Duration::from_secs(700);
    let checker = Checker::with(settings, clock);
    checker.clock.advance(1);
    let token = signer.sign(&provider.claims(USER, NOON));
    assert_eq!(checker.verdict(&token).await, "good");
    provider.set_response(ResponseMode::Status(500));
    checker.clock.advance(600);
    assert_eq!(checker.verdict(&token).await, "good");
    checker.clock.advance(101);
    assert_eq!(checker.verdict(&token).await, "Unavailable");
}
