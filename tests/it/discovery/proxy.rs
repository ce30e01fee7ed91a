//! The authorization proxy over HTTP, and what arrives at the provider's page.

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::http::{Http, query};
use tests::random::Random;

use super::{Page, app, talkative};

const REQUEST: [(&str, &str); 7] = [
    ("client_id", "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001"),
    ("redirect_uri", "http://localhost:3000/callback?x=1&y=é"),
    ("response_type", "code"),
    ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "S256"),
    ("state", "a+b/c=d"),
    ("scope", "openid email offline_access profile"),
];

async fn world() -> (App, Page) {
    world_with(&[], "").await
}

async fn world_with(environment: &[(&str, &str)], own_query: &str) -> (App, Page) {
    let page = Page::open().await;
    let provider = talkative().await;
    provider.set_metadata("authorization_endpoint", json!(format!("{}{own_query}", page.address)));
    (app(&provider, environment).await, page)
}

/// Goes where a request is sent on to, as a browser does, and says what arrived there.
async fn arrived(app: &App, page: &Page, query: &str) -> String {
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
async fn a_request_arrives_as_it_was_sent_but_for_offline_access() {
    let (app, page) = world().await;
    let sent = query(&REQUEST);
    let expected =
        sent.replace("scope=openid%20email%20offline_access%20profile", "scope=openid%20email%20profile");
    assert_ne!(sent, expected);
    assert_eq!(arrived(&app, &page, &sent).await, format!("/sign-in?{expected}"));
    assert_eq!(arrived(&app, &page, "scope=offline_access").await, "/sign-in");
}

#[tokio::test]
async fn what_is_taken_out_is_a_setting() {
    for (setting, expected) in [
        ("none", "/sign-in?scope=openid+offline_access+phone"),
        ("phone,offline_access", "/sign-in?scope=openid"),
        ("address", "/sign-in?scope=openid+offline_access+phone"),
    ] {
        let (app, page) = world_with(&[("PASSBOOK_OAUTH_STRIP_SCOPES", setting)], "").await;
        let arrived = arrived(&app, &page, "scope=openid+offline_access+phone").await;
        assert_eq!(arrived, expected, "{setting}");
    }
}

#[tokio::test]
async fn the_endpoints_own_query_cannot_be_overridden() {
    let (app, page) = world_with(&[], "?tenant=ours").await;
    assert_eq!(arrived(&app, &page, "state=s").await, "/sign-in?tenant=ours&state=s");
    let reply = app.send(Method::GET, "/oauth/authorize?tenant=theirs", &[]).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""));
}

/// Random lists of parameters, written in random ways.
#[tokio::test]
async fn any_parameters_arrive_in_their_order() {
    let (app, page) = world().await;
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
async fn the_redirect_is_kept_by_nobody_and_tells_nobody_where_it_came_from() {
    let (app, _page) = world().await;
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
async fn what_cannot_be_handed_on_is_refused_here_and_sent_nowhere() {
    let (app, page) = world().await;
    for (sent, faults) in [
        ("state=a&state=a", vec!["state"]),
        ("redirect_uri=https://evil.example&redirect%5Furi=https://evil.example", vec!["redirect_uri"]),
        ("scope=a&sc%6Fpe=b&state=%zz", vec!["scope", "state"]),
        ("resource=https://a.example&resource=https://b.example", vec!["resource"]),
        ("login_hint=%ff", vec!["login_hint"]),
    ] {
        let reply = app.send(Method::GET, &format!("/oauth/authorize?{sent}"), &[]).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_REQUEST"), "{sent}");
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
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (414, "URI_TOO_LONG"));
    assert_eq!(page.visits(), Vec::<String>::new());
}

#[tokio::test]
async fn without_a_provider_there_is_no_proxy() {
    let app = App::start().await;
    let reply = app.send(Method::GET, &format!("/oauth/authorize?{}", query(&REQUEST)), &[]).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "NOT_FOUND"));
}
