//! The dashboard below a path of a host of one's own.

use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Request, Response};
use passbook_auth::Provider;
use passbook_dashboard::{BaseUrl, Dashboard, Pipeline, Router, SignInConfig};
use passbook_domain::scope::Scope;
use passbook_rest::{RateLimiter, Rest};
use passbook_server::settings::Settings;
use serde_json::{Value, json};
use tests::app::{App, settings, settings_with};
use tests::database::Database;
use tests::provider::{CLIENT, IdentityProvider, IssuedCode, TestClock};
use tests::signer::Signer;

use super::split_query;

const ORIGIN: &str = "https://money.example";

fn pictures(pipeline: &Pipeline, rest: &Rest, origin: &str) -> Dashboard {
    let page_url = BaseUrl::parse(&format!("{origin}/pictures")).expect("an origin");
    Dashboard::new(pipeline, rest, page_url)
}

/// The pipeline and the REST adapter of a host.
async fn rest(app: &App, settings: &Settings, provider: Option<&Provider>) -> (Pipeline, Rest) {
    let reader = app.database.configuration(passbook_schema::READER).into();
    let store = passbook_server::wiring::store(settings, reader).await;
    let store = store.expect("role and schema pass the check");
    let (base_url, limiter) = (format!("{ORIGIN}/api"), RateLimiter::new(0, 0));
    let pipeline = passbook_server::wiring::pipeline(settings, &store, provider, &base_url, limiter, None);
    let rest = Rest::new(&pipeline, Arc::new(store));
    (pipeline, rest)
}

/// A host with the dashboard of one person. Returns the person's token.
async fn host() -> (App, Router, String) {
    let app = App::start_today().await;
    let (_, token) = app.add_person().await;
    let (pipeline, rest) = rest(&app, &settings(&[]), None).await;
    let dashboard = pictures(&pipeline, &rest, ORIGIN);
    (app, Router::new(&pipeline, dashboard.endpoints()), token)
}

async fn send(
    dashboard: &Router,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Response<Full<Bytes>> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body.to_owned()))).expect("a request");
    Box::pin(dashboard.handle(request)).await
}

async fn text(response: Response<Full<Bytes>>) -> String {
    let body = response.into_body().collect().await.expect("the body is complete").to_bytes();
    String::from_utf8(body.to_vec()).expect("UTF-8")
}

#[tokio::test]
async fn dashboard_works_below_a_path_of_a_host() {
    let (_app, dashboard, token) = Box::pin(host()).await;
    let html = ("accept", "text/html");
    let without_slash = send(&dashboard, "GET", "/pictures", &[html], "").await;
    assert_eq!(
        (without_slash.status().as_u16(), &without_slash.headers()["location"]),
        (303, &"/pictures/".parse().expect("a header"))
    );
    let page = text(send(&dashboard, "GET", "/pictures/", &[html], "").await).await;
    assert!(page.contains("data-base=\"/pictures/\""), "{page}");
    let asset = page.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an asset");
    assert!(asset.starts_with("/pictures/assets/"), "{asset}");
    assert_eq!(send(&dashboard, "GET", asset, &[], "").await.status(), 200);
    let name = asset.rsplit_once("/assets/").and_then(|(_, rest)| rest.split_once('/')).expect("a name").1;
    let of_another_version = format!("/pictures/assets/0123456789abcdef/{name}");
    let unknown = [
        "/",
        "/data/v1/me",
        "/picturesque/",
        "/pictures/x",
        asset.trim_start_matches("/pictures"),
        &of_another_version,
    ];
    for path in unknown {
        assert_eq!(send(&dashboard, "GET", path, &[html], "").await.status(), 404, "{path}");
    }

    let page = ("x-passbook-page", "1");
    let headers = [page, ("origin", ORIGIN), ("content-type", "application/json")];
    let entry = json!({ "token": token }).to_string();
    let entered = send(&dashboard, "POST", "/pictures/session/token", &headers, &entry).await;
    assert_eq!(entered.status(), 204);
    let cookie = entered.headers()["set-cookie"].to_str().expect("text");
    assert!(cookie.starts_with("__Host-passbook-session-443=") && cookie.ends_with("; Secure"), "{cookie}");
    let pair = cookie.split(';').next().expect("a pair");
    let read = send(
        &dashboard,
        "GET",
        "/pictures/data/v1/cashflow/summary?timeRange=1m",
        &[page, ("cookie", pair)],
        "",
    )
    .await;
    assert_eq!(read.status(), 200);
    let payload: Value = serde_json::from_str(&text(read).await).expect("JSON");
    assert!(payload["net"]["amount_cents"].is_i64(), "{payload}");
}

/// The client is registered with a callback below the path, and the person returns to the page.
#[tokio::test]
async fn sign_in_below_a_path_calls_back_and_returns_below_it() {
    let signer = Signer::new("k1", "ES256");
    let identity_provider = IdentityProvider::start(&[&signer]).await;
    let clock = Arc::new(TestClock::default());
    let app = App::start_with(Database::fresh().await, settings_with(&identity_provider, &clock)).await;
    let user = app.add_person().await.0.user.user_id;
    app.add_client(CLIENT, Some(user), &[Scope::BudgetsRead], true).await;
    let settings = settings_with(&identity_provider, &clock);
    let provider =
        passbook_server::wiring::provider(&settings).expect("the settings are valid").expect("a provider");
    let (pipeline, rest) = rest(&app, &settings, Some(&provider)).await;
    let sign_in = SignInConfig::new(provider, CLIENT, format!("{ORIGIN}/api/oauth/authorize"));
    let dashboard = pictures(&pipeline, &rest, ORIGIN).with_sign_in(sign_in);
    let dashboard = Router::new(&pipeline, dashboard.endpoints());

    let begun = send(&dashboard, "GET", "/pictures/session/sign-in?return=%2Fbudgets", &[], "").await;
    let (endpoint, request) = split_query(begun.headers()["location"].to_str().expect("text"));
    assert_eq!(endpoint, format!("{ORIGIN}/api/oauth/authorize"));
    assert_eq!(request["redirect_uri"], format!("{ORIGIN}/pictures/session/callback"));

    let token = signer.sign(&identity_provider.claims(user, clock.now()));
    let (challenge, redirect_uri) = (request["code_challenge"].clone(), request["redirect_uri"].clone());
    identity_provider.issue("code-1", IssuedCode { challenge, redirect_uri, token });
    let attempt = cookie(&begun, "");
    let callback = format!("/pictures/session/callback?code=code-1&state={}", request["state"]);
    let called = send(&dashboard, "GET", &callback, &[("cookie", &attempt)], "").await;
    assert_eq!(
        (called.status().as_u16(), &called.headers()["location"]),
        (303, &"/pictures/#/budgets".parse().expect("a header"))
    );
    let refused = send(&dashboard, "GET", &callback, &[], "").await;
    assert_eq!(refused.headers()["location"], "/pictures/#error=state");

    let session = cookie(&called, "passbook-session");
    let headers = [("x-passbook-page", "1"), ("cookie", session.as_str())];
    let read = send(&dashboard, "GET", "/pictures/data/v1/me", &headers, "").await;
    assert_eq!(read.status(), 200);
}

/// Returns the name and value of the first cookie that a response stores under a name with this part.
fn cookie(response: &Response<Full<Bytes>>, part: &str) -> String {
    let mut lines = response.headers().get_all("set-cookie").iter().map(|line| line.to_str().expect("text"));
    let line = lines.find(|line| line.contains(part)).expect("a cookie");
    line.split(';').next().expect("a pair").to_owned()
}
