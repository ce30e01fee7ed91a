//! The authorization proxy over HTTP, and its redirects to the provider's sign-in page.

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::http::query;
use tests::provider::IdentityProvider;

use super::{app, full_provider};

const REQUEST: [(&str, &str); 7] = [
    ("client_id", "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001"),
    ("redirect_uri", "http://localhost:3000/callback?x=1&y=é"),
    ("response_type", "code"),
    ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "S256"),
    ("state", "a+b/c=d"),
    ("scope", "openid email offline_access profile"),
];

/// Starts an application whose provider has its sign-in page at `/sign-in`.
async fn start(environment: &[(&str, &str)]) -> (App, IdentityProvider) {
    let provider = full_provider().await;
    provider.set_metadata("authorization_endpoint", json!(format!("{}/sign-in", provider.origin())));
    (app(&provider, environment).await, provider)
}

/// Sends a request to the proxy. Returns the target on the provider's origin to which the response redirects.
async fn redirect_target(app: &App, provider: &IdentityProvider, query: &str) -> String {
    let reply = app.send(Method::GET, &format!("/oauth/authorize?{query}"), &[]).await;
    assert_eq!(reply.status, 302, "{query}: {:?}", reply.body);
    let target = reply.header("location").strip_prefix(&provider.origin());
    target.unwrap_or_else(|| panic!("{reply:?}")).to_owned()
}

#[tokio::test]
async fn request_is_forwarded_unchanged_except_for_offline_access() {
    let (app, provider) = start(&[]).await;
    let sent = query(&REQUEST);
    let expected =
        sent.replace("scope=openid%20email%20offline_access%20profile", "scope=openid%20email%20profile");
    assert_ne!(sent, expected);
    // Clients may put signed tokens of their own into `state`.
    let signed = "state=eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln";
    for (sent, expected) in [
        (sent.as_str(), format!("/sign-in?{expected}")),
        ("scope=offline_access", "/sign-in".to_owned()),
        (signed, format!("/sign-in?{signed}")),
        ("b=%7e+/?=%2B&a=%7E:!'%26&%41", "/sign-in?b=%7e+/?=%2B&a=%7E:!'%26&%41".to_owned()),
    ] {
        assert_eq!(redirect_target(&app, &provider, sent).await, expected);
    }
}

#[tokio::test]
async fn stripped_scopes_are_configurable() {
    for (setting, expected) in [
        ("none", "/sign-in?scope=openid+offline_access+phone"),
        ("phone,offline_access", "/sign-in?scope=openid"),
    ] {
        let (app, provider) = start(&[("PASSBOOK_OAUTH_STRIP_SCOPES", setting)]).await;
        let target = redirect_target(&app, &provider, "scope=openid+offline_access+phone").await;
        assert_eq!(target, expected, "{setting}");
    }
}

#[tokio::test]
async fn redirect_is_not_cached_and_sends_no_referrer() {
    let (app, _provider) = start(&[]).await;
    for method in [Method::GET, Method::HEAD] {
        let reply = app.send(method, &format!("/oauth/authorize?{}", query(&REQUEST)), &[]).await;
        assert_eq!((reply.status.as_u16(), &reply.body[..]), (302, &b""[..]));
        assert!(reply.header("location").contains("state=a%2Bb%2Fc%3Dd"));
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("set-cookie"), "");
    }
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let reply = app.send(method, "/oauth/authorize?state=s", &[]).await;
        assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "GET, HEAD"));
        assert_eq!(reply.header("location"), "");
    }
}

#[tokio::test]
async fn invalid_request_is_rejected_without_a_redirect() {
    let (app, provider) = start(&[]).await;
    for (sent, faults) in [
        ("redirect_uri=https://evil.example&redirect%5Furi=https://evil.example", vec!["redirect_uri"]),
        ("scope=a&sc%6Fpe=b&state=%zz", vec!["scope", "state"]),
        ("code_challenge=c&code_challenge_method=plain", vec!["code_challenge_method"]),
    ] {
        let reply = app.send(Method::GET, &format!("/oauth/authorize?{sent}"), &[]).await;
        reply.assert_error(400, "INVALID_REQUEST", sent);
        assert_eq!((reply.header("location"), reply.header("cache-control")), ("", "no-store"), "{sent}");
        let details = reply.json()["error"]["details"].clone();
        let details: Vec<&str> = details
            .as_array()
            .expect("faults")
            .iter()
            .filter_map(|fault| fault["parameter"].as_str())
            .collect();
        assert_eq!(details, faults, "{sent}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("evil"), "{sent}: values are not repeated");
    }
    let long = format!("/oauth/authorize?state={}", "a".repeat(8 * 1024));
    let reply = app.send(Method::GET, &long, &[]).await;
    reply.assert_error(414, "URI_TOO_LONG", "");
    assert_eq!(provider.requests_of("/sign-in"), 0);
}

#[tokio::test]
async fn proxy_without_a_provider_is_404() {
    let app = App::start().await;
    let reply = app.send(Method::GET, &format!("/oauth/authorize?{}", query(&REQUEST)), &[]).await;
    reply.assert_error(404, "NOT_FOUND", "");
}
