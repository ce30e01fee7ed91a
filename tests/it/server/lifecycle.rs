//! Start, service and shutdown with the embedded database and with an external one. The embedded database keeps its
//! data and serves one process at a time.

use std::path::Path;

use hyper::Method;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;
use tokio_postgres::{Client, NoTls};

use tests::server_process::{
    Running, TestFolder, assert_startup_lines, postgres_pid, run, signal, value, wait_until_ended,
};

async fn get(lines: &[String], target: &str) -> tests::http::Reply {
    let url = format!("{}{target}", value(&lines[1], "base"));
    Http::default().send(Method::GET, &url, &[]).await
}

/// Connects as the writer role to a running embedded database.
async fn writer(data_dir: &Path) -> Client {
    let address = passbook_embedded::running_in(data_dir)
        .await
        .expect("the folder can be read")
        .expect("the database runs");
    let config = address.connect("passbook_writer", "passbook");
    let (client, connection) = config.connect(NoTls).await.expect("the writer may log in");
    tokio::spawn(connection);
    client
}

#[tokio::test]
async fn embedded_database_keeps_its_data_after_restart() {
    let folder = TestFolder::create();
    let person = Household::new().user;
    for round in 1..=2 {
        let mut server = Running::start(folder.server(&[]));
        let lines = server.lines(4);
        assert_startup_lines(&lines);
        assert_eq!(get(&lines, "/ready").await.ok()["status"], "ready");
        let writer = writer(&folder.data_dir()).await;
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
    let folder = TestFolder::create();
    let mut first = Running::start(folder.server(&[]));
    let lines = first.lines(4);
    let second = run(folder.server(&[]));
    assert_eq!((second.code, second.stdout.as_slice()), (Some(69), &[][..]), "{}", second.stderr);
    let sentence = format!("is in use by process {}", first.pid());
    assert!(second.stderr.contains(&sentence), "{}", second.stderr);
    let remedy = "Stop that process first.\nOr set PASSBOOK_DATA_DIR to another folder.";
    assert!(second.stderr.contains(remedy), "{}", second.stderr);
    assert_eq!(get(&lines, "/ready").await.ok()["status"], "ready", "the first server continues to serve");

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
    let folder = TestFolder::create();
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
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    for _ in 0..2 {
        let mut server = folder.server(&[]);
        server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
        let mut server = Running::start(server);
        let lines = server.lines(4);
        assert_startup_lines(&lines);
        assert_eq!(get(&lines, "/ready").await.ok()["status"], "ready");
        assert_eq!(get(&lines, "/v1/me").await.status, 401);
        let ended = server.stop("TERM");
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "{}", ended.stderr);
    }
    assert!(!folder.data_dir().exists(), "no embedded database must be made");
    database.connect("postgres").await;
}

#[tokio::test]
async fn startup_lines_show_the_public_origin() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let mut server = folder.server(&["--listen", "0.0.0.0:0", "--origin", "https://money.example"]);
    server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let mut server = Running::start(server);
    assert_eq!(
        server.lines(4)[1..],
        [
            "base    https://money.example/api",
            "mcp     https://money.example/api/mcp",
            "page    https://money.example/"
        ]
    );
    assert!(signal("TERM", server.pid()));
    assert_eq!(server.end().code, Some(0));
}
