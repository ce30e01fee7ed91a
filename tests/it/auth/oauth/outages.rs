//! The provider's discovery document, and the log of an outage. `sequences` has the tokens during an outage.

use passbook_auth::provider::State;
use serde_json::json;
use tests::provider::{Checker, IdentityProvider, NOON, ResponseMode};
use tests::signer::Signer;

use super::{USER, checker_with_short_timeout, one_key};
use crate::rest::pipeline::ledger::Log;

const OPENID: &str = "/auth/v1/.well-known/openid-configuration";
const APPENDED: &str = "/auth/v1/.well-known/oauth-authorization-server";
const INSERTED: &str = "/.well-known/oauth-authorization-server/auth/v1";

#[tokio::test]
async fn discovery_document_is_read_without_unused_members() {
    let provider = IdentityProvider::start(&[]).await;
    provider.set_metadata("registration_endpoint", json!("https://evil.example/register"));
    provider.set_metadata("revocation_endpoint", json!(format!("{}/revoke", provider.issuer)));
    let checker = Checker::new(&provider.issuer);
    let metadata = checker.provider.discovery_document().await.expect("the document is read");
    assert_eq!(metadata.issuer, provider.issuer);
    assert_eq!(metadata.authorization_endpoint, format!("{}/oauth/authorize", provider.issuer));
    assert_eq!(metadata.revocation_endpoint, Some(format!("{}/revoke", provider.issuer)));
    assert_eq!(metadata.code_challenge_methods_supported, ["S256", "plain"]);
    assert_eq!(metadata.claims_supported, [""; 0]);
    assert!(!metadata.authorization_response_iss_parameter_supported);
    assert!(!format!("{metadata:?}").contains("evil.example"));
    // The documents have the real time, which the clock of the test is far ahead of.
    checker.clock.advance(100 * 365 * 24 * 60 * 60);
    let ahead = checker.provider.clock_ahead_seconds().await.expect("the document is read");
    assert!(ahead.is_some_and(|seconds| seconds > 0), "{ahead:?}");
}

#[tokio::test]
async fn discovery_document_is_requested_at_each_well_known_address_in_order() {
    let provider = IdentityProvider::start(&[]).await;
    for hidden in [OPENID, APPENDED] {
        Checker::new(&provider.issuer).provider.discovery_document().await.expect(hidden);
        provider.remove_document(hidden);
    }
    Checker::new(&provider.issuer)
        .provider
        .discovery_document()
        .await
        .expect("the document is at the last address");
    assert_eq!([OPENID, APPENDED, INSERTED].map(|path| provider.requests_of(path)), [3, 2, 1]);
    provider.remove_document(INSERTED);
    let error = Checker::new(&provider.issuer)
        .provider
        .discovery_document()
        .await
        .expect_err("no address has a document");
    assert!(error.to_string().contains("404"), "{error}");
}

#[tokio::test]
async fn discovery_document_with_foreign_issuer_or_host_is_rejected() {
    let signer = Signer::new("k1", "ES256");
    let canary = IdentityProvider::start(&[&signer]).await;
    let elsewhere = canary.issuer.replace("127.0.0.1", "localhost");
    let issuer = |provider: &IdentityProvider| provider.issuer.clone();
    let slash = |provider: &IdentityProvider| format!("{}/", provider.issuer);
    let stranger = move |_: &IdentityProvider| format!("{elsewhere}/keys");
    let unsafe_address = |_: &IdentityProvider| "http://money.example/keys".to_owned();
    let password = |provider: &IdentityProvider| provider.issuer.replace("http://", "http://a:b@");
    type Value<'a> = &'a dyn Fn(&IdentityProvider) -> String;
    let table: [(&str, Value<'_>, bool); 12] = [
        ("issuer", &issuer, true),
        ("issuer", &slash, false),
        ("issuer", &|_| String::new(), false),
        ("jwks_uri", &stranger, false),
        ("jwks_uri", &unsafe_address, false),
        ("jwks_uri", &password, false),
        ("jwks_uri", &|_| "/keys".to_owned(), false),
        ("authorization_endpoint", &stranger, false),
        ("token_endpoint", &stranger, false),
        ("userinfo_endpoint", &stranger, false),
        ("revocation_endpoint", &stranger, false),
        ("end_session_endpoint", &stranger, false),
    ];
    for (member, value, good) in table {
        let provider = IdentityProvider::start(&[&signer]).await;
        let value = value(&provider);
        provider.set_metadata(member, json!(value));
        let found = Checker::new(&provider.issuer).provider.discovery_document().await;
        assert_eq!(found.is_ok(), good, "{member} {value}: {found:?}");
        let status = Checker::new(&provider.issuer).provider.check().await;
        assert_eq!(status.keys_usable, usize::from(good), "{member} {value}");
    }
    assert_eq!(canary.total_requests(), 0);
}

#[tokio::test]
async fn endpoint_on_an_allowed_host_is_accepted() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let elsewhere = provider.issuer.replace("127.0.0.1", "localhost");
    provider.set_metadata("jwks_uri", json!(format!("{elsewhere}/keys")));
    let settings = passbook_auth::provider::Settings::new(&provider.issuer)
        .with_allowed_hosts(vec!["localhost".to_owned()]);
    let checker = Checker::with(settings, std::sync::Arc::default());
    assert_eq!(checker.provider.check().await.keys_usable, 1);
}

