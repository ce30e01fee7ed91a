//! The headers of every response of every route, and of responses that limits, overload and outages cause.

use std::fmt::Write as _;

use hyper::Method;
use passbook_auth::personal_access_token::PlainToken;
use tests::app::App;
use tests::catalogue::listed;
use tests::database::execute;
use tests::http::{Http, Reply};
use tests::provider::IdentityProvider;
use tests::signer::Signer;

use crate::outages::clients::send_without_waiting;
use crate::outages::{self, WAITING, limit_reader, lock_transactions, until_sessions};

/// Starts an application with an identity provider and one person. Returns the person's token.
pub(crate) async fn app() -> (App, IdentityProvider, String) {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    let environment = [
        ("PASSBOOK_OIDC_ISSUER", provider.issuer.as_str()),
        ("PASSBOOK_DASHBOARD_CLIENT_ID", "client-1"),
        ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai"),
        ("PASSBOOK_APPS_CHALLENGE_TOKEN", "proof"),
    ];
    let app = App::configured(&environment).await;
    let (_, token) = app.add_person().await;
    (app, provider, token)
}

/// Paths of the origin that need no token.
pub(crate) const PUBLIC: [&str; 14] = [
    "/",
    "/docs/api.md",
    "/api/health",
    "/api/ready",
    "/api/openapi.json",
    "/api/oauth/authorize",
    "/.well-known/openai-apps-challenge",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api/mcp",
    "/api/.well-known/oauth-protected-resource",
    "/api/.well-known/oauth-protected-resource/mcp",
    "/api/.well-known/oauth-authorization-server",
    "/api/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
];

