//! Settings of the server: faulty ones, the commented file of the documents, and the start page.

use std::ffi::OsString;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use hyper::Method;
use passbook_server::settings::{CommandLine, LogFormat, Settings};
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::http::{Http, Reply};
use tests::server_process::{Running, TestFolder, run};

/// The settings from flags, environment and file.
fn resolved(flags: &[&str], environment: &[(&str, &str)], file: &str) -> Settings {
    let folder = TestFolder::create();
    let path = folder.file("settings.toml", file);
    let arguments =
        ["passbook-server", "--config", &path].into_iter().chain(flags.iter().copied()).map(OsString::from);
    let command_line = CommandLine::parse(arguments).expect("the arguments are valid");
    let environment = environment.iter().chain(&[("HOME", "/home/ada")]);
    let sources = command_line.sources(environment.map(|(name, value)| (name.into(), value.into())));
    Settings::resolve(&sources, command_line.demo()).expect("the settings are valid")
}

/// A setting by flag, environment and file, a function that reads it, and the values expected in order of precedence.
type Case = (
    [&'static str; 2],
    (&'static str, &'static str),
    &'static str,
    fn(&Settings) -> String,
    [&'static str; 4],
);

const CASES: &[Case] = &[
    (
        ["--listen", "127.0.0.1:1"],
        ("PASSBOOK_LISTEN", "127.0.0.1:2"),
        "listen = \"127.0.0.1:3\"",
        |settings| settings.listen.to_string(),
        ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:8080"],
    ),
    (
        ["--origin", "https://flag.example"],
        ("PASSBOOK_ORIGIN", "https://environment.example/"),
        "origin = \"https://file.example\"",
        |settings| settings.origin.clone().unwrap_or_default(),
        ["https://flag.example", "https://environment.example", "https://file.example", ""],
    ),
    (
        ["--request-seconds", "1"],
        ("PASSBOOK_REQUEST_SECONDS", "2"),
        "request_seconds = 3",
        |settings| settings.request_seconds.to_string(),
        ["1", "2", "3", "10"],
    ),
    (
        ["--database-connections", "1"],
        ("PASSBOOK_DATABASE_CONNECTIONS", "2"),
        "database_connections = \"3\"",
        |settings| settings.database_connections.to_string(),
        ["1", "2", "3", "8"],
    ),
    (
        ["--database-prepared-statements=false", "--demo"],
        ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", "true"),
        "database_prepared_statements = false",
        |settings| settings.prepared_statements.to_string(),
        ["false", "true", "false", "true"],
    ),
    (
        ["--data-dir", "/flag"],
        ("PASSBOOK_DATA_DIR", "/environment"),
        "data_dir = \"/file\"",
        |settings| {
            let folder = settings.data_dir.to_string_lossy().into_owned();

            // The default folder depends on the user who runs the test.
            if folder.ends_with("/passbook") { "default".to_owned() } else { folder }
        },
        ["/flag", "/environment", "/file", "default"],
    ),
    (
        ["--no-download=false", "--demo"],
        ("PASSBOOK_NO_DOWNLOAD", "1"),
        "no_download = 1",
        |settings| settings.download.to_string(),
        ["true", "false", "false", "true"],
    ),
    (
        ["--oidc-issuer", "https://flag.example"],
        ("PASSBOOK_OIDC_ISSUER", "https://environment.example/"),
        "oidc_issuer = \"https://file.example/auth/v1\"",
        |settings| settings.provider.as_ref().map_or_else(String::new, |provider| provider.issuer.clone()),
        ["https://flag.example", "https://environment.example/", "https://file.example/auth/v1", ""],
    ),
    (
        ["--log-format", "json"],
        ("PASSBOOK_LOG_FORMAT", "text"),
        "log_format = \"json\"",
        |settings| (settings.log_format == LogFormat::Json).to_string(),
        ["true", "false", "true", "false"],
    ),
];

#[test]
fn flag_precedes_environment_file_and_default() {
    for (flags, variable, file, read, expected) in CASES {
        let found = [
            resolved(flags, &[*variable], file),
            resolved(&[], &[*variable], file),
            resolved(&[], &[(variable.0, "")], file),
            resolved(&[], &[], ""),
        ];
        assert_eq!(found.each_ref().map(read), expected.map(str::to_owned), "{}", variable.0);
    }
}

#[test]
fn database_url_is_read_from_environment_or_file() {
    let file = "database_url = \"postgresql://passbook_reader:hunter2@file/money\"";
    let given = resolved(&[], &[], file).database.expect("the file sets the URL");
    assert_eq!(given.config().get_hosts(), [tokio_postgres::config::Host::Tcp("file".to_owned())]);
    let variable = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@environment/money");
    let given = resolved(&[], &[variable], file).database.expect("the environment sets the URL");
    assert_eq!(given.config().get_hosts(), [tokio_postgres::config::Host::Tcp("environment".to_owned())]);
    assert!(resolved(&[], &[], "").database.is_none());
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
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut server = folder.server(&["--listen", &address]);
    server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let lines = failed_start(server);
    assert!(lines[0].starts_with(&format!("PASSBOOK_LISTEN: cannot listen on {address}")), "{lines:?}");
    // The embedded database that was started before listening failed is stopped again.
    let lines = failed_start(folder.server(&["--listen", &address]));
    assert!(lines.iter().any(|line| line.starts_with("PASSBOOK_LISTEN: cannot listen")), "{lines:#?}");
    assert!(!folder.data_dir().join("postgres/cluster/postmaster.pid").exists());
}

/// The text of the example, as it is and with every setting uncommented.
fn example() -> [String; 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/config.toml");
    let text = std::fs::read_to_string(path).expect("the file is read");
    let uncommented = text.lines().map(|line| match line.strip_prefix('#') {
        Some(setting) if !setting.is_empty() && !setting.starts_with(' ') => setting,
        _ => line,
    });
    let every = uncommented.collect::<Vec<&str>>().join("\n");
    [text, every]
}

#[tokio::test]
async fn both_programs_accept_the_commented_settings_file() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let certificate = folder.file("certificate.pem", &pair.cert.pem());
    let key = folder.file("key.pem", &pair.signing_key.serialize_pem());
    for (name, text) in ["as-it-is.toml", "every-setting.toml"].iter().zip(example()) {
        let file = folder.file(name, &text);
        // The environment takes precedence over the file's examples of addresses and paths.
        let mut server = folder.server(&["--config", &file]);
        server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
        server.env("PASSBOOK_TLS_CERTIFICATE", &certificate).env("PASSBOOK_TLS_KEY", &key);
        let mut server = Running::start(server);
        server.lines(4);
        let ended = server.stop("TERM");
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
        let admin = Command::new(tests::binary("passbook-admin"))
            .args(["user", "list", "--config", &file])
            .env_clear()
            .env("HOME", folder.path())
            .env("PASSBOOK_ADMIN_DATABASE_URL", database.url("passbook_writer"))
            .output()
            .expect("the tool runs");
        assert!(admin.status.success(), "{name}: {}", String::from_utf8_lossy(&admin.stderr));
    }
}

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
    reply.assert_error(431, "HEADERS_TOO_LARGE", "");
    let reply = send(&app, Method::GET, &format!("/?{}", "a".repeat(9_000)), &[]).await;
    reply.assert_error(414, "URI_TOO_LONG", "");
}

#[tokio::test]
async fn not_found_response_names_the_path_of_the_description() {
    let app = App::start().await;
    for path in ["/nothing", "/api", "/api/", "/api/v1/nothing", "/openapi.json", "/index.html"] {
        let reply = send(&app, Method::GET, path, &[("accept", BROWSER)]).await;
        reply.assert_error(404, "NOT_FOUND", path);
        let message = "There is nothing at this path: /api/openapi.json lists every path.";
        assert_eq!(reply.json()["error"]["message"], message, "{path}");
    }
    assert_eq!(send(&app, Method::GET, "/api/openapi.json", &[]).await.status, 200);
}
