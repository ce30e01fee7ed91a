//! The metrics and the log of a running server: requests and queries are counted, log lines of a request have its
//! identifier, and nothing secret appears.

use hyper::Method;
use serde_json::Value;
use tests::app::App;
use tests::household::Household;
use tests::http::{Http, Reply};

use crate::outages::{lock_transactions, release};
use tests::server_process::{Ended, Running, TestFolder, series, signal, value};

/// A running server over a database with one person.
struct Monitored {
    app: App,
    server: Running,
    base: String,
    metrics: String,
    token: String,
    _folder: TestFolder,
}

impl Monitored {
    async fn start() -> Monitored {
        let (folder, app) = (TestFolder::create(), App::start().await);
        let household = Household::new();
        app.load(household.records()).await;
        let token = app.token(household.user.user_id).await;
        let mut server = folder.server(&["--log-format", "json", "--metrics-listen", "127.0.0.1:0"]);
        server.env("PASSBOOK_DATABASE_URL", app.database.url("passbook_reader"));
        let mut server = Running::start(server);
        let lines = server.lines(5);
        let (base, metrics) = (value(&lines[1], "base").to_owned(), value(&lines[4], "metrics").to_owned());
        Monitored { app, server, base, metrics, token, _folder: folder }
    }

    async fn get(&self, path: &str, id: &str) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let headers = [
            ("authorization", &*bearer),
            ("x-request-id", id),
            ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ];
        Http::default().send(Method::GET, &format!("{}{path}", self.base), &headers).await
    }

    async fn metrics(&self) -> String {
        let reply = Http::default().send(Method::GET, &self.metrics, &[]).await;
        assert_eq!(reply.status.as_u16(), 200);
        assert!(reply.header("content-type").starts_with("application/openmetrics-text"));
        String::from_utf8(reply.body.to_vec()).expect("metrics are text")
    }

    fn stop(self) -> (Ended, String) {
        (self.server.stop("TERM"), self.token)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_and_log_show_requests_and_slow_queries_without_secrets() {
    let monitored = Monitored::start().await;
    assert_eq!(monitored.get("/v1/me", "first").await.status.as_u16(), 200);
    assert_eq!(monitored.get("/v1/me?canary=1", "second").await.status.as_u16(), 400);
    let lock = lock_transactions(&monitored.app.database).await;
    // The lock timeout of the role ends the query after a second.
    assert_eq!(monitored.get("/v1/transactions?merchantQuery=canary", "third").await.status.as_u16(), 503);
    release(&lock).await;
    // The server closes a connection after a failed statement, so this request opens one.
    assert_eq!(monitored.get("/v1/preferences", "fourth").await.status.as_u16(), 200);

    let metrics = monitored.metrics().await;
    let me = |status| [("method", "GET"), ("route", "/v1/me"), ("status", status)];
    assert_eq!(series(&metrics, "passbook_http_requests_total", &me("200")), 1.0);
    assert_eq!(series(&metrics, "passbook_http_requests_total", &me("400")), 1.0);
    let durations = [("route", "/v1/transactions"), ("status", "503")];
    assert_eq!(series(&metrics, "passbook_http_request_duration_seconds_count", &durations), 1.0);
    let failed = series(&metrics, "passbook_database_errors_total", &[("error", "unavailable")]);
    assert_eq!(failed, 1.0);
    for query in ["open_session", "find_personal_access_token"] {
        let counted = series(&metrics, "passbook_database_query_duration_seconds_count", &[("query", query)]);
        assert!(counted >= 1.0, "{query}: {counted}");
    }
    assert!(series(&metrics, "passbook_database_connections_open", &[]) >= 1.0);
    assert!(series(&metrics, "passbook_connections_accepted_total", &[]) >= 1.0);
    assert!(!metrics.contains("canary"), "{metrics}");

    let (ended, token) = monitored.stop();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let lines: Vec<Value> = ended.stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let slow = lines.iter().find(|line| line["fields"]["message"] == "slow query");
    let slow = slow.unwrap_or_else(|| panic!("a slow query: {}", ended.stderr));
    assert!(slow["fields"]["query"].as_str().is_some_and(|name| name.starts_with("transactions_")), "{slow}");
    assert_eq!(slow["span"]["request.id"], "third");
    let answered = lines.iter().find(|line| line["fields"]["request.id"] == "first").expect("a line");
    let fingerprint = answered["fields"]["token"].as_str().expect("a fingerprint");
    assert_eq!((fingerprint.len(), &answered["fields"]["route"]), (12, &"/v1/me".into()));
    assert_eq!(answered["fields"]["trace.id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    for secret in ["canary", token.as_str(), "@example"] {
        assert!(!ended.stderr.contains(secret), "{secret}: {}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_server_is_not_ready_and_still_answers() {
    let (folder, app) = (TestFolder::create(), App::start().await);
    let mut server = folder.server(&["--stop-notice-seconds", "600"]);
    server.env("PASSBOOK_DATABASE_URL", app.database.url("passbook_reader"));
    let mut server = Running::start(server);
    let base = value(&server.lines(4)[1], "base").to_owned();
    let get = async |path: &str| Http::default().send(Method::GET, &format!("{base}{path}"), &[]).await;
    assert_eq!(get("/ready").await.status.as_u16(), 200);
    assert!(signal("TERM", server.pid()));
    // A new connection each time: the server must still accept.
    let stopping = loop {
        let reply = get("/ready").await;
        if reply.status.as_u16() == 503 {
            break reply;
        }
    };
    assert!(String::from_utf8_lossy(&stopping.body).contains("the server is stopping"));
    assert_eq!(get("/health").await.status.as_u16(), 200);
    let ended = server.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}
