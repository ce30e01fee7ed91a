//! Sessions and data requests.

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::household::Household;

use super::browser::{Browser, PAGE};

/// Starts an application with one person. Returns the origin and the person's token.
async fn app() -> (App, String, String) {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let origin = app.base_url.trim_end_matches("/api").to_owned();
    (app, origin, token)
}

fn entry(token: &str) -> String {
    json!({ "token": token }).to_string()
}

#[tokio::test]
async fn session_reads_the_payloads_and_errors_of_rest() {
    let (app, origin, token) = app().await;
    let mut browser = Browser::default();
    let entered = browser.change(&origin, "/session/token", &entry(&token)).await;
    assert_eq!((entered.status.as_u16(), entered.body.is_empty()), (204, true));
    let (_, port) = origin.rsplit_once(':').expect("a port");
    let cookie = browser.cookies.get(&format!("passbook-session-{port}")).expect("a session");
    assert!(!cookie.contains(&token[4..]), "the token is sealed");
    for path in ["/v1/me", "/v1/transactions?pageSize=2", "/v1/transactions?pageSize=0", "/v1/nothing"] {
        let by_page = browser.data(&origin, path).await;
        let direct = app.get(path, &token).await;
        assert_eq!(by_page.status, direct.status, "{path}");
        assert_eq!(by_page.header("cache-control"), "no-store", "{path}");
        if direct.status == 200 {
            assert_eq!(by_page.body, direct.body, "{path}");
        } else {
            assert_eq!(by_page.code(), direct.code(), "{path}");
        }
        assert!(by_page.headers.get("content-encoding").is_none(), "data is never compressed");
    }
    assert_eq!(browser.data(&origin, "/health").await.status, 404, "only the data of /v1");
    let left = browser.change(&origin, "/session/sign-out", "").await;
    assert_eq!((left.status.as_u16(), browser.is_signed_in()), (204, false));
    assert_eq!(browser.data(&origin, "/v1/me").await.code(), "UNAUTHORIZED");
}

#[tokio::test]
async fn request_of_another_site_gets_no_data() {
    let (_app, origin, token) = app().await;
    let mut browser = Browser::default();
    browser.change(&origin, "/session/token", &entry(&token)).await;
    let url = format!("{origin}/data/v1/me");
    for headers in [
        &[][..],
        &[("sec-fetch-site", "same-origin")],
        &[PAGE, ("sec-fetch-site", "cross-site")],
        &[PAGE, ("sec-fetch-site", "same-site")],
        &[("x-passbook-page", "0")],
    ] {
        let reply = browser.send(Method::GET, &url, headers, "").await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (403, "FORBIDDEN"), "{headers:?}");
    }
    assert_eq!(
        browser.send(Method::GET, &url, &[PAGE], "").await.status,
        200,
        "an old browser sends no site"
    );
    assert_eq!(browser.send(Method::POST, &url, &[PAGE], "").await.status, 405);
}

#[tokio::test]
async fn session_changes_only_by_a_request_of_the_page() {
    let (_app, origin, token) = app().await;
    let json = ("content-type", "application/json");
    for path in ["/session/token", "/session/code", "/session/sign-out"] {
        let url = format!("{origin}{path}");
        for headers in [
            &[PAGE, json][..],
            &[("origin", origin.as_str()), json],
            &[PAGE, ("origin", "https://evil.example"), json],
            &[PAGE, ("origin", "null"), json],
            &[PAGE, ("origin", origin.as_str()), ("sec-fetch-site", "cross-site"), json],
        ] {
            let mut browser = Browser::default();
            let reply = browser.send(Method::POST, &url, headers, &entry(&token)).await;
            assert_eq!(
                (reply.status.as_u16(), reply.code().as_str()),
                (403, "FORBIDDEN"),
                "{path} {headers:?}"
            );
            assert!(browser.cookies.is_empty(), "{path} {headers:?}");
        }
        assert_eq!(Browser::default().open(&url).await.status, 405, "{path}");
    }
}

#[tokio::test]
async fn invalid_token_entry_is_refused_with_the_reason() {
    let (_app, origin, _token) = app().await;
    for (body, status) in [
        (entry("pbk_no"), 401),
        (entry(""), 401),
        (entry("a\nb"), 400),
        ("{}".to_owned(), 400),
        ("token".to_owned(), 400),
        (entry(&"x".repeat(9_000)), 413),
    ] {
        let mut browser = Browser::default();
        let reply = browser.change(&origin, "/session/token", &body).await;
        assert_eq!(reply.status.as_u16(), status, "{body:.40}");
        assert!(browser.cookies.is_empty() && !reply.json()["error"]["message"].is_null(), "{body:.40}");
    }
    let headers = [PAGE, ("origin", origin.as_str()), ("content-type", "text/plain")];
    let reply =
        Browser::default().send(Method::POST, &format!("{origin}/session/token"), &headers, "{}").await;
    assert_eq!(reply.status, 415);
}

#[tokio::test]
async fn revoked_token_signs_out_with_the_next_request() {
    let (app, origin, token) = app().await;
    let mut browser = Browser::default();
    browser.change(&origin, "/session/token", &entry(&token)).await;
    assert_eq!(browser.data(&origin, "/v1/me").await.status, 200);
    app.write("update passbook.personal_access_tokens set revoked_at = now()").await;
    assert_eq!(browser.data(&origin, "/v1/me").await.status, 401);
    assert!(!browser.is_signed_in());
}

#[tokio::test]
async fn cookie_of_another_server_is_no_session() {
    let (_app, origin, token) = app().await;
    let (_other_app, other, other_token) = app().await;
    let mut browser = Browser::default();
    browser.change(&origin, "/session/token", &entry(&token)).await;
    let (name, value) = browser.cookies.pop_first().expect("a session");
    let port = |origin: &str| origin.rsplit_once(':').expect("a port").1.to_owned();
    // Another port: the browser sends the cookie, whose name is not that of the other server.
    let mut at_other = Browser::default();
    at_other.cookies.insert(name.clone(), value.clone());
    assert_eq!(at_other.data(&other, "/v1/me").await.status, 401);
    // The value under the name of the other server: it is sealed under another key, for another origin.
    let own_name = name.replace(&port(&origin), &port(&other));
    at_other.cookies.insert(own_name, value);
    assert_eq!(at_other.data(&other, "/v1/me").await.status, 401);
    assert_eq!(at_other.change(&other, "/session/token", &entry(&other_token)).await.status, 204);
    assert_eq!(at_other.data(&other, "/v1/me").await.status, 200);
}

#[tokio::test]
async fn code_without_a_demo_is_refused() {
    let (_app, origin, _token) = app().await;
    let mut browser = Browser::default();
    let reply = browser.change(&origin, "/session/code", &json!({ "code": "" }).to_string()).await;
    assert_eq!((reply.status.as_u16(), browser.is_signed_in()), (401, false));
}
