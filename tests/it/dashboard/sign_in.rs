//! The sign-in with an identity provider: the journey, its end, and its failures.

use serde_json::json;
use tests::provider::{CLIENT, ResponseMode};

use super::browser::{Browser, Dashboard, assert_failed};

#[tokio::test]
async fn person_signs_in_through_the_proxy_and_returns_to_the_view() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    let request = dashboard.begin(&mut browser, "?return=%2Fnet-worth%3Frange%3D1y").await;
    let redirect_uri = format!("{}/session/callback", dashboard.origin);
    for (name, value) in [
        ("client_id", CLIENT),
        ("redirect_uri", redirect_uri.as_str()),
        ("response_type", "code"),
        ("scope", "openid email profile"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(request[name], value, "{name}");
    }
    assert_eq!(request.len(), 7, "{request:?}");
    assert_eq!((request["state"].len(), request["code_challenge"].len()), (43, 43));

    dashboard.issue(&request, "code-1", dashboard.token(&[]));
    let reply = dashboard.call_back(&mut browser, &[("code", "code-1"), ("state", &request["state"])]).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/#/net-worth?range=1y"));
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(
        reply
            .headers
            .get_all("set-cookie")
            .iter()
            .any(|line| line.to_str().is_ok_and(|line| line.contains("Max-Age=3600")))
    );
    assert_eq!(browser.cookies.len(), 1, "the attempt is over: {:?}", browser.cookies.keys());
    let me = browser.data(&dashboard.origin, "/v1/me").await.ok();
    assert_eq!(me["id"], json!(dashboard.user));
    browser.change(&dashboard.origin, "/session/sign-out", "").await;
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 401);
}

#[tokio::test]
async fn page_offers_the_sign_in() {
    let dashboard = Dashboard::start().await;
    let page = Browser::default().open(&format!("{}/", dashboard.origin)).await;
    assert!(std::str::from_utf8(&page.body).expect("UTF-8").contains("data-sign-in=\"true\""));
}

#[tokio::test]
async fn expired_token_ends_the_session_and_a_new_sign_in_works() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    dashboard.sign_in(&mut browser, "", dashboard.token(&[])).await;
    dashboard.clock.advance(3_599);
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 200);
    dashboard.clock.advance(1);
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.code(), "UNAUTHORIZED");
    assert!(!browser.is_signed_in());
    let reply = dashboard.sign_in(&mut browser, "", dashboard.token(&[])).await;
    assert_eq!(reply.header("location"), "/");
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 200);
}

#[tokio::test]
async fn revoked_client_signs_out_with_the_next_request() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    dashboard.sign_in(&mut browser, "", dashboard.token(&[])).await;
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 200);
    dashboard.app.write("update passbook.oauth_clients set revoked_at = now()").await;
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 401);
    assert!(!browser.is_signed_in());
    let reply = dashboard.sign_in(&mut browser, "", dashboard.token(&[])).await;
    assert_failed(&reply, &browser, "token");
}

#[tokio::test]
async fn failures_of_a_sign_in_are_named_on_the_page() {
    let dashboard = Dashboard::start().await;
    for (parameters, error) in [
        (&[("error", "access_denied")][..], "denied"),
        (&[("error", "server_error")], "provider"),
        (&[], "provider"),
        (&[("code", "unknown")], "provider"),
        (&[("code", "unknown"), ("error", "access_denied")], "denied"),
    ] {
        let mut browser = Browser::default();
        let request = dashboard.begin(&mut browser, "").await;
        let parameters = [parameters, &[("state", request["state"].as_str())]].concat();
        assert_failed(&dashboard.call_back(&mut browser, &parameters).await, &browser, error);
    }
    for (changes, error) in [
        (&[("aud", json!("another"))][..], "token"),
        (&[("exp", json!(1))], "token"),
        (&[("client_id", json!("0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a99999"))], "token"),
        (&[("note", json!("x".repeat(3_500)))], "token-too-large"),
    ] {
        let mut browser = Browser::default();
        let reply = dashboard.sign_in(&mut browser, "", dashboard.token(changes)).await;
        assert_failed(&reply, &browser, error);
    }
    let mut browser = Browser::default();
    let request = dashboard.begin(&mut browser, "").await;
    dashboard.provider.set_response(ResponseMode::Status(503));
    let parameters = [("code", "code-1"), ("state", request["state"].as_str())];
    assert_failed(&dashboard.call_back(&mut browser, &parameters).await, &browser, "unavailable");
}

#[tokio::test]
async fn without_a_client_there_is_no_sign_in() {
    let app = tests::app::App::start().await;
    let origin = app.base_url.trim_end_matches("/api");
    for path in ["/session/sign-in", "/session/callback?code=a&state=b"] {
        assert_eq!(Browser::default().open(&format!("{origin}{path}")).await.status, 404, "{path}");
    }
}
