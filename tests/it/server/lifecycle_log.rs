//! The log of start and stop: version, address, data folder or database, and the number of requests that a stop waits
//! for.

use std::net::TcpStream;

use hyper::Method;
use serde_json::Value;
use tests::app::App;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;

use crate::outages::{WAITING, limit_reader, lock_transactions, release, until_sessions};
use tests::server_process::{Ended, Running, TestFolder, signal, value};

/// The fields of the only log line with a message.
#[track_caller]
fn logged(ended: &Ended, message: &str) -> Value {
    let lines = ended.stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found: Vec<Value> = lines.filter(|line| line["fields"]["message"] == message).collect();
    assert_eq!(found.len(), 1, "{message}: {}", ended.stderr);
    assert_eq!(found[0]["level"], "INFO");
    found[0]["fields"].clone()
}

#[tokio::test]
async fn start_and_stop_are_logged_with_version_address_and_database() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let mut server = folder.server(&["--log-format", "json"]);
    let url = database.url("passbook_reader").replace("passbook_reader@", "passbook_reader:hunter2@");
    server.env("PASSBOOK_DATABASE_URL", &url);
    let mut server = Running::start(server);
    let base = value(&server.lines(4)[1], "base").to_owned();
    let ended = server.stop("TERM");
    let address = passbook_store::DatabaseAddress::of(&url.parse().expect("the URL is valid"));
    for event in ["started", "stopped"] {
        let fields = logged(&ended, event);
        assert_eq!(fields["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(format!("http://{}/api", fields["address"].as_str().expect("an address")), base);
        assert_eq!(fields["origin"], base.trim_end_matches("/api"));
        assert_eq!(fields["database.hosts"], address.hosts());
        assert_eq!(fields["database.name"], address.database());
        assert_eq!(fields["database.role"], "passbook_reader");
        assert_eq!(fields["data_dir"], Value::Null);
    }
    assert_eq!(logged(&ended, "stopping: waiting for running requests")["requests"], 0);
    assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
}

#[test]
fn start_and_stop_are_logged_with_the_data_folder_of_the_embedded_database() {
    let folder = TestFolder::create();
    let mut server = Running::start(folder.server(&["--log-format", "json"]));
    server.lines(4);
    let ended = server.stop("TERM");
    for event in ["started", "stopped"] {
        let fields = logged(&ended, event);
        assert_eq!(fields["data_dir"], folder.data_dir().to_str().expect("UTF-8"));
        assert_eq!(fields["database.name"], Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_logs_the_number_of_requests_that_it_waits_for() {
    let (folder, app) = (TestFolder::create(), App::start().await);
    let household = Household::new();
    app.load(household.records()).await;
    let bearer = format!("Bearer {}", app.token(household.user.user_id).await);
    // The role's own limits would end the waiting request on a busy machine.
    limit_reader(&app.database, &[("statement_timeout", "1min"), ("lock_timeout", "1min")]).await;
    let mut server = folder.server(&["--log-format", "json", "--request-seconds", "60"]);
    server.env("PASSBOOK_DATABASE_URL", app.database.url("passbook_reader"));
    let mut server = Running::start(server);
    let base = value(&server.lines(4)[1], "base").to_owned();
    let address = base.trim_start_matches("http://").trim_end_matches("/api").to_owned();
    let lock = lock_transactions(&app.database).await;
    let request = tokio::spawn(async move {
        let url = format!("{base}/v1/transactions");
        Http::default().send(Method::GET, &url, &[("authorization", &bearer)]).await
    });
    until_sessions(&app.database, WAITING, 1).await;
    assert!(signal("TERM", server.pid()));
    // The server counts the running requests, then it closes its listener.
    while TcpStream::connect(&address).is_ok() {}
    release(&lock).await;
    let reply = request.await.expect("the request ends without a panic");
    let ended = server.end();
    assert_eq!(logged(&ended, "stopping: waiting for running requests")["requests"], 1);
    assert_eq!((reply.status.as_u16(), ended.code), (200, Some(0)), "{}", ended.stderr);
}
