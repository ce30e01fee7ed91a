//! Sign-in to the dashboard, and attacks on it.

use hyper::Method;
use serde_json::json;
use tests::provider::{CLIENT, ResponseMode};

use super::{Browser, Dashboard, assert_failed, port};

#[tokio::test]
async fn person_signs_in_through_the_proxy_and_returns_to_the_view() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    let page = browser.open(&format!("{}/", dashboard.origin)).await;
    assert!(std::str::from_utf8(&page.body).expect("UTF-8").contains("data-sign-in=\"true\""));
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
    let stored: Vec<_> = reply.headers.get_all("set-cookie").iter().collect();
    assert!(format!("{stored:?}").contains("Max-Age=3600"), "{stored:?}");
    assert_eq!(browser.cookies.len(), 1, "the attempt is over: {:?}", browser.cookies.keys());
    let me = browser.data(&dashboard.origin, "/v1/me").await.ok();
    assert_eq!(me["id"], json!(dashboard.user));
    browser.change(&dashboard.origin, "/session/sign-out", "").await;
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 401);
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
    let parameters = dashboard.attempt(&mut browser).await;
    dashboard.provider.set_response(ResponseMode::Status(503));
    assert_failed(&dashboard.call_back(&mut browser, &parameters).await, &browser, "unavailable");
}

#[tokio::test]
async fn callback_with_another_state_is_refused() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    let parameters = dashboard.attempt(&mut browser).await;
    let state = parameters[1].1.as_str();
    // The start of the state names the cookie; the rest is compared.
    let same_start = format!("{}{}", &state[..8], "A".repeat(35));
    let longer = format!("{state}A");
    for states in [&[""][..], &["x"], &[&same_start], &[&state[..42]], &[&longer], &[], &[state, state]] {
        let states = states.iter().map(|state| ("state", *state));
        let parameters: Vec<_> = std::iter::once(("code", "code-1")).chain(states).collect();
        assert_failed(&dashboard.call_back(&mut browser, &parameters).await, &browser, "state");
    }
    assert_eq!(dashboard.provider.requests_of("/auth/v1/oauth/token"), 0, "no code was sent");
    let reply = dashboard.call_back(&mut browser, &parameters).await;
    assert_eq!(reply.header("location"), "/", "the real callback still works");
}

/// Login CSRF: the attacker's callback address is opened in the victim's browser.
#[tokio::test]
async fn callback_in_a_browser_that_did_not_begin_the_attempt_is_refused() {
    let dashboard = Dashboard::start().await;
    let (mut attacker, mut victim) = (Browser::default(), Browser::default());
    let parameters = dashboard.attempt(&mut attacker).await;
    assert_failed(&dashboard.call_back(&mut victim, &parameters).await, &victim, "state");
    // An attempt of the victim's own does not help.
    let own = dashboard.begin(&mut victim, "").await;
    assert_failed(&dashboard.call_back(&mut victim, &parameters).await, &victim, "state");
    // The injected code was requested with another challenge, so that the verifier of this attempt does not fit.
    let injected = [("code", "code-1"), ("state", own["state"].as_str())];
    assert_failed(&dashboard.call_back(&mut victim, &injected).await, &victim, "provider");
}

#[tokio::test]
async fn code_and_callback_work_once() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    let parameters = dashboard.attempt(&mut browser).await;
    // A thief of the attempt's cookie comes too late: the attempt is over, whatever the code.
    let thief = browser.clone();
    assert_eq!(dashboard.call_back(&mut browser, &parameters).await.header("location"), "/");
    browser.cookies.retain(|name, _| !name.contains("session"));
    assert_failed(&dashboard.call_back(&mut browser, &parameters).await, &browser, "state");
    for code in ["code-1", "code-2"] {
        let parameters = [("code", code), ("state", parameters[1].1.as_str())];
        assert_failed(&dashboard.call_back(&mut thief.clone(), &parameters).await, &thief, "state");
    }
    assert_eq!(dashboard.provider.requests_of("/auth/v1/oauth/token"), 1);
}