#[tokio::test]
async fn invalid_discovery_response_is_rejected_and_not_requested_again_at_once() {
    let signer = Signer::new("k1", "ES256");
    let canary = IdentityProvider::start(&[&signer]).await;
    let to = format!("{}{OPENID}", canary.origin());
    let endless = json!({ "issuer": "x".repeat(10 * 1024 * 1024) }).to_string().into_bytes();
    for (response, why) in [
        (ResponseMode::Status(500), "500"),
        (ResponseMode::Status(401), "401"),
        (ResponseMode::ConnectionClosed, "connection"),
        (ResponseMode::Body(b"<html>".to_vec()), "not a discovery document"),
        (ResponseMode::Body(b"[]".to_vec()), "not a discovery document"),
        (ResponseMode::Body(endless), "262144 bytes"),
        (ResponseMode::Redirect(to), "302"),
        (ResponseMode::Hang, "too long"),
    ] {
        let provider = IdentityProvider::start(&[&signer]).await;
        provider.set_response(response.clone());
        let checker = checker_with_short_timeout(&provider);
        let error = checker
            .provider
            .discovery_document()
            .await
            .expect_err("the response is not a discovery document")
            .to_string();
        let hanging = response == ResponseMode::Hang;
        assert!(error.contains(why) || (hanging && error.contains("timed out")), "{why}: {error}");
        checker.provider.discovery_document().await.expect_err("the request has just failed");
        assert_eq!(provider.requests_of(OPENID), 1, "{why}: the failed request must not be repeated at once");
    }
    assert_eq!(canary.total_requests(), 0, "a redirect must not be followed");
}

/// Pause after a failed request to the provider, in seconds.
const RETRY_SECONDS: u64 = 5;

#[tokio::test]
async fn outage_of_the_provider_is_logged_at_its_start_in_ten_minutes_and_at_its_end() {
    let (signer, provider, checker) = one_key("ES256").await;
    let token = signer.sign(&provider.claims(USER, NOON));
    let log = Log::default();
    let _collected = log.collect();
    provider.set_response(ResponseMode::Status(500));
    let mut lines = Vec::new();
    for failures in 1..=130 {
        assert_eq!(checker.verdict(&token).await, "Unavailable");
        lines.extend(log.take().into_iter().map(|line| (failures, line)));
        checker.clock.advance(RETRY_SECONDS);
    }
    provider.set_response(ResponseMode::Normal);
    assert_eq!(checker.verdict(&token).await, "good");
    lines.extend(log.take().into_iter().map(|line| (130, line)));
    // Both documents are fetched: the keys only after the discovery document.
    lines.retain(|(_, line)| line["fields"]["document"] == "discovery document");
    let found: Vec<_> = lines
        .iter()
        .map(|(failures, line)| {
            assert_eq!(line["fields"]["failures"], *failures, "{line}");
            (line["level"].as_str().unwrap_or_default(), line["fields"]["seconds"].as_u64())
        })
        .collect();
    assert_eq!(found, [("WARN", Some(0)), ("WARN", Some(600)), ("INFO", Some(650))]);
}

#[tokio::test]
async fn background_refresh_fetches_keys_before_the_first_request() {
    let (_, provider, checker) = one_key("ES256").await;
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
