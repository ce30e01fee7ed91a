//! The dashboard below a path of a host of one's own.

use std::sync::Arc;

use hyper::Method;
use passbook_auth::Provider;
use passbook_dashboard::{BaseUrl, Dashboard, Pipeline, Router, SignInConfig};
use passbook_domain::scope::Scope;
use passbook_rest::{RateLimiter, Rest};
use passbook_server::settings::Settings;
use serde_json::json;
use tests::app::{App, checked_store, settings, settings_with};
use tests::database::Database;
use tests::http::{Reply, handle};
use tests::provider::{CLIENT, IdentityProvider, IssuedCode, TestClock};
use tests::signer::Signer;

use super::{PAGE, split_query};

const ORIGIN: &str = "https://money.example";

fn pictures(pipeline: &Pipeline, rest: &Rest) -> Dashboard {
    let page_url = BaseUrl::parse(&format!("{ORIGIN}/pictures")).expect("an origin");
    Dashboard::new(pipeline, rest, page_url)
}

/// The pipeline and the REST adapter of a host.
async fn rest(app: &App, settings: &Settings, provider: Option<&Provider>) -> (Pipeline, Rest) {
    let store = checked_store(settings, app.database.configuration(passbook_schema::READER)).await;
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
    let dashboard = pictures(&pipeline, &rest);
    (app, Router::new(&pipeline, dashboard.endpoints()), token)
}

async fn get(dashboard: &Router, path: &str, headers: &[(&str, &str)]) -> Reply {
    handle(dashboard, Method::GET, path, headers, "").await
}

#[tokio::test]
async fn dashboard_works_below_a_path_of_a_host() {
    let (_app, dashboard, token) = Box::pin(host()).await;
    let html = ("accept", "text/html");
    let without_slash = get(&dashboard, "/pictures", &[html]).await;
    assert_eq!((without_slash.status.as_u16(), without_slash.header("location")), (303, "/pictures/"));
    let page = get(&dashboard, "/pictures/", &[html]).await;
    let page = std::str::from_utf8(&page.body).expect("UTF-8");
    assert!(page.contains("data-base=\"/pictures/\""), "{page}");
    let asset = page.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an asset");
    assert!(asset.starts_with("/pictures/assets/"), "{asset}");
    assert_eq!(get(&dashboard, asset, &[]).await.status, 200);
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
        assert_eq!(get(&dashboard, path, &[html]).await.status, 404, "{path}");
    }

    let headers = [PAGE, ("origin", ORIGIN), ("content-type", "application/json")];
    let entry = json!({ "token": token }).to_string();
    let entered = handle(&dashboard, Method::POST, "/pictures/session/token", &headers, entry).await;
    assert_eq!(entered.status, 204);
    let cookie = entered.header("set-cookie");
    assert!(cookie.starts_with("__Host-passbook-session-443=") && cookie.ends_with("; Secure"), "{cookie}");
    let pair = cookie.split(';').next().expect("a pair");
    let path = "/pictures/data/v1/cashflow/summary?timeRange=1m";
    let payload = get(&dashboard, path, &[PAGE, ("cookie", pair)]).await.ok();
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
    let dashboard = pictures(&pipeline, &rest).with_sign_in(sign_in);
    let dashboard = Router::new(&pipeline, dashboard.endpoints());

    let begun = get(&dashboard, "/pictures/session/sign-in?return=%2Fbudgets", &[]).await;
    let (endpoint, request) = split_query(begun.header("location"));
    assert_eq!(endpoint, format!("{ORIGIN}/api/oauth/authorize"));
    assert_eq!(request["redirect_uri"], format!("{ORIGIN}/pictures/session/callback"));

    let token = signer.sign(&identity_provider.claims(user, clock.now()));
    let (challenge, redirect_uri) = (request["code_challenge"].clone(), request["redirect_uri"].clone());
    identity_provider.issue("code-1", IssuedCode { challenge, redirect_uri, token });
    let attempt = cookie(&begun, "");
    let callback = format!("/pictures/session/callback?code=code-1&state={}", request["state"]);
    let called = get(&dashboard, &callback, &[("cookie", &attempt)]).await;
    assert_eq!((called.status.as_u16(), called.header("location")), (303, "/pictures/#/budgets"));
    let refused = get(&dashboard, &callback, &[]).await;
    assert_eq!(refused.header("location"), "/pictures/#error=state");

    let session = cookie(&called, "passbook-session");
    get(&dashboard, "/pictures/data/v1/me", &[PAGE, ("cookie", &session)]).await.ok();
}

/// Returns the name and value of the first cookie that a response stores under a name with this part.
fn cookie(reply: &Reply, part: &str) -> String {
    let mut lines = reply.headers.get_all("set-cookie").iter().map(|line| line.to_str().expect("text"));
    let line = lines.find(|line| line.contains(part)).expect("a cookie");
    line.split(';').next().expect("a pair").to_owned()
}
