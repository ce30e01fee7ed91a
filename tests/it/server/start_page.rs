//! The page at the root of the origin, and the address in 404 responses.

use hyper::Method;
use passbook_server::settings::Settings;
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::http::{Http, Reply};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn send(app: &App, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let origin = app.base_url.trim_end_matches("/api");
    Http::default().send(method, &format!("{origin}{path}"), headers).await
}

/// Starts the application without the dashboard.
async fn without_dashboard() -> App {
    let settings = Settings { today: Some(TODAY), ..settings(&[("PASSBOOK_DASHBOARD", "false")]) };
    App::start_with(Database::fresh().await, settings).await
}

#[tokio::test]
async fn browser_gets_a_page_that_links_the_api_and_its_description() {
    let app = without_dashboard().await;
    let reply = send(&app, Method::GET, "/", &[("accept", BROWSER)]).await;
    assert_eq!(reply.status, 200);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("vary", "accept"),
    ] {
        assert_eq!(reply.header(name), value, "{name}");
    }
    assert_ne!(reply.header("x-request-id"), "");
    let page = String::from_utf8(reply.body.to_vec()).expect("UTF-8");
    let base = &app.base_url;
    assert!(page.contains(&format!("<a href=\"{base}/openapi.json\">")), "{page}");
    assert!(page.contains(&format!(">{base}</a>")), "{page}");
    for loading in ["<script", "<style", "<img", "<link", "src=", "style="] {
        assert!(!page.contains(loading), "{loading}: {page}");
    }
    // Every link leads to a route of this server.
    let links: Vec<&str> = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links.len(), 2 + passbook_server::documentation::PAGES.len(), "{page}");
    let origin = base.trim_end_matches("/api");
    for link in links {
        let address = if link.starts_with('/') { format!("{origin}{link}") } else { link.to_owned() };
        assert_eq!(Http::default().send(Method::GET, &address, &[]).await.status, 200, "{link}");
    }
}

#[tokio::test]
async fn documentation_is_served_as_text_of_the_version_that_serves_it() {
    let app = App::start().await;
    for page in passbook_server::documentation::PAGES {
        let reply = send(&app, Method::GET, page.path, &[]).await;
        assert_eq!(reply.status, 200, "{}", page.path);
        assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
        assert!(reply.body == page.text, "{}", page.path);
    }
    for path in ["/docs", "/docs/", "/docs/schema.md", "/docs/../api.md", "/api/docs/api.md"] {
        assert_eq!(send(&app, Method::GET, path, &[]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn program_gets_the_addresses_as_json() {
    let app = App::start().await;
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "application/json")]] {
        let reply = send(&app, Method::GET, "/", headers).await;
        let addresses = serde_json::json!({
            "service": "passbook",
            "version": env!("CARGO_PKG_VERSION"),
            "base": app.base_url,
            "openapi": format!("{}/openapi.json", app.base_url),
        });
        assert_eq!(reply.ok(), addresses, "{headers:?}");
        assert_eq!(reply.header("content-type"), "application/json");
    }
    let reply = send(&app, Method::POST, "/", &[]).await;
    assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "GET, HEAD"));
    assert_eq!(send(&app, Method::HEAD, "/", &[("accept", BROWSER)]).await.status, 200);
}

#[tokio::test]
async fn start_page_has_the_limits_of_every_route() {
    let app = App::start().await;
    let reply = send(&app, Method::GET, "/", &[("accept", &"text/html,".repeat(4_000))]).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (431, "HEADERS_TOO_LARGE"));
    let reply = send(&app, Method::GET, &format!("/?{}", "a".repeat(9_000)), &[]).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (414, "URI_TOO_LONG"));
}

#[tokio::test]
async fn not_found_response_names_the_path_of_the_description() {
    let app = App::start().await;
    for path in ["/nothing", "/api", "/api/", "/api/v1/nothing", "/openapi.json", "/index.html"] {
        let reply = send(&app, Method::GET, path, &[("accept", BROWSER)]).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "NOT_FOUND"), "{path}");
        let message = "There is nothing at this path: /api/openapi.json lists every path.";
        assert_eq!(reply.json()["error"]["message"], message, "{path}");
    }
    assert_eq!(send(&app, Method::GET, "/api/openapi.json", &[]).await.status, 200);
}
