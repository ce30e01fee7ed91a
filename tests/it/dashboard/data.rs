//! The page of the dashboard with its assets, and its data requests.

use std::io::Read as _;

use flate2::read::GzDecoder;
use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::http::Reply;

use super::{Browser, PAGE, port};

/// Starts an application with one person. Returns the origin and the person's token.
async fn app() -> (App, String, String) {
    let (app, _, token) = App::with_household().await;
    let origin = app.origin().to_owned();
    (app, origin, token)
}

/// Starts an application, and signs a browser in with a person's token. Returns the token last.
async fn signed_in() -> (App, String, Browser, String) {
    let (app, origin, token) = app().await;
    let mut browser = Browser::default();
    let entered = browser.change(&origin, "/session/token", &entry(&token)).await;
    assert_eq!((entered.status.as_u16(), entered.body.is_empty()), (204, true));
    (app, origin, browser, token)
}

fn entry(token: &str) -> String {
    json!({ "token": token }).to_string()
}

#[tokio::test]
async fn session_reads_the_payloads_and_errors_of_rest() {
    let (app, origin, mut browser, token) = signed_in().await;
    let cookie = &browser.cookies[&format!("passbook-session-{}", port(&origin))];
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
    }
    assert_eq!(browser.data(&origin, "/health").await.status, 404, "only the data of /v1");
    let left = browser.change(&origin, "/session/sign-out", "").await;
    assert_eq!((left.status.as_u16(), browser.is_signed_in()), (204, false));
    assert_eq!(browser.data(&origin, "/v1/me").await.code(), "UNAUTHORIZED");
}

