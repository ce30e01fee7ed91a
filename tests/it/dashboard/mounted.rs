//! The dashboard below a path of a host of one's own.

use std::collections::HashMap;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Request, Response};
use passbook_dashboard::{BaseUrl, Dashboard, SignInConfig};
use passbook_rest::Rest;
use serde_json::{Value, json};
use tests::app::{App, settings, settings_with};
use tests::database::Database;
use tests::household::Household;
use tests::provider::{CLIENT, IdentityProvider, IssuedCode, TestClock};
use tests::signer::Signer;

const ORIGIN: &str = "https://money.example";

fn pictures(rest: Rest, origin: &str) -> Dashboard {
    let page_url = BaseUrl::parse(&format!("{origin}/pictures")).expect("an origin");
    let config = passbook_dashboard::Config::new(page_url, 10);
    Dashboard::new(rest, config, None)
}

/// A host with the dashboard of one person. Returns the person's token.
async fn host() -> (App, Dashboard, String) {
    let app = App::start_with(Database::fresh().await, settings(&[])).await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let store = passbook_server::wiring::store(
        &settings(&[]),
        app.database.configuration(passbook_schema::READER).into(),
    )
    .await;
    let store = store.expect("role and schema pass the check");
    let (rest, ..) = passbook_server::wiring::adapters(&settings(&[]), store, None, format!("{ORIGIN}/api"));
    (app, pictures(rest, ORIGIN), token)
}

async fn send(
    dashboard: &Dashboard,
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
    Box::pin(dashboard.handle_origin(request)).await
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
    for path in ["/", "/data/v1/me", "/picturesque/", "/pictures/x", asset.trim_start_matches("/pictures")] {
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
    let household = Household::new();
    app.load(household.records()).await;
    let user = household.user.user_id;
    app.write(&format!(
        "insert into passbook.oauth_clients (client_id, kind, user_id, name, scopes, rest) \
         values ('{CLIENT}', 'personal_dashboard', '{user}', 'dashboard', '{{budgets:read}}', true)"
    ))
    .await;
    let settings = settings_with(&identity_provider, &clock);
    let store =
        passbook_server::wiring::store(&settings, app.database.configuration(passbook_schema::READER).into())
            .await;
    let store = store.expect("role and schema pass the check");
    let provider =
        passbook_server::wiring::provider(&settings).expect("the settings are valid").expect("a provider");
    let (rest, ..) =
        passbook_server::wiring::adapters(&settings, store, Some(provider.clone()), format!("{ORIGIN}/api"));
    let mut config = passbook_dashboard::Config::new(
        BaseUrl::parse(&format!("{ORIGIN}/pictures")).expect("an origin"),
        10,
    );
    config.clock = provider.clock().clone();
    let authorization_endpoint = format!("{ORIGIN}/api/oauth/authorize");
    let client_id = CLIENT.to_owned();
    let dashboard =
        Dashboard::new(rest, config, Some(SignInConfig::new(provider, client_id, authorization_endpoint)));

    let begun = send(&dashboard, "GET", "/pictures/session/sign-in?return=%2Fbudgets", &[], "").await;
    let location = begun.headers()["location"].to_str().expect("text");
    let (endpoint, query) = location.split_once('?').expect("a query");
    assert_eq!(endpoint, format!("{ORIGIN}/api/oauth/authorize"));
    let decode = |text: &str| passbook_web::query_string::decode(text).expect("percent-encoded text");
    let pairs = query.split('&').map(|pair| pair.split_once('=').expect("a value"));
    let request: HashMap<String, String> = pairs.map(|(name, value)| (decode(name), decode(value))).collect();
    assert_eq!(request["redirect_uri"], format!("{ORIGIN}/pictures/session/callback"));

    let token = signer.sign(&identity_provider.claims(user, clock.now()));
    let (challenge, redirect_uri) = (request["code_challenge"].clone(), request["redirect_uri"].clone());
    identity_provider.issue("code-1", IssuedCode { challenge, redirect_uri, token });
    let attempt = first_cookie(&begun);
    let callback = format!("/pictures/session/callback?code=code-1&state={}", request["state"]);
    let called = send(&dashboard, "GET", &callback, &[("cookie", &attempt)], "").await;
    assert_eq!(
        (called.status().as_u16(), &called.headers()["location"]),
        (303, &"/pictures/#/budgets".parse().expect("a header"))
    );
    let refused = send(&dashboard, "GET", &callback, &[], "").await;
    assert_eq!(refused.headers()["location"], "/pictures/#error=state");

    let cookies = called.headers().get_all("set-cookie").iter().map(|line| line.to_str().expect("text"));
    let session =
        cookies.filter_map(|line| line.split(';').next()).find(|pair| pair.contains("passbook-session"));
    let headers = [("x-passbook-page", "1"), ("cookie", session.expect("a session"))];
    let read = send(&dashboard, "GET", "/pictures/data/v1/me", &headers, "").await;
    assert_eq!(read.status(), 200);
}

/// Returns the name and value of the first cookie that a response stores.
fn first_cookie(response: &Response<Full<Bytes>>) -> String {
    let line = response.headers()["set-cookie"].to_str().expect("text");
    line.split(';').next().expect("a pair").to_owned()
}
