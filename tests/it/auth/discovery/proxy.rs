//! The authorization proxy over HTTP, and the requests that reach the provider's sign-in page.

use hyper::Method;
use passbook_ledger_kit::Random;
use serde_json::json;
use tests::app::App;
use tests::http::{Http, query};

use super::{SignInPage, app, full_provider};

const REQUEST: [(&str, &str); 7] = [
    ("client_id", "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001"),
    ("redirect_uri", "http://localhost:3000/callback?x=1&y=é"),
    ("response_type", "code"),
    ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "S256"),
    ("state", "a+b/c=d"),
    ("scope", "openid email offline_access profile"),
];

async fn start() -> (App, SignInPage) {
    start_with(&[], "").await
}

async fn start_with(environment: &[(&str, &str)], own_query: &str) -> (App, SignInPage) {
    let page = SignInPage::open().await;
    let provider = full_provider().await;
    provider.set_metadata("authorization_endpoint", json!(format!("{}{own_query}", page.address)));
    (app(&provider, environment).await, page)
}

/// Sends a request to the proxy and follows the redirect. Returns the target that the sign-in page received.
async fn arrived(app: &App, page: &SignInPage, query: &str) -> String {
    let reply = app.send(Method::GET, &format!("/oauth/authorize?{query}"), &[]).await;
    assert_eq!(reply.status, 302, "{query}: {:?}", reply.body);
    let location = reply.header("location");
    assert!(location.starts_with(&page.address), "{location}");
    Http::default().send(Method::GET, location, &[]).await;
    let visits = page.visits();
    assert_eq!(visits.len(), 1, "{visits:?}");
    visits[0].clone()
}

#[tokio::test]
async fn request_is_forwarded_unchanged_except_for_offline_access() {
    let (app, page) = start().await;
    let sent = query(&REQUEST);
    let expected =
        sent.replace("scope=openid%20email%20offline_access%20profile", "scope=openid%20email%20profile");
    assert_ne!(sent, expected);
    assert_eq!(arrived(&app, &page, &sent).await, format!("/sign-in?{expected}"));
    assert_eq!(arrived(&app, &page, "scope=offline_access").await, "/sign-in");
}

#[tokio::test]
async fn stripped_scopes_are_configurable() {
    for (setting, expected) in [
        ("none", "/sign-in?scope=openid+offline_access+phone"),
        ("phone,offline_access", "/sign-in?scope=openid"),
        ("address", "/sign-in?scope=openid+offline_access+phone"),
    ] {
        let (app, page) = start_with(&[("PASSBOOK_OAUTH_STRIP_SCOPES", setting)], "").await;
        let arrived = arrived(&app, &page, "scope=openid+offline_access+phone").await;
        assert_eq!(arrived, expected, "{setting}");
    }
}

#[tokio::test]
async fn query_of_the_authorization_endpoint_cannot_be_overridden() {
    let (app, page) = start_with(&[], "?tenant=ours").await;
    assert_eq!(arrived(&app, &page, "state=s").await, "/sign-in?tenant=ours&state=s");
    let reply = app.send(Method::GET, "/oauth/authorize?tenant=theirs", &[]).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""));
}

/// Random parameters in random spellings.
#[tokio::test]
async fn random_parameters_are_forwarded_in_their_order() {
    let (app, page) = start().await;
    let mut random = Random::new(17);
    for _ in 0..100 {
        let mut names: Vec<String> = (0..random.below(9)).map(|number| format!("p{number}")).collect();
        names.push("scope".to_owned());
        let mut sent = Vec::new();
        let mut expected = Vec::new();
        while !names.is_empty() {
            let name = names.swap_remove(random.below(names.len()));
            if name == "scope" {
                sent.push("scope=openid+offline_access+email".to_owned());
                expected.push("scope=openid%20email".to_owned());
                continue;
            }
            let parts = ["%41", "%7e", "+", "a", "/", "?", "=", "%2B", "%C3%A9", ":", "!", "'", "%26"];
            let value: String = (0..random.below(12)).map(|_| parts[random.below(parts.len())]).collect();
            sent.push(format!("{name}={value}"));
            expected.push(format!("{name}={value}"));
        }
        let arrived = arrived(&app, &page, &sent.join("&")).await;
        assert_eq!(arrived, format!("/sign-in?{}", expected.join("&")));
    }
}

#[tokio::test]
async fn redirect_is_not_cached_and_sends_no_referrer() {
    let (app, _page) = start().await;
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
    let (app, page) = start().await;
    for (sent, faults) in [
        ("state=a&state=a", vec!["state"]),
        ("redirect_uri=https://evil.example&redirect%5Furi=https://evil.example", vec!["redirect_uri"]),
        ("scope=a&sc%6Fpe=b&state=%zz", vec!["scope", "state"]),
        ("code_challenge=c&code_challenge_method=plain", vec!["code_challenge_method"]),
        ("code_challenge=c", vec!["code_challenge_method"]),
        ("login_hint=%ff", vec!["login_hint"]),
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
    assert_eq!(page.visits(), Vec::<String>::new());
}

#[tokio::test]
async fn proxy_without_a_provider_is_404() {
    let app = App::start().await;
    let reply = app.send(Method::GET, &format!("/oauth/authorize?{}", query(&REQUEST)), &[]).await;
    reply.assert_error(404, "NOT_FOUND", "");
}
