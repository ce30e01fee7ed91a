//! `migrate`, and the rejection of a schema of another version by every other command.

use tests::database::Database;

use tests::admin::{Ended, admin, run};

fn as_superuser(database: &Database, arguments: &[&str]) -> Ended {
    run(&[("PASSBOOK_ADMIN_DATABASE_URL", &database.url("postgres"))], arguments, "")
}

async fn schemas(database: &Database) -> i64 {
    let client = database.connect("postgres").await;
    let query = "select count(*) from pg_namespace where nspname like 'passbook%'";
    client.query_one(query, &[]).await.expect("the query runs").get(0)
}

#[tokio::test]
async fn empty_database_is_migrated_once() {
    let database = Database::bare().await;
    let latest = passbook_schema::latest_version();
    assert!(as_superuser(&database, &["user", "list"]).failed(64).contains("`passbook-admin migrate`"));

    let planned = as_superuser(&database, &["migrate", "--dry-run"]).done();
    assert!(planned.ends_with(&format!("schema version 0, to become {latest}\n")), "{planned}");
    assert_eq!(
        planned.lines().filter(|line| line.starts_with("to apply")).count(),
        passbook_schema::MIGRATIONS.len()
    );
    assert_eq!(schemas(&database).await, 0);

    let done = as_superuser(&database, &["migrate"]).done();
    assert!(done.ends_with(&format!("schema version {latest}, was 0\n")), "{done}");
    assert_eq!(schemas(&database).await, 2);
    let again = as_superuser(&database, &["migrate"]).done();
    assert_eq!(
        again.lines().nth(1),
        Some(format!("schema version {latest}, up to date").as_str()),
        "{again}"
    );
    assert!(again.starts_with("data in database \"") && again.lines().count() == 2, "{again}");
    as_superuser(&database, &["user", "list"]).done();
}

#[tokio::test]
async fn newer_schema_is_rejected() {
    let database = Database::fresh().await;
    let client = database.connect("postgres").await;
    let newer = "insert into passbook.migrations (version, name, sha256) values (999, 'later', '')";
    client.batch_execute(newer).await.expect("a superuser can run the statement");
    for words in [&["user", "list"][..], &["migrate"], &["migrate", "--dry-run"]] {
        let message = as_superuser(&database, words).failed(64);
        assert!(message.contains("version 999, ahead of"), "{message}");
    }
}

#[tokio::test]
async fn older_or_edited_schema_is_rejected() {
    let database = Database::fresh().await;
    let client = database.connect("postgres").await;
    let newest = passbook_schema::latest_version();
    let edit = "update passbook.migrations set sha256 = 'x' where version = $1";
    client.execute(edit, &[&newest]).await.expect("a superuser can run the statement");
    assert!(admin(&database, &["user", "list"]).failed(64).contains("differs"));
    client
        .execute("delete from passbook.migrations where version = $1", &[&newest])
        .await
        .expect("a superuser can run the statement");
    let message = admin(&database, &["user", "list"]).failed(64);
    assert!(message.contains("behind") && message.contains("`passbook-admin migrate`"), "{message}");
}

#[tokio::test]
async fn superuser_acts_as_the_writer_role_and_reader_cannot_write() {
    let database = Database::fresh().await;
    // The denied right shows that the command ran as the writer role.
    let client = database.connect("postgres").await;
    client
        .batch_execute("revoke insert on passbook.users from passbook_writer")
        .await
        .expect("a superuser can run the statement");
    let message = as_superuser(&database, &["user", "create", "--email", "ada@example.org"]).failed(64);
    assert!(message.contains("permission denied") && message.contains("passbook_writer"), "{message}");

    let url = database.url("passbook_reader");
    let message = run(&[("PASSBOOK_ADMIN_DATABASE_URL", &url)], &["user", "list"], "").failed(64);
    assert!(message.contains("permission denied"), "{message}");
}
