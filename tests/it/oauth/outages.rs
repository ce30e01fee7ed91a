//! A provider that is not there: what is known goes on being used, what is not known is nobody's fault.

use std::time::Duration;

use auth::provider::State;
use serde_json::json;
use tests::provider::{Checker, IdentityProvider, NOON, ResponseMode};
use tests::signer::Signer;
use uuid::Uuid;

const USER: Uuid = Uuid::from_u128(7);
/// Seconds: the longest time before a refresh, the rest after a failure, and how long keys may be used without one.
const REFRESH_SECONDS: u64 = 600;
const RETRY_SECONDS: u64 = 5;
const STALE_SECONDS: u64 = 24 * 3_600;

fn checker(provider: &IdentityProvider) -> Checker {
    let clock = std::sync::Arc::new(tests::provider::TestClock::default());
    let settings = auth::provider::Settings {
        timeout: Duration::from_millis(300),
        clock: clock.clone(),
        ..auth::provider::Settings::new(&provider.issuer)
    };
    Checker::with(settings, clock)
}

/// Everything that a provider can do wrong.
fn moods() -> Vec<ResponseMode> {
    let endless = format!("{{\"keys\":[\"{}\"]}}", "x".repeat(10 * 1024 * 1024));
    vec![
        ResponseMode::Status(500),
        ResponseMode::Status(404),
        ResponseMode::ConnectionClosed,
        ResponseMode::Hang,
        ResponseMode::Body(b"garbage".to_vec()),
        ResponseMode::Body(b"{\"keys\":{}}".to_vec()),
        ResponseMode::Body(endless.into_bytes()),
        ResponseMode::Redirect("http://127.0.0.1:9/keys".to_owned()),
    ]
}

#[tokio::test]
async fn known_keys_serve_for_a_day_without_the_provider_and_then_it_is_an_outage() {
    for mood in moods() {
        let [known, unknown] = [Signer::new("k1", "ES256"), Signer::new("k2", "ES256")];
        let provider = IdentityProvider::start(&[&known]).await;
        let checker = checker(&provider);
        assert_eq!(checker.verdict(&known.sign(&provider.claims(USER, NOON))).await, "good");
        assert_eq!(checker.provider.check().await.keys, State::Fresh);
        provider.set_response(mood.clone());
        checker.clock.advance(REFRESH_SECONDS);
        let token = |signer: &Signer| signer.sign(&provider.claims(USER, checker.clock.now()));
        assert_eq!(checker.verdict(&token(&known)).await, "good", "{mood:?}");
        let status = checker.provider.status();
        assert!(
            matches!(status.keys, State::Stale { age, .. } if age.as_secs() == REFRESH_SECONDS),
            "{mood:?}: {status:?}"
        );
        assert_eq!(checker.verdict(&token(&unknown)).await, "Unavailable", "{mood:?}: it may be new");
        checker.clock.advance(STALE_SECONDS - REFRESH_SECONDS);
        assert_eq!(checker.verdict(&token(&known)).await, "good", "{mood:?}: exactly a day");
        checker.clock.advance(1);
        assert_eq!(checker.verdict(&token(&known)).await, "Unavailable", "{mood:?}: a day and a second");
        assert!(matches!(checker.provider.check().await.keys, State::Absent { why: Some(_) }), "{mood:?}");
        provider.set_response(ResponseMode::Normal);
        checker.clock.advance(RETRY_SECONDS);
        assert_eq!(checker.verdict(&token(&known)).await, "good", "{mood:?}: it is back");
    }
}

#[tokio::test]
async fn without_keys_from_the_start_nothing_is_refused_and_nothing_accepted_until_they_come() {
    for mood in moods() {
        let signer = Signer::new("k1", "ES256");
        let provider = IdentityProvider::start(&[&signer]).await;
        provider.set_response(mood.clone());
        let checker = checker(&provider);
        let token = signer.sign(&provider.claims(USER, NOON));
        assert_eq!(checker.verdict(&token).await, "Unavailable", "{mood:?}");
        let hits = provider.total_requests();
        for _ in 0..100 {
            assert_eq!(checker.verdict(&token).await, "Unavailable", "{mood:?}");
        }
        assert_eq!(provider.total_requests(), hits, "{mood:?}: it is given a rest");
        assert_eq!(checker.verdict("not.a.token").await, "Malformed", "{mood:?}: no key could make it one");
        provider.set_response(ResponseMode::Normal);
        checker.clock.advance(RETRY_SECONDS);
        assert_eq!(checker.verdict(&token).await, "good", "{mood:?}: it is there");
    }
}

#[tokio::test]
async fn a_provider_that_hangs_costs_only_the_first_request_its_time() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    // Were a second request to wait for it, it would wait for the whole test.
    let clock = std::sync::Arc::new(tests::provider::TestClock::default());
    let settings =
        auth::provider::Settings { clock: clock.clone(), ..auth::provider::Settings::new(&provider.issuer) };
    let checker = Checker::with(settings, clock);
    let token = signer.sign(&provider.claims(USER, NOON));
    assert_eq!(checker.verdict(&token).await, "good");
    provider.set_response(ResponseMode::Status(500));
    checker.clock.advance(REFRESH_SECONDS);
    assert_eq!(checker.verdict(&token).await, "good");
    provider.set_response(ResponseMode::Hang);
    checker.clock.advance(RETRY_SECONDS);
    for _ in 0..100 {
        let verdict = futures_util::FutureExt::now_or_never(checker.verdict(&token));
        assert_eq!(verdict.as_deref(), Some("good"), "it is answered without waiting for anything");
    }
}

#[tokio::test]
async fn an_empty_key_set_is_believed() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = checker(&provider);
    let token = signer.sign(&provider.claims(USER, NOON));
    assert_eq!(checker.verdict(&token).await, "good");
    provider.publish(json!([]));
    checker.clock.advance(REFRESH_SECONDS);
    assert_eq!(checker.verdict(&token).await, "Key", "the provider has taken its keys back");
    assert_eq!(checker.provider.status().keys_usable, 0);
}

#[tokio::test]
async fn what_keeps_it_fresh_fetches_before_anybody_asks() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = checker(&provider);
    let fresh = async {
        while checker.provider.status().keys != State::Fresh {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = checker.provider.keep_fresh() => {}
        () = fresh => {}
    }
    assert_eq!(provider.jwks_requests(), 1);
}
