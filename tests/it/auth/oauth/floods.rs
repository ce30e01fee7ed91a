//! Floods of access tokens from one address, with a clock that the test advances. `crates/auth` covers floods of personal
//! access tokens.

use std::net::{IpAddr, Ipv4Addr};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use passbook_web::HttpError;
use serde_json::json;
use tests::provider::{Checker, IdentityProvider, NOON};
use tests::signer::Signer;

use super::{USER, one_key};

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
/// Number of signature checks that an address may cause at once.
const BURST: usize = 50;

/// Sends a token from [`ADDRESS`] and returns the status of the response.
async fn status(checker: &Checker, token: &str) -> u16 {
    match checker.check_from(ADDRESS, token).await {
        Ok(_) => 200,
        Err(error) => HttpError::from(error).status().as_u16(),
    }
}

/// Returns the token with another signature for each number.
fn forged(token: &str, number: usize) -> String {
    let (signed, _) = token.rsplit_once('.').expect("three segments");
    let mut signature = [1; 64];
    signature[..8].copy_from_slice(&number.to_be_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Sends forged tokens until none is checked any more. Returns the number of tokens whose signature was checked.
async fn exhaust(checker: &Checker, token: &str) -> usize {
    for number in 0..10 * BURST {
        match status(checker, &forged(token, number)).await {
            401 => {}
            429 => return number,
            other => panic!("{other}"),
        }
    }
    panic!("every forged token was checked");
}

#[tokio::test]
async fn verified_token_is_accepted_during_a_flood_of_forged_tokens() {
    let (signer, provider, checker) = one_key("ES256").await;
    let claims = provider.claims(USER, NOON);
    let token = signer.sign(&claims);
    assert_eq!(status(&checker, &token).await, 200);
    assert_eq!(exhaust(&checker, &token).await, BURST - 1, "the first token is a part of the burst");
    assert_eq!(status(&checker, &token).await, 200);
    // The entry of the cache ends after 300 s, then the signature is checked again.
    checker.clock.advance(301);
    assert_eq!(exhaust(&checker, &token).await, BURST);
    assert_eq!(status(&checker, &token).await, 200);
    assert_eq!(status(&checker, &token).await, 200);
    let mut unseen = claims;
    unseen["session_id"] = json!("5b0a5d7e-4f57-4f0e-9f53-77e1a6a70002");
    assert_eq!(
        status(&checker, &signer.sign(&unseen)).await,
        429,
        "a valid token that was never seen is limited"
    );
}

#[tokio::test]
async fn token_with_another_issuer_costs_no_signature_check() {
    let (signer, provider, checker) = one_key("ES256").await;
    let valid = signer.sign(&provider.claims(USER, NOON));
    let mut claims = provider.claims(USER, NOON);
    claims["iss"] = json!("https://id.example");
    let other = signer.sign(&claims);
    for number in 0..4 * BURST {
        assert_eq!(status(&checker, &forged(&other, number)).await, 401);
    }
    assert_eq!(exhaust(&checker, &valid).await, BURST);
    assert_eq!(status(&checker, &other).await, 401, "nor does it need the limit");
}

#[tokio::test]
async fn verified_token_whose_key_was_replaced_is_charged_again() {
    let [first, second] = [Signer::new("k1", "ES256"), Signer::new("k1", "ES256")];
    let provider = IdentityProvider::start(&[&first]).await;
    let checker = Checker::new(&provider.issuer);
    let token = first.sign(&provider.claims(USER, NOON));
    assert_eq!(status(&checker, &token).await, 200);
    provider.rotate(&[&second]);
    checker.clock.advance(600);
    assert_eq!(exhaust(&checker, &token).await, BURST);
    assert_eq!(status(&checker, &token).await, 401, "it was verified before");
    assert_eq!(status(&checker, &token).await, 429);
}

#[tokio::test]
async fn expired_token_is_charged_although_it_was_verified_before() {
    let (signer, provider, checker) = one_key("ES256").await;
    let mut claims = provider.claims(USER, NOON);
    claims["exp"] = json!(NOON + 100);
    let token = signer.sign(&claims);
    assert_eq!(status(&checker, &token).await, 200);
    checker.clock.advance(100);
    // The token is still valid, because clocks may differ by 30 s.
    assert_eq!(status(&checker, &token).await, 200);
    assert_eq!(exhaust(&checker, &token).await, BURST - 1);
    assert_eq!(status(&checker, &token).await, 429);
}