#[tokio::test]
async fn request_of_another_site_gets_no_data() {
    let (_app, origin, mut browser, _) = signed_in().await;
    let url = format!("{origin}/data/v1/me");
    for headers in [&[("sec-fetch-site", "same-origin")][..], &[PAGE, ("sec-fetch-site", "cross-site")]] {
        let reply = browser.send(Method::GET, &url, headers, "").await;
        reply.assert_error(403, "FORBIDDEN", format_args!("{headers:?}"));
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
            &[("origin", origin.as_str()), json][..],
            &[PAGE, ("origin", "https://evil.example"), json],
            &[PAGE, ("origin", origin.as_str()), ("sec-fetch-site", "cross-site"), json],
        ] {
            let mut browser = Browser::default();
            let reply = browser.send(Method::POST, &url, headers, &entry(&token)).await;
            reply.assert_error(403, "FORBIDDEN", format_args!("{path} {headers:?}"));
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
async fn cookie_of_another_server_is_no_session() {
    let (_app, origin, mut browser, _) = signed_in().await;
    let (_other_app, other, other_token) = app().await;
    let (name, value) = browser.cookies.pop_first().expect("a session");
    // Another port: the browser sends the cookie, whose name is not that of the other server.
    let mut at_other = Browser::default();
    at_other.cookies.insert(name.clone(), value.clone());
    assert_eq!(at_other.data(&other, "/v1/me").await.status, 401);
    // The value under the name of the other server: it is sealed under another key, for another origin.
    let own_name = name.replace(port(&origin), port(&other));
    at_other.cookies.insert(own_name, value);
    assert_eq!(at_other.data(&other, "/v1/me").await.status, 401);
    assert_eq!(at_other.change(&other, "/session/token", &entry(&other_token)).await.status, 204);
    assert_eq!(at_other.data(&other, "/v1/me").await.status, 200);
}

#[tokio::test]
async fn sign_in_needs_a_client_and_a_code_needs_the_demo() {
    let (_app, origin, _token) = app().await;
    let mut browser = Browser::default();
    let reply = browser.change(&origin, "/session/code", &json!({ "code": "" }).to_string()).await;
    assert_eq!((reply.status.as_u16(), browser.is_signed_in()), (401, false));
    assert!(reply.header("www-authenticate").starts_with("Bearer"));
    for path in ["/session/sign-in", "/session/callback?code=a&state=b"] {
        assert_eq!(browser.open(&format!("{origin}{path}")).await.status, 404, "{path}");
    }
}

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

async fn get(app: &App, path: &str, headers: &[(&str, &str)]) -> Reply {
    app.send_to_origin(Method::GET, path, headers).await
}

/// The addresses of the scripts, styles and icons in the page.
fn assets(page: &Reply) -> Vec<String> {
    let page = std::str::from_utf8(&page.body).expect("UTF-8");
    let addresses = page
        .split(['=', ' '])
        .filter_map(|value| value.strip_prefix('"'))
        .filter_map(|rest| rest.split('"').next());
    addresses.filter(|address| address.starts_with("/assets/")).map(str::to_owned).collect()
}

fn unpacked(reply: &Reply) -> Vec<u8> {
    let mut content = Vec::new();
    GzDecoder::new(&reply.body[..]).read_to_end(&mut content).expect("gzip");
    content
}

/// A body that a text of the request has selected would reveal by its length whether it contains that text.
#[tokio::test]
async fn data_is_compressed_unless_a_text_of_the_request_selects_it() {
    let (app, origin, mut browser, token) = signed_in().await;
    let gzip = [PAGE, ("accept-encoding", "gzip")];
    for (path, compressed) in [
        ("/v1/spending/summary?period=this-year&groupBy=day", true),
        ("/v1/spending/summary?period=this-year&groupBy=day&categories=RENT,WATER", true),
        ("/v1/transactions?merchantQuery=e", false),
        ("/v1/transactions?merchant%51uery=e", false),
        ("/v1/spending/summary?period=this-year&groupBy=day&categories=RENT", true),
        ("/v1/spending/summary?period=this-year&groupBy=day&categories=rent", false),
        ("/v1/preferences", false),
        ("/v1/transactions?pageSize=0", false),
    ] {
        let reply = browser.send(Method::GET, &format!("{origin}/data{path}"), &gzip, "").await;
        let expected = if compressed { "gzip" } else { "" };
        assert_eq!(reply.header("content-encoding"), expected, "{path}");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
        if compressed {
            assert_eq!(unpacked(&reply), app.get(path, &token).await.body, "{path}");
            assert_eq!(reply.header("vary"), "accept-encoding", "{path}");
        }
    }
    for headers in [&[PAGE][..], &[PAGE, ("accept-encoding", "identity")]] {
        let url = format!("{origin}/data/v1/transactions");
        assert_eq!(browser.send(Method::GET, &url, headers, "").await.header("content-encoding"), "");
    }
}

#[tokio::test]
async fn page_has_a_strict_policy_and_is_never_stored() {
    let app = App::start().await;
    let page = get(&app, "/", &[BROWSER, ("accept-encoding", "gzip")]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("content-encoding"), "");
    assert_eq!(
        page.header("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    );
    let text = String::from_utf8(page.body.to_vec()).expect("UTF-8");
    assert!(text.contains("data-base=\"/\" data-sign-in=\"false\""), "{text}");
    assert_eq!(get(&app, "/", &[]).await.header("content-type"), "application/json", "a program gets JSON");
}

#[tokio::test]
async fn assets_are_stored_for_ever_and_compressed_if_accepted() {
    let app = App::start().await;
    let found = assets(&get(&app, "/", &[BROWSER]).await);
    let folder = found[0].rsplit_once('/').expect("a name").0;
    for file in passbook_views::page_files() {
        let path = format!("{folder}/{}", file.name);
        let plain = get(&app, &path, &[]).await;
        let gzip = get(&app, &path, &[("accept-encoding", "gzip, br")]).await;
        for reply in [&plain, &gzip] {
            assert_eq!(reply.status, 200, "{path}");
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
            assert_eq!(reply.header("content-type"), file.kind.media_type(), "{path}");
            assert_eq!(reply.header("vary"), "accept-encoding", "{path}");
        }
        assert_eq!((plain.header("content-encoding"), gzip.header("content-encoding")), ("", "gzip"));
        assert!(plain.body == file.content && unpacked(&gzip) == file.content, "{path}");
    }
    let (folder, name) =
        found[0].strip_prefix("/assets/").and_then(|rest| rest.split_once('/')).expect("a hash");
    assert_eq!(folder.len(), 16);
    for file in passbook_views::language_files() {
        let path = format!("/assets/{folder}/{}", file.name);
        let reply = get(&app, &path, &[]).await;
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("content-type"), file.kind.media_type(), "{path}");
        assert!(reply.body == file.content, "{path}");
    }
    for (accepted, expected) in
        [("de-AT,en", format!("</assets/{folder}/de.js>; rel=modulepreload")), ("en,de", String::new())]
    {
        let page = get(&app, "/", &[BROWSER, ("accept-language", accepted)]).await;
        assert_eq!(page.header("link"), expected, "{accepted}");
    }
    for path in
        [format!("/assets/0123456789abcdef/{name}"), format!("/assets/{folder}/x.js"), "/assets/".to_owned()]
    {
        assert_eq!(get(&app, &path, &[BROWSER]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn dashboard_can_be_switched_off() {
    let app = App::configured(&[("PASSBOOK_DASHBOARD", "false")]).await;
    let page = get(&app, "/", &[BROWSER]).await;
    assert!(std::str::from_utf8(&page.body).expect("UTF-8").contains("read-only personal finance service"));
    for path in ["/data/v1/me", "/session/sign-in", "/session/callback"] {
        assert_eq!(get(&app, path, &[("x-passbook-page", "1")]).await.status, 404, "{path}");
    }
}