/// A request: method, path of the origin, and headers.
type Request = (Method, String, Vec<(&'static str, String)>);

fn requests(token: &str) -> Vec<Request> {
    let bearer = || vec![("authorization", format!("Bearer {token}"))];
    let get = |path: &str, headers| (Method::GET, path.to_owned(), headers);
    let mut requests = Vec::new();
    for path in PUBLIC {
        requests.push(get(path, vec![]));
        requests.push(get(&format!("{path}?access_token=x"), vec![]));
        requests.push((Method::POST, path.to_owned(), vec![]));
    }
    for operation in listed() {
        let path = format!("/api{}", operation.spec.path);
        requests.push(get(&path, bearer()));
        requests.push(get(&path, vec![]));
        requests.push(get(&format!("{path}?unknown=1"), bearer()));
        requests.push((Method::DELETE, path, bearer()));
    }
    let me = "/api/v1/me";
    requests.push((Method::HEAD, me.to_owned(), bearer()));
    requests.push(get(me, vec![("authorization", "Bearer pbk_no".to_owned())]));
    requests.push(get(me, vec![("x-large", "a".repeat(33 * 1024))]));
    requests.push(get(&format!("{me}?a={}", "a".repeat(8 * 1024)), bearer()));
    requests.push(get("/", vec![("accept", "text/html".to_owned())]));
    requests.push(get("/nowhere", vec![]));
    requests.push(get("/api/v1/nowhere", bearer()));
    requests.extend(dashboard_requests());
    let post = |headers: Vec<(&'static str, &str)>| {
        let headers = headers.into_iter().map(|(name, value)| (name, value.to_owned()));
        (Method::POST, "/api/mcp".to_owned(), bearer().into_iter().chain(headers).collect())
    };
    let json = ("content-type", "application/json");
    requests.push((Method::GET, "/api/mcp".to_owned(), bearer()));
    requests.push((Method::POST, "/api/mcp".to_owned(), vec![]));
    requests.push(post(vec![]));
    requests.push(post(vec![json, ("accept", "text/html")]));
    requests.push(post(vec![json, ("origin", "https://evil.example")]));
    requests.push(post(vec![json]));
    requests
}

/// Requests to the routes of the dashboard without a session. `tests/it/dashboard` has those with a session.
fn dashboard_requests() -> Vec<Request> {
    let page = || vec![("x-passbook-page", "1".to_owned())];
    let asset = format!("/assets/{HASH}/{}", passbook_views::page_files()[0].name);
    let gzip = vec![("accept-encoding", "gzip".to_owned())];
    let mut requests = vec![
        (Method::GET, asset.clone(), vec![]),
        (Method::GET, asset.clone(), gzip),
        (Method::POST, asset, vec![]),
        (Method::GET, "/data/v1/me".to_owned(), vec![]),
        (Method::GET, "/data/v1/me".to_owned(), page()),
        (Method::GET, "/session/sign-in".to_owned(), vec![("sec-fetch-site", "cross-site".to_owned())]),
        (Method::GET, "/session/callback?state=x".to_owned(), vec![]),
    ];
    for path in ["/session/token", "/session/code", "/session/sign-out"] {
        requests.push((Method::GET, path.to_owned(), vec![]));
        requests.push((Method::POST, path.to_owned(), page()));
    }
    requests
}

/// Text in place of the hash in the addresses of assets.
const HASH: &str = "{hash}";

/// Returns the hash in the addresses of assets.
async fn asset_hash(http: &Http, origin: &str) -> String {
    let page = http.send(Method::GET, &format!("{origin}/"), &[("accept", "text/html")]).await;
    let page = String::from_utf8(page.body.to_vec()).expect("UTF-8");
    let folder = page.split("\"/assets/").nth(1).expect("an asset");
    folder.split('/').next().expect("a hash").to_owned()
}

/// The recorded responses. Requests with the same status and headers are listed together.
#[derive(Default)]
struct Recorder {
    /// Texts that differ from run to run, each with the text that is recorded instead.
    replaced: Vec<(String, &'static str)>,
    groups: Vec<(String, Vec<String>)>,
}

impl Recorder {
    fn record(&mut self, request: String, reply: &Reply) {
        assert!(!reply.header("x-request-id").is_empty(), "{request}");
        let mut lines = vec![];
        for (name, value) in &reply.headers {
            let mut value = value.to_str().expect("a header is text").to_owned();
            for (text, recorded) in &self.replaced {
                value = value.replace(text, recorded);
            }
            match name.as_str() {
                // These differ from run to run or from body to body.
                "date" | "content-length" | "x-request-id" => lines.push(format!("  {name}")),
                "ratelimit" | "retry-after" | "x-ratelimit-reset" => {
                    lines.push(format!("  {name}: {}", without_digits(&value)));
                }
                _ => lines.push(format!("  {name}: {value}")),
            }
        }
        lines.sort();
        let head = format!("{}\n{}", reply.status.as_u16(), lines.join("\n"));
        match self.groups.iter_mut().find(|(known, _)| *known == head) {
            Some((_, requests)) => requests.push(request),
            None => self.groups.push((head, vec![request])),
        }
    }

    fn snapshot(self) -> String {
        let mut snapshot = String::new();
        for (head, requests) in self.groups {
            writeln!(snapshot, "{}\n{head}\n", requests.join("\n")).expect("a string takes all text");
        }
        assert!(!snapshot.contains("access-control") && !snapshot.contains("\n  server"), "{snapshot}");
        snapshot
    }
}

/// Replaces each number by `#`.
fn without_digits(value: &str) -> String {
    regex::Regex::new("[0-9]+").expect("an expression").replace_all(value, "#").into_owned()
}

#[tokio::test]
async fn headers_of_every_response_are_as_recorded() {
    let (app, provider, token) = app().await;
    let origin = app.origin().to_owned();
    let http = Http::default();
    let (_, port) = origin.rsplit_once(':').expect("a port");
    let hash = asset_hash(&http, &origin).await;
    let cookie = format!("passbook-session-{port}");
    let replaced = vec![
        (origin.clone(), "{origin}"),
        (provider.origin(), "{provider}"),
        (cookie, "passbook-session-{port}"),
    ];
    let mut recorder = Recorder { replaced, ..Recorder::default() };
    for (method, path, headers) in requests(&token) {
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let url = format!("{origin}{}", path.replace(HASH, &hash));
        let reply = http.send_body(method.clone(), &url, &headers, "{}".into()).await;
        assert!(!format!("{:?}", reply.headers).contains(&token), "{path}");
        let shown: String = path.chars().take(80).collect();
        recorder.record(format!("{method} {shown}"), &reply);
    }
    insta::assert_snapshot!(recorder.snapshot());
}

/// Maximum number of requests until a limit of requests is reached.
const REQUESTS_MAX: usize = 10_000;

#[tokio::test]
async fn headers_of_rejections_are_as_recorded() {
    let mut recorder = Recorder::default();
    record_invalid_requests(&mut recorder).await;
    record_rate_limits(&mut recorder).await;
    record_shed_requests(&mut recorder).await;
    record_timeout(&mut recorder).await;
    record_faults_of_the_database(&mut recorder).await;
    insta::assert_snapshot!(recorder.snapshot());
}

/// Status 400 for the host, and 413.
async fn record_invalid_requests(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[]).await;
    for host in ["ada@money.example", "money.example/path"] {
        let reply = app.send(Method::GET, "/v1/me", &[("host", host)]).await;
        recorder.record(format!("400: host {host}"), &reply);
    }
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let reply = app.post("/mcp", &headers, vec![b' '; 256 * 1024 + 1]).await;
    recorder.record("413: POST /api/mcp with more than 256 KiB".to_owned(), &reply);
}

/// Status 429.
async fn record_rate_limits(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[("PASSBOOK_RATE_LIMIT_USER", "1")]).await;
    for request in 0.. {
        let reply = app.get("/v1/me", &token).await;
        if reply.status != 200 {
            recorder.record("429: rate limit of a user".to_owned(), &reply);
            break;
        }
        assert!(request < REQUESTS_MAX, "the rate limit has no effect");
    }
    for request in 0.. {
        let reply = app.get("/v1/me", PlainToken::generate("pbk_").reveal()).await;
        if reply.status != 401 {
            recorder.record("429: limit of unseen tokens".to_owned(), &reply);
            break;
        }
        assert!(request < REQUESTS_MAX, "the limit of unseen tokens has no effect");
    }
}

/// Status 503 and 429 of requests that are not handled.
async fn record_shed_requests(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[("PASSBOOK_REQUESTS_IN_PROGRESS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    let _waiting = send_without_waiting(&app.base_url, "/v1/transactions", &token).await;
    until_sessions(&app.database, WAITING, 1).await;
    recorder.record("503: too many requests in progress".to_owned(), &app.get("/v1/me", &token).await);

    let environment = [("PASSBOOK_TRUSTED_PROXIES", "127.0.0.1"), ("PASSBOOK_CONNECTIONS_PER_ADDRESS", "1")];
    let (app, token) = outages::app(&environment).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    let first = tokio::spawn(get_as_proxy(app.base_url.clone(), "/v1/transactions", token.clone()));
    until_sessions(&app.database, WAITING, 1).await;
    let reply = get_as_proxy(app.base_url.clone(), "/v1/me", token).await;
    recorder.record("429: too many requests in progress of a client behind a proxy".to_owned(), &reply);
    first.abort();
}

async fn get_as_proxy(base_url: String, path: &str, token: String) -> tests::http::Reply {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("x-forwarded-for", "192.0.2.1")];
    Http::default().send(Method::GET, &format!("{base_url}{path}"), &headers).await
}

/// Status 504.
async fn record_timeout(recorder: &mut Recorder) {
    let (app, token) = outages::app(&[("PASSBOOK_REQUEST_SECONDS", "1")]).await;
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let _lock = lock_transactions(&app.database).await;
    recorder.record("504: limit of a request".to_owned(), &app.get("/v1/transactions", &token).await);
}

/// Status 500 and 503.
async fn record_faults_of_the_database(recorder: &mut Recorder) {
    let (app, token): (App, String) = outages::app(&[]).await;
    let superuser = app.database.connect("postgres").await;
    let damage = "alter table passbook.excluded_categories drop constraint excluded_categories_category_category_kind_fkey; \
                  insert into passbook.excluded_categories (user_id, category) select user_id, 'NO_SUCH_WORD' from passbook.users";
    execute(&superuser, damage).await;
    recorder.record("500: impossible row".to_owned(), &app.get("/v1/me", &token).await);
    drop(superuser);
    app.database.rename_away(true).await;
    recorder.record("503: database away".to_owned(), &app.get("/v1/me", &token).await);
    let unseen = PlainToken::generate("pbk_");
    let reply = app.get("/v1/me", unseen.reveal()).await;
    recorder.record("503: database away during the look-up of a token".to_owned(), &reply);
    recorder.record("503: not ready".to_owned(), &app.send(Method::GET, "/ready", &[]).await);
    app.database.rename_away(false).await;
}
