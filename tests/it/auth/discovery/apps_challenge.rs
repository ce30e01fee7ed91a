//! The apps challenge: a token at the root of the origin that proves control of the domain.

use hyper::Method;
use passbook_server::settings::{Settings, Sources};
use tests::app::{App, settings};
use tests::database::Database;

use super::send_to_origin;

const PATH: &str = "/.well-known/openai-apps-challenge";

#[tokio::test]
async fn apps_challenge_token_is_served_at_the_root_only() {
    let settings = settings(&[
        ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai"),
        ("PASSBOOK_APPS_CHALLENGE_TOKEN", "tok-1_x.y"),
    ]);
    let app = App::start_with(Database::fresh().await, settings).await;
    let reply = send_to_origin(&app, Method::GET, PATH).await;
    assert_eq!((reply.status.as_u16(), &reply.body[..]), (200, &b"tok-1_x.y"[..]));
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "public, max-age=300");
    assert_eq!(send_to_origin(&app, Method::POST, PATH).await.status, 405);
    for elsewhere in ["/api/.well-known/openai-apps-challenge", "/.well-known/other-apps-challenge"] {
        assert_eq!(send_to_origin(&app, Method::GET, elsewhere).await.status, 404, "{elsewhere}");
    }
    let described = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    assert!(described["paths"][PATH]["get"].is_object(), "the OpenAPI document must describe the route");
}

#[tokio::test]
async fn apps_challenge_without_a_token_is_404() {
    let app = App::start().await;
    assert_eq!(send_to_origin(&app, Method::GET, PATH).await.status, 404);
    let described = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    assert!(described["paths"][PATH].is_null());
}

#[test]
fn apps_challenge_requires_valid_vendor_and_token_together() {
    for (name, value) in [
        ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai"),
        ("PASSBOOK_APPS_CHALLENGE_TOKEN", "t"),
        ("PASSBOOK_APPS_CHALLENGE_VENDOR", "../x"),
    ] {
        let sources = Sources::from_environment([("HOME", "/"), (name, value)]);
        let problems = Settings::resolve(&sources, false).expect_err("the settings are invalid");
        assert!(problems.iter().any(|problem| problem.place == name), "{problems:?}");
    }
}
