//! Start, service and shutdown with the embedded database and with an external one, and their log. The embedded database
//! keeps its data and serves one process at a time. Requests that a stop cuts off change the exit code.

use std::path::Path;

use hyper::Method;
use serde_json::Value;
use tests::app::App;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;
use tests::server_process::{
    Ended, Running, assert_startup_lines, postgres_pid, run, signal, value, wait_until_ended,
};
use tests::temporary::Folder;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio_postgres::Client;

use super::Served;
use crate::outages::clients::send_without_waiting;
use crate::outages::{WAITING, limit_reader, lock_transactions, release, until_sessions};

/// Checks that a server is ready.
async fn assert_ready(lines: &[String]) {
    let url = format!("{}/ready", value(&lines[1], "base"));
    assert_eq!(Http::default().send(Method::GET, &url, &[]).await.ok()["status"], "ready");
}

/// Connects to a running embedded database.
pub(super) async fn connect(data_dir: &Path, role: &str) -> Client {
    let running = passbook_embedded::running_in(data_dir).await.expect("the folder can be read");
    tests::database::connect(&running.expect("the database runs").connect(role, "passbook")).await
}

#[tokio::test]
async fn embedded_database_keeps_its_data_after_restart() {
    let folder = Folder::create();
    let person = Household::new().user;
    for round in 1..=2 {
        let mut server = Running::start(folder.server(&[]));
        let lines = server.lines(4);
        assert_startup_lines(&lines);
        assert_ready(&lines).await;
        let writer = connect(&folder.data_dir(), passbook_schema::WRITER).await;
        let stored =
            writer.query("select user_id from passbook.users", &[]).await.expect("the users are read");
        let stored: Vec<uuid::Uuid> = stored.iter().map(|row| row.get(0)).collect();
        if round == 1 {
            assert!(stored.is_empty(), "a new database has no users");
            let insert = "insert into passbook.users (user_id, email) values ($1, $2)";
            writer.execute(insert, &[&person.user_id, &person.email]).await.expect("the user is stored");
        } else {
            assert_eq!(stored, [person.user_id]);
        }
        drop(writer);
        let postgres = postgres_pid(&folder.data_dir());
        let ended = server.stop("TERM");
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "round {round}: {}", ended.stderr);
        wait_until_ended(postgres);
    }
}

#[tokio::test]
async fn data_folder_is_refused_while_another_server_uses_it() {
    let folder = Folder::create();
    let mut first = Running::start(folder.server(&[]));
    let lines = first.lines(4);
    let second = run(folder.server(&[]));
    assert_eq!((second.code, second.stdout.as_slice()), (Some(69), &[][..]), "{}", second.stderr);
    let sentence = format!("is in use by process {}", first.pid());
    assert!(second.stderr.contains(&sentence), "{}", second.stderr);
    let remedy = "Stop that process first.\nOr set PASSBOOK_DATA_DIR to another folder.";
    assert!(second.stderr.contains(remedy), "{}", second.stderr);
    assert_ready(&lines).await;

    // A killed server leaves neither a running PostgreSQL nor a locked folder.
    let postgres = postgres_pid(&folder.data_dir());
    assert_eq!(first.stop("KILL").code, None);
    wait_until_ended(postgres);
    let mut third = Running::start(folder.server(&[]));
    assert_startup_lines(&third.lines(4));
    assert_eq!(third.stop("TERM").code, Some(0));
}

#[test]
fn server_stopped_during_start_leaves_no_incomplete_database() {
    let folder = Folder::create();
    let first = Running::start(folder.server(&[]));
    // The server prints its lines after it has made the database, so this loop ends while the database is made.
    while !folder.data_dir().join("postgres").exists() {
        assert!(signal("0", first.pid()), "the server ended before the signal");
    }
    let ended = first.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let mut second = Running::start(folder.server(&[]));
    assert_startup_lines(&second.lines(4));
    assert_eq!(second.stop("TERM").code, Some(0));
}

#[tokio::test]
async fn external_database_is_served_and_keeps_running() {
    let database = Database::fresh().await;
    for _ in 0..2 {
        let server = Served::start(&database, &[]);
        assert_startup_lines(&server.lines);
        assert_eq!(server.get("/ready", &[]).await.ok()["status"], "ready");
        assert_eq!(server.get("/v1/me", &[]).await.status, 401);
        assert!(!server.folder.data_dir().exists(), "no embedded database must be made");
        server.stop();
    }
    database.connect("postgres").await;
}

#[tokio::test]
async fn startup_lines_show_the_public_origin() {
    let flags = ["--listen", "0.0.0.0:0", "--origin", "https://money.example"];
    let server = Served::start(&Database::fresh().await, &flags);
    assert_eq!(
        server.lines[1..],
        [
            "base    https://money.example/api",
            "mcp     https://money.example/api/mcp",
            "page    https://money.example/"
        ]
    );
    server.stop();
}

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
    let (folder, database) = (Folder::create(), Database::fresh().await);
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
    let folder = Folder::create();
    let mut server = Running::start(folder.server(&["--log-format", "json"]));
    server.lines(4);
    let ended = server.stop("TERM");
    for event in ["started", "stopped"] {
        let fields = logged(&ended, event);
        assert_eq!(fields["data_dir"], folder.data_dir().to_str().expect("UTF-8"));
        assert_eq!(fields["database.name"], Value::Null);
    }
}

/// A server with a request that waits for a lock, which is held until the value is dropped.
struct BusyServer {
    server: Served,
    lock: Client,
    request: TcpStream,
    _app: App,
}

impl BusyServer {
    async fn start(drain_seconds: &str) -> BusyServer {
        let app = App::start().await;
        let (_, token) = app.add_person().await;
        // The role's own limits would end the waiting request.
        limit_reader(&app.database, &[("statement_timeout", "10min"), ("lock_timeout", "10min")]).await;
        let flags = ["--log-format", "json", "--drain-seconds", drain_seconds, "--request-seconds", "600"];
        let server = Served::start(&app.database, &flags);
        let lock = lock_transactions(&app.database).await;
        let request = send_without_waiting(server.base(), "/v1/transactions", &token).await;
        until_sessions(&app.database, WAITING, 1).await;
        BusyServer { server, lock, request, _app: app }
    }

    /// Sends the first signal. The server counts the running requests, then it closes its listener.
    fn begin_to_stop(&self) {
        assert!(signal("TERM", self.server.running.pid()));
        while std::net::TcpStream::connect(self.server.address()).is_ok() {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn request_in_progress_at_a_stop_is_counted_and_completed() {
    let mut busy = BusyServer::start("600").await;
    busy.begin_to_stop();
    release(&busy.lock).await;
    let mut response = String::new();
    busy.request.read_to_string(&mut response).await.expect("the server closes the connection");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    let ended = busy.server.running.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(logged(&ended, "stopping: waiting for running requests")["requests"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn drain_limit_or_second_signal_that_cuts_a_request_gives_exit_code_75() {
    for (drain_seconds, is_signalled_before) in [("1", false), ("600", true)] {
        let busy = BusyServer::start(drain_seconds).await;
        if is_signalled_before {
            // Two signals at once could arrive as one.
            busy.begin_to_stop();
        }
        let ended = busy.server.running.stop("TERM");
        assert_eq!(ended.code, Some(75), "{drain_seconds}: {}", ended.stderr);
        let sentence = "requests cut off because they were still running: 1";
        assert!(ended.stderr.contains(sentence), "{drain_seconds}: {}", ended.stderr);
    }
}
