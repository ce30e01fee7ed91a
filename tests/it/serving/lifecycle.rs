//! Start, service and end: with the embedded database, which keeps its data and belongs to one process at a time,
//! and with a database of the operator's.

use std::path::Path;

use hyper::Method;
use tests::database::Database;
use tests::household::Household;
use tests::http::Http;
use tokio_postgres::{Client, NoTls};

use super::program::{Place, Running, assert_decided, postgres_pid, run, signal, until_gone, value};

async fn get(lines: &[String], target: &str) -> tests::http::Reply {
    let url = format!("{}{target}", value(&lines[1], "base"));
    Http::default().send(Method::GET, &url, &[]).await
}

/// A session of the writer in a running embedded database.
async fn writer(data_dir: &Path) -> Client {
    let address = embedded::running_in(data_dir).await.expect("the folder can be read").expect("it runs");
    let config = address.connect("passbook_writer", "passbook");
    let (client, connection) = config.connect(NoTls).await.expect("the writer may log in");
    tokio::spawn(connection);
    client
}

#[tokio::test]
async fn the_embedded_database_keeps_its_data() {
    let place = Place::new();
    let person = Household::new().user;
    for round in 1..=2 {
        let mut server = Running::start(place.server(&[]));
        let lines = server.lines(3);
        assert_decided(&lines);
        assert_eq!(get(&lines, "/ready").await.ok()["status"], "ready");
        let writer = writer(&place.data_dir()).await;
        let stored = writer.query("select user_id from passbook.users", &[]).await.expect("people");
        let stored: Vec<uuid::Uuid> = stored.iter().map(|row| row.get(0)).collect();
        if round == 1 {
            assert!(stored.is_empty(), "nobody lives in a new database");
            let insert = "insert into passbook.users (user_id, email) values ($1, $2)";
            writer.execute(insert, &[&person.user_id, &person.email]).await.expect("room for one");
        } else {
            assert_eq!(stored, [person.user_id]);
        }
        drop(writer);
        let postgres = postgres_pid(&place.data_dir());
        let ended = server.stop("TERM");
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "round {round}: {}", ended.stderr);
        until_gone(postgres);
    }
}

#[tokio::test]
async fn a_folder_belongs_to_one_server_at_a_time() {
    let place = Place::new();
    let mut first = Running::start(place.server(&[]));
    let lines = first.lines(3);
    let second = run(place.server(&[]));
    assert_eq!((second.code, second.stdout.as_slice()), (Some(69), &[][..]), "{}", second.stderr);
    let sentence = format!("is in use by process {}", first.pid());
    assert!(second.stderr.contains(&sentence), "{}", second.stderr);
    assert!(second.stderr.contains("Stop that process first, or name another folder in PASSBOOK_DATA_DIR"));
    assert_eq!(get(&lines, "/ready").await.ok()["status"], "ready", "the first is not disturbed");

    // Killed, it leaves neither a PostgreSQL nor a folder that nobody may use.
    let postgres = postgres_pid(&place.data_dir());
    assert_eq!(first.stop("KILL").code, None);
    until_gone(postgres);
    let mut third = Running::start(place.server(&[]));
    assert_decided(&third.lines(3));
    assert_eq!(third.stop("TERM").code, Some(0));
}

#[test]
fn a_server_that_is_told_to_end_while_it_starts_leaves_nothing_half_made() {
    let place = Place::new();
    let first = Running::start(place.server(&[]));
    // It cannot have lines to say before the database is made, and from here on it is being made.
    while !place.data_dir().join("postgres").exists() {
        assert!(signal("0", first.pid()), "it ended by itself");
    }
    let ended = first.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let mut second = Running::start(place.server(&[]));
    assert_decided(&second.lines(3));
    assert_eq!(second.stop("TERM").code, Some(0));
}

#[tokio::test]
async fn a_database_of_the_operators_is_served_and_left_running() {
    let (place, database) = (Place::new(), Database::fresh().await);
    for _ in 0..2 {
        let mut server = place.server(&[]);
        server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
        let mut server = Running::start(server);
        let lines = server.lines(3);
        assert_decided(&lines);
        assert_eq!(get(&lines, "/ready").await.ok()["status"], "ready");
        assert_eq!(get(&lines, "/v1/me").await.status, 401);
        let ended = server.stop("TERM");
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "{}", ended.stderr);
    }
    assert!(!place.data_dir().exists(), "no embedded database is made");
    database.connect("postgres").await;
}

#[tokio::test]
async fn the_public_origin_is_what_the_lines_say() {
    let (place, database) = (Place::new(), Database::fresh().await);
    let mut server = place.server(&["--listen", "0.0.0.0:0", "--origin", "https://money.example"]);
    server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let mut server = Running::start(server);
    assert_eq!(
        server.lines(3)[1..],
        ["base    https://money.example/api", "mcp     https://money.example/api/mcp"]
    );
    assert!(signal("TERM", server.pid()));
    assert_eq!(server.end().code, Some(0));
}
