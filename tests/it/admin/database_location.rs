//! The location of the database: settings, an unreachable server, and the embedded database.

use std::path::Path;

use passbook_embedded::Embedded;
use tests::database::Database;
use tests::postgres::Postgres;
use tokio_postgres::NoTls;

use crate::outages::TIMEOUT;
use tests::admin::{file, run, start};

#[tokio::test]
async fn database_is_read_from_the_settings_file() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let text =
        format!("admin_database_url = \"{}\"\nlisten = \"127.0.0.1:0\"\n", database.url("passbook_writer"));
    let path = file(folder.path(), "config.toml", &text);
    run(&[], &["user", "create", "--email", "ada@example.org", "--config", &path], "").done();

    std::fs::create_dir(folder.path().join("passbook")).expect("the folder is created");
    file(&folder.path().join("passbook"), "config.toml", &text);
    let home = folder.path().to_str().expect("UTF-8");
    assert!(run(&[("XDG_CONFIG_HOME", home)], &["user", "list"], "").done().contains("ada@example.org"));
}

#[tokio::test]
async fn several_hosts_lead_to_the_primary_also_after_a_failover() {
    let mut primary = Postgres::start("").await;
    let standby = primary.standby().await;
    // The order of the hosts has no meaning, so the standby comes first.
    let url = format!("postgresql://passbook_writer@{},{}/money", standby.host(), primary.host());
    let admin = |words: &[&str]| run(&[("PASSBOOK_ADMIN_DATABASE_URL", url.as_str())], words, "");
    admin(&["user", "create", "--email", "ada@example.org"]).done();
    assert!(admin(&["user", "list"]).done().contains("ada@example.org"));
    let session = standby.session("postgres").await;
    let replayed = async {
        let people = "select count(*) from passbook.users";
        while session.query_one(people, &[]).await.expect("the query runs").get::<_, i64>(0) == 0 {}
    };
    tokio::time::timeout(TIMEOUT, replayed).await.expect("the standby follows");
    drop(session);

    primary.kill();
    let message = admin(&["user", "list"]).failed(69);
    assert!(message.contains("PASSBOOK_ADMIN_DATABASE_URL"), "{message}");
    let cluster = standby.cluster();
    standby.run("pg_ctl", &["promote", "-D", cluster.to_str().expect("UTF-8")]);
    assert!(admin(&["user", "list"]).done().contains("ada@example.org"));
    admin(&["user", "create", "--email", "bea@example.org"]).done();
}

#[tokio::test]
async fn invalid_settings_are_listed_without_secrets() {
    let folder = tests::temporary::folder();
    let path = file(folder.path(), "config.toml", "data_dir = 3\nno_download = \"perhaps\"\n");
    let message = run(&[], &["user", "list", "--config", &path], "").failed(64);
    assert_eq!(message.lines().count(), 2, "{message}");
    let url = [("PASSBOOK_ADMIN_DATABASE_URL", "postgresql://operator:hunter2@db:port/x")];
    let message = run(&url, &["user", "list"], "").failed(64);
    assert!(message.contains("PASSBOOK_ADMIN_DATABASE_URL") && !message.contains("hunter2"), "{message}");
    assert!(
        run(&[], &["user", "list", "--config", "/nowhere.toml"], "").failed(64).contains("/nowhere.toml")
    );
}

#[tokio::test]
async fn migrate_prints_the_location_of_the_data() {
    let database = Database::bare().await;
    let url = database.url("postgres");
    let address = passbook_store::DatabaseAddress::of(&url.parse().expect("the URL is valid"));
    let location = format!("data in database \"{}\" on {}", address.database(), address.hosts());
    let folder = tests::temporary::folder();
    let data_dir = folder.path().to_str().expect("UTF-8");
    let xdg_folder = tests::temporary::folder();
    let xdg = xdg_folder.path().to_str().expect("UTF-8");
    let in_folder = |folder: &str| format!("data in {folder} (embedded database)");
    for (environment, location) in [
        (("PASSBOOK_ADMIN_DATABASE_URL", url.as_str()), location),
        (("PASSBOOK_DATA_DIR", data_dir), in_folder(data_dir)),
        // Every account honours the variable, root too.
        (("XDG_DATA_HOME", xdg), in_folder(&format!("{xdg}/passbook"))),
    ] {
        for words in [&["migrate", "--dry-run"][..], &["migrate"]] {
            let printed = run(&[environment], words, "").done();
            assert_eq!(printed.lines().next(), Some(location.as_str()), "{words:?}: {printed}");
        }
    }
}

