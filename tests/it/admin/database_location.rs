//! The location of the database: an unreachable server, and an embedded database that several processes use.

use std::path::Path;

use passbook_embedded::Embedded;
use tests::postgres::Postgres;
use tokio_postgres::NoTls;

use crate::outages::TIMEOUT;
use tests::admin::{run, start};

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

    private(&["migrate"]).done();
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
