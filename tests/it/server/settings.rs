//! Settings of the server: faulty ones, the commented file of the documents, and the start page.

use std::ffi::OsString;
use std::net::TcpListener;
use std::process::Command;

use hyper::Method;
use passbook_server::settings::{CommandLine, Settings};
use tests::admin::admin;
use tests::app::App;
use tests::database::Database;
use tests::server_process::{Running, run};
use tests::temporary::Folder;

/// The settings from flags, environment and file.
fn resolved(flags: &[&str], environment: &[(&str, &str)], file: &str) -> Settings {
    let folder = Folder::create();
    let path = folder.write("settings.toml", file);
    let arguments =
        ["passbook-server", "--config", &path].into_iter().chain(flags.iter().copied()).map(OsString::from);
    let command_line = CommandLine::parse(arguments).expect("the arguments are valid");
    let environment = environment.iter().chain(&[("HOME", "/home/ada")]);
    let sources = command_line.sources(environment.map(|(name, value)| (name.into(), value.into())));
    Settings::resolve(&sources, command_line.demo()).expect("the settings are valid")
}

#[test]
fn flag_precedes_environment_file_and_default() {
    for (setting, values) in tests::table::rows(include_str!("settings/precedence.txt")) {
        let [flags, variable, file, expected @ ..] = &values[..] else { panic!("{setting}: {values:?}") };
        let flags: Vec<&str> = flags.split(' ').filter(|flag| *flag != "-").collect();
        let (name, value) = variable.split_once('=').expect("a variable with its value");
        let found = [
            resolved(&flags, &[(name, value)], file),
            resolved(&[], &[(name, value)], file),
            resolved(&[], &[(name, "")], file),
            resolved(&[], &[], ""),
        ];
        assert_eq!(expected.len(), found.len(), "{setting}");
        for (settings, expected) in found.iter().zip(expected) {
            let settings = format!("{settings:?}");
            assert!(settings.contains(expected), "{setting}: {expected} is not in {settings}");
        }
    }
}

/// Runs a server that must not start. Returns the lines of standard error.
#[track_caller]
fn failed_start(command: Command) -> Vec<String> {
    let ended = run(command);
    assert_eq!((ended.code, ended.stdout.as_slice()), (Some(64), &[][..]), "{}", ended.stderr);
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    ended.stderr.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn port_in_use_exits_with_64() {
    let (folder, database) = (Folder::create(), Database::fresh().await);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let lines = failed_start(folder.server_of(&database, &["--listen", &address]));
    assert!(lines[0].starts_with(&format!("PASSBOOK_LISTEN: cannot listen on {address}")), "{lines:?}");
    // The embedded database that was started before listening failed is stopped again.
    let lines = failed_start(folder.server(&["--listen", &address]));
    assert!(lines.iter().any(|line| line.starts_with("PASSBOOK_LISTEN: cannot listen")), "{lines:#?}");
    assert!(!folder.data_dir().join("postgres/cluster/postmaster.pid").exists());
}

/// The text of the example, as it is and with every setting uncommented.
fn example() -> [String; 2] {
    let text = tests::text_of("docs/config.toml");
    let uncommented = text.lines().map(|line| match line.strip_prefix('#') {
        Some(setting) if !setting.is_empty() && !setting.starts_with(' ') => setting,
        _ => line,
    });
    let every = uncommented.collect::<Vec<&str>>().join("\n");
    [text, every]
}

#[tokio::test]
async fn both_programs_accept_the_commented_settings_file() {
    let (folder, database) = (Folder::create(), Database::fresh().await);
    let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let certificate = folder.write("certificate.pem", &pair.cert.pem());
    let key = folder.write("key.pem", &pair.signing_key.serialize_pem());
    for (name, text) in ["as-it-is.toml", "every-setting.toml"].iter().zip(example()) {
        let file = folder.write(name, &text);
        // The environment takes precedence over the file's examples of addresses and paths.
        let mut server = folder.server_of(&database, &["--config", &file]);
        server.env("PASSBOOK_TLS_CERTIFICATE", &certificate).env("PASSBOOK_TLS_KEY", &key);
        let mut server = Running::start(server);
        server.lines(4);
        let ended = server.stop("TERM");
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
        admin(&database, &["user", "list", "--config", &file]).done();
    }
}

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn browser_gets_a_page_that_links_the_api_and_its_description() {
    let app = App::configured(&[("PASSBOOK_DASHBOARD", "false")]).await;
    let reply = app.send_to_origin(Method::GET, "/", &[("accept", BROWSER)]).await;
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
    assert_eq!(links.len(), 2 + passbook_server::mount::PAGES.len(), "{page}");
    for link in links {
        let path = link.strip_prefix(app.origin()).unwrap_or(link);
        assert_eq!(app.send_to_origin(Method::GET, path, &[]).await.status, 200, "{link}");
    }
}

#[tokio::test]
async fn documentation_is_served_as_text_of_the_version_that_serves_it() {
    let app = App::start().await;
    for page in passbook_server::mount::PAGES {
        let reply = app.send_to_origin(Method::GET, page.path, &[]).await;
        assert_eq!(reply.status, 200, "{}", page.path);
        assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
        assert!(reply.body == page.text, "{}", page.path);
    }
    for path in ["/docs", "/docs/", "/docs/schema.md", "/docs/../api.md", "/api/docs/api.md"] {
        assert_eq!(app.send_to_origin(Method::GET, path, &[]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn program_gets_the_addresses_as_json() {
    let app = App::start().await;
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "application/json")]] {
        let reply = app.send_to_origin(Method::GET, "/", headers).await;
        let addresses = serde_json::json!({
            "service": "passbook",
            "version": env!("CARGO_PKG_VERSION"),
            "base": app.base_url,
            "openapi": format!("{}/openapi.json", app.base_url),
        });
        assert_eq!(reply.ok(), addresses, "{headers:?}");
        assert_eq!(reply.header("content-type"), "application/json");
    }
    let reply = app.send_to_origin(Method::POST, "/", &[]).await;
    assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "GET, HEAD"));
    assert_eq!(app.send_to_origin(Method::HEAD, "/", &[("accept", BROWSER)]).await.status, 200);
}

#[tokio::test]
async fn start_page_has_the_limits_of_every_route() {
    let app = App::start().await;
    let reply = app.send_to_origin(Method::GET, "/", &[("accept", &"text/html,".repeat(4_000))]).await;
    reply.assert_error(431, "HEADERS_TOO_LARGE", "");
    let reply = app.send_to_origin(Method::GET, &format!("/?{}", "a".repeat(9_000)), &[]).await;
    reply.assert_error(414, "URI_TOO_LONG", "");
}

#[tokio::test]
async fn not_found_response_names_the_path_of_the_description() {
    let app = App::start().await;
    for path in ["/nothing", "/api", "/api/", "/api/v1/nothing", "/openapi.json", "/index.html"] {
        let reply = app.send_to_origin(Method::GET, path, &[("accept", BROWSER)]).await;
        reply.assert_error(404, "NOT_FOUND", path);
        let message = "There is nothing at this path: /api/openapi.json lists every path.";
        assert_eq!(reply.json()["error"]["message"], message, "{path}");
    }
    assert_eq!(app.send_to_origin(Method::GET, "/api/openapi.json", &[]).await.status, 200);
}