/// Starts an embedded PostgreSQL in a folder, as another process would.
async fn server_in(folder: &Path) -> Embedded {
    let server = Embedded::start(tests::postgres_programs::config(folder.to_owned()));
    server.await.expect("PostgreSQL starts")
}

#[tokio::test]
async fn embedded_database_is_started_for_a_command_or_used_if_running() {
    let folder = tests::temporary::folder();
    let data_dir = folder.path().to_str().expect("UTF-8");
    let private = |words: &[&str]| run(&[("PASSBOOK_DATA_DIR", data_dir)], words, "");

    let message = private(&["user", "list"]).failed(64);
    assert!(message.contains(data_dir) && message.contains("`passbook-admin migrate`"), "{message}");
    private(&["migrate", "--dry-run"]).done();
    assert!(!folder.path().join("postgres").exists(), "a dry run must not make a database");
    assert!(private(&["migrate"]).done().contains("was 0"));
    private(&["user", "create", "--email", "ada@example.org"]).done();

    // The start succeeds only if each command has stopped the database.
    let server = server_in(folder.path()).await;
    assert!(
        private(&["user", "list"]).done().contains("ada@example.org"),
        "the command must use the running server"
    );
    private(&["token", "create", "--user", "ada@example.org", "--name", "laptop"]).done();
    assert!(private(&["token", "list"]).done().contains("laptop"));
    server.stop().await.expect("the server stops");
}

#[tokio::test]
async fn concurrent_commands_share_the_embedded_database() {
    let folder = tests::temporary::folder();
    let data_dir = folder.path().to_str().expect("UTF-8");
    let private = |words: &[&str]| run(&[("PASSBOOK_DATA_DIR", data_dir)], words, "");
    private(&["migrate"]).done();
    let addresses = ["ada@example.org", "bea@example.org", "cem@example.org"];
    std::thread::scope(|scope| {
        let runs =
            addresses.map(|email| scope.spawn(move || private(&["user", "create", "--email", email]).done()));
        for run in runs {
            run.join().expect("the command exits with 0");
        }
    });
    let people = private(&["user", "list"]).done();
    assert!(addresses.iter().all(|email| people.contains(email)), "{people}");
}

#[tokio::test]
async fn command_reports_the_loss_of_a_server_that_another_process_stops() {
    let folder = tests::temporary::folder();
    let environment = [("PASSBOOK_DATA_DIR", folder.path().to_str().expect("UTF-8"))];
    run(&environment, &["migrate"], "").done();
    let server = server_in(folder.path()).await;
    let loading = start(&environment, &["load", "-"]);
    let superuser = server.address().connect(passbook_embedded::SUPERUSER, "passbook").connect(NoTls).await;
    let (client, connection) = superuser.expect("the superuser connects");
    let connection = tokio::spawn(connection);
    // The command waits for standard input after it has connected.
    let at_work = "select count(*) from pg_stat_activity where usename = 'passbook_writer'";
    while client.query_one(at_work, &[]).await.expect("the query runs").get::<_, i64>(0) == 0 {}
    drop(client);
    connection
        .await
        .expect("the connection ends without a panic")
        .expect("the connection ends without an error");
    server.stop().await.expect("the server stops");
    let message = loading.with_input(r#"{ "format": "passbook-bundle", "version": 1 }"#).failed(69);
    assert!(message.contains("run the command again"), "{message}");
}
