//! Starting, using, stopping and restarting a server.

use passbook_embedded::{ensure_database, running_in};

use super::{config, folder, is_alive, postmaster, query_text, session, start};

#[tokio::test]
async fn data_survives_a_restart_and_running_in_finds_the_server() {
    let folder = folder();
    assert!(running_in(folder.path()).await.expect("nothing there").is_none());

    let first = start(folder.path()).await;
    let found = running_in(folder.path()).await.expect("readable").expect("it runs");
    assert_eq!(&found, first.address());
    let client = session(&found, "postgres").await;
    client.batch_execute("create table kept as select 'still here' as word").await.expect("a table");
    first.stop().await.expect("a clean end");
    assert!(!folder.path().join("postgres/address").exists());
    assert!(running_in(folder.path()).await.expect("readable").is_none());

    let second = start(folder.path()).await;
    let client = session(second.address(), "postgres").await;
    assert_eq!(query_text(&client, "select word from kept").await, "still here");
    second.stop().await.expect("a clean end");
}

#[tokio::test]
async fn drop_stops_the_server_before_it_returns() {
    let folder = folder();
    let server = start(folder.path()).await;
    let pid = postmaster(folder.path());
    assert!(is_alive(&pid));
    drop(server);
    assert!(!is_alive(&pid));
    assert!(running_in(folder.path()).await.expect("readable").is_none());
}

#[tokio::test]
async fn server_is_private_and_uses_utc() {
    let folder = folder();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    for (setting, expected) in [
        ("listen_addresses", ""),
        ("unix_socket_permissions", "0700"),
        ("server_encoding", "UTF8"),
        ("lc_messages", "C"),
        ("timezone", "UTC"),
        ("fsync", "off"),
    ] {
        assert_eq!(query_text(&client, &format!("show {setting}")).await, expected, "{setting}");
    }
    let collation = "select datcollate::text from pg_database where datname = 'template0'";
    assert_eq!(query_text(&client, collation).await, "C");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn durable_server_writes_through() {
    let folder = folder();
    let mut config = config(folder.path());
    config.durable = true;
    let server = passbook_embedded::Embedded::start(config).await.expect("a server");
    let client = session(server.address(), "postgres").await;
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(query_text(&client, &format!("show {setting}")).await, "on", "{setting}");
    }
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn server_does_not_inherit_our_environment() {
    // Cargo sets this variable for every test. It stands for the secrets of a process.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "run by cargo");
    let folder = folder();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    client.batch_execute("create table environment (line text)").await.expect("a table");
    client.batch_execute("copy environment from program 'env'").await.expect("its environment");
    let names = query_text(&client, "select string_agg(line, ' ') from environment").await;
    assert!(names.contains("PATH=") && !names.contains("CARGO"), "{names}");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn server_does_not_run_as_root() {
    let folder = folder();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    client.batch_execute("create table numbers (line text)").await.expect("a table");
    client.batch_execute("copy numbers from program 'id -u; id -G'").await.expect("its numbers");
    let numbers = query_text(&client, "select string_agg(line, ' ') from numbers").await;
    assert!(numbers.split(' ').count() >= 2 && numbers.split(' ').all(|number| number != "0"), "{numbers}");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn concurrent_creations_of_a_database_succeed() {
    let folder = folder();
    let server = start(folder.path()).await;
    let name = "house \"hold\"; --";
    let all = (0..4).map(|_| {
        let address = server.address().clone();
        tokio::spawn(async move { ensure_database(&address, name).await })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.expect("no panic").expect("created, or found");
    }
    ensure_database(server.address(), name).await.expect("found");
    let client = session(server.address(), name).await;
    assert_eq!(query_text(&client, "select current_database()::text").await, name);
    server.stop().await.expect("a clean end");
}
