//! Requests that a stop cuts off: the exit code states that.

use std::io::Write as _;
use std::net::TcpStream;

use tests::app::App;
use tests::household::Household;
use tokio_postgres::Client;

use crate::outages::{WAITING, limit_reader, lock_transactions, until_sessions};
use tests::server_process::{Ended, Running, TestFolder, signal, value};

/// A server with a request that waits for a lock, which is held until the value is dropped.
struct BusyServer {
    running: Running,
    address: String,
    _folder: TestFolder,
    _app: App,
    _lock: Client,
    _request: TcpStream,
}

impl BusyServer {
    async fn start(drain_seconds: &str) -> BusyServer {
        let (folder, app) = (TestFolder::create(), App::start().await);
        let household = Household::new();
        app.load(household.records()).await;
        let token = app.token(household.user.user_id).await;
        limit_reader(&app.database, &[("statement_timeout", "10min"), ("lock_timeout", "10min")]).await;
        let mut server = folder.server(&["--drain-seconds", drain_seconds, "--request-seconds", "600"]);
        server.env("PASSBOOK_DATABASE_URL", app.database.url("passbook_reader"));
        let mut running = Running::start(server);
        let base = value(&running.lines(4)[1], "base").to_owned();
        let address = base.trim_start_matches("http://").trim_end_matches("/api").to_owned();
        let lock = lock_transactions(&app.database).await;
        let mut request = TcpStream::connect(&address).expect("the server listens");
        let head =
            format!("GET /api/v1/transactions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
        request.write_all(head.as_bytes()).expect("the server reads");
        until_sessions(&app.database, WAITING, 1).await;
        BusyServer { running, address, _folder: folder, _app: app, _lock: lock, _request: request }
    }
}

#[track_caller]
fn assert_request_cut(ended: &Ended) {
    assert_eq!(ended.code, Some(75), "{}", ended.stderr);
    let sentence = "requests cut off because they were still running: 1";
    assert!(ended.stderr.contains(sentence), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn drain_limit_that_cuts_a_request_gives_exit_code_75() {
    let BusyServer { running, address: _, _folder, _app, _lock, _request } = BusyServer::start("1").await;
    assert_request_cut(&running.stop("TERM"));
}

#[tokio::test(flavor = "multi_thread")]
async fn second_signal_that_cuts_a_request_gives_exit_code_75() {
    let BusyServer { running, address, _folder, _app, _lock, _request } = BusyServer::start("600").await;
    assert!(signal("TERM", running.pid()));
    // The server handles the first signal before it closes its listener. Two signals at once could arrive as one.
    while TcpStream::connect(&address).is_ok() {}
    assert_request_cut(&running.stop("TERM"));
}