#[tokio::test]
async fn exchanges_of_one_address_are_limited() {
    let dashboard = Dashboard::start().await;
    for _ in 0..10_000 {
        let mut browser = Browser::default();
        let request = dashboard.begin(&mut browser, "").await;
        let parameters = [("code", "unknown"), ("state", request["state"].as_str())];
        let reply = dashboard.call_back(&mut browser, &parameters).await;
        if reply.header("location") == "/#error=unavailable" {
            return;
        }
        assert_failed(&reply, &browser, "provider");
    }
    panic!("every exchange was made");
}

#[tokio::test]
async fn callback_must_name_the_issuer_of_a_provider_that_announces_it() {
    for announced in [false, true] {
        // The discovery document is cached, so each is served to a server of its own.
        let dashboard = Dashboard::start().await;
        dashboard.provider.set_metadata("authorization_response_iss_parameter_supported", json!(announced));
        let issuer = dashboard.provider.issuer.as_str();
        for (named, accepted) in
            [(Some("https://evil.example"), false), (Some(issuer), true), (None, !announced)]
        {
            let mut browser = Browser::default();
            let mut parameters = dashboard.attempt(&mut browser).await;
            parameters.extend(named.map(|issuer| ("iss", issuer.to_owned())));
            let reply = dashboard.call_back(&mut browser, &parameters).await;
            if accepted {
                assert_eq!(reply.header("location"), "/", "{announced} {named:?}");
            } else {
                assert_failed(&reply, &browser, "provider");
            }
        }
    }
}

#[tokio::test]
async fn attempt_ends_after_ten_minutes() {
    let dashboard = Dashboard::start().await;
    for (seconds, location) in [(599, "/"), (600, "/#error=state")] {
        let mut browser = Browser::default();
        let parameters = dashboard.attempt(&mut browser).await;
        dashboard.clock.advance(seconds);
        let reply = dashboard.call_back(&mut browser, &parameters).await;
        assert_eq!(reply.header("location"), location, "{seconds}");
    }
}

#[tokio::test]
async fn session_cookie_is_no_attempt_and_an_attempt_is_no_session() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    let parameters = dashboard.attempt(&mut browser).await;
    let (attempt, value) = browser.cookies.pop_first().expect("an attempt");
    let session = format!("passbook-session-{}", port(&dashboard.origin));
    browser.cookies.insert(session.clone(), value);
    assert_eq!(browser.data(&dashboard.origin, "/v1/me").await.status, 401);
    dashboard.sign_in(&mut browser, "", dashboard.token(&[])).await;
    let mut thief = Browser::default();
    thief.cookies.insert(attempt, browser.cookies[&session].clone());
    assert_failed(&dashboard.call_back(&mut thief, &parameters).await, &thief, "state");
}

#[tokio::test]
async fn other_site_cannot_begin_a_sign_in_or_choose_where_it_leads() {
    let dashboard = Dashboard::start().await;
    let url = format!("{}/session/sign-in", dashboard.origin);
    let mut browser = Browser::default();
    let reply = browser.send(Method::GET, &url, &[("sec-fetch-site", "cross-site")], "").await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/"));
    assert!(browser.cookies.is_empty());
    let target = "?return=https%3A%2F%2Fevil.example";
    let reply = dashboard.sign_in(&mut browser, target, dashboard.token(&[])).await;
    assert_eq!(reply.header("location"), "/");
}

#[tokio::test]
async fn attempts_of_one_browser_are_bounded() {
    let dashboard = Dashboard::start().await;
    let mut browser = Browser::default();
    for _ in 0..12 {
        dashboard.begin(&mut browser, "").await;
        assert!(browser.cookies.len() <= 5, "{}", browser.cookies.len());
    }
}
