//! The page, its assets, and the setting that removes them.

use std::io::Read as _;

use flate2::read::GzDecoder;
use hyper::Method;
use passbook_server::settings::Settings;
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::http::{Http, Reply};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

async fn get(app: &App, path: &str, headers: &[(&str, &str)]) -> Reply {
    let origin = app.base_url.trim_end_matches("/api");
    Http::default().send(Method::GET, &format!("{origin}{path}"), headers).await
}

/// The addresses of the scripts, styles and icons in the page.
fn assets(page: &Reply) -> Vec<String> {
    let page = std::str::from_utf8(&page.body).expect("UTF-8");
    let addresses = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    addresses.filter(|address| address.starts_with("/assets/")).map(str::to_owned).collect()
}

#[tokio::test]
async fn page_has_a_strict_policy_and_is_never_stored() {
    let app = App::start().await;
    let page = get(&app, "/", &[BROWSER, ("accept-encoding", "gzip")]).await;
    assert_eq!(page.status, 200);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("vary", "accept"),
        ("content-encoding", ""),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
             trusted-types 'none'",
        ),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    let text = String::from_utf8(page.body.to_vec()).expect("UTF-8");
    assert!(text.contains("data-base=\"/\" data-sign-in=\"false\""), "{text}");
    assert_eq!(get(&app, "/", &[]).await.header("content-type"), "application/json", "a program gets JSON");
}

#[tokio::test]
async fn assets_are_stored_for_ever_and_compressed_if_accepted() {
    let app = App::start().await;
    let found = assets(&get(&app, "/", &[BROWSER]).await);
    assert_eq!(found.len(), passbook_views::modules().len());
    for (path, module) in found.iter().zip(passbook_views::modules()) {
        assert!(path.ends_with(module.name), "{path}");
        let plain = get(&app, path, &[]).await;
        let gzip = get(&app, path, &[("accept-encoding", "gzip, br")]).await;
        for reply in [&plain, &gzip] {
            assert_eq!(reply.status, 200, "{path}");
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
            assert_eq!(reply.header("content-type"), module.kind.media_type(), "{path}");
            assert_eq!(reply.header("vary"), "accept-encoding", "{path}");
        }
        assert_eq!((plain.header("content-encoding"), gzip.header("content-encoding")), ("", "gzip"));
        let mut unpacked = String::new();
        GzDecoder::new(&gzip.body[..]).read_to_string(&mut unpacked).expect("gzip");
        assert!(plain.body == module.text && unpacked == module.text, "{path}");
    }
    let (folder, name) =
        found[0].strip_prefix("/assets/").and_then(|rest| rest.split_once('/')).expect("a hash");
    assert_eq!(folder.len(), 16);
    for path in
        [format!("/assets/0123456789abcdef/{name}"), format!("/assets/{folder}/x.js"), "/assets/".to_owned()]
    {
        assert_eq!(get(&app, &path, &[BROWSER]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn dashboard_can_be_switched_off() {
    let settings = Settings { today: Some(TODAY), ..settings(&[("PASSBOOK_DASHBOARD", "false")]) };
    let app = App::start_with(Database::fresh().await, settings).await;
    let page = get(&app, "/", &[BROWSER]).await;
    assert!(std::str::from_utf8(&page.body).expect("UTF-8").contains("read-only personal finance service"));
    for path in ["/data/v1/me", "/session/sign-in", "/session/callback"] {
        assert_eq!(get(&app, path, &[("x-passbook-page", "1")]).await.status, 404, "{path}");
    }
}
