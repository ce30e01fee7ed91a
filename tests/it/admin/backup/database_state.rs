//! The databases and roles that `backup` and `restore` accept.

use tests::database::Database;

use super::{as_superuser, filled_database, manifest, path_in, schemas};
use tests::admin::{admin, number, run};

const USER: &str =
    "insert into passbook.users (user_id, email) values (gen_random_uuid(), 'ada@example.org')";

#[tokio::test]
async fn database_with_rows_is_rejected_and_keeps_them() {
    let (database, _) = filled_database().await;
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
    admin(&database, &["backup", &path]).done();

    let users = "select count(*) from passbook.users";
    let occupied = Database::fresh().await;
    let writer = occupied.connect(passbook_schema::WRITER).await;
    let client = "insert into passbook.oauth_clients (client_id, kind, name, scopes) values ('x', 'known_mcp', 'x', '{}')";
    writer.batch_execute(&format!("{USER}; {client}")).await.expect("the rows are stored");
    let message = as_superuser(&occupied, &["restore", &path]).failed(64);
    assert!(message.contains("the database has rows in oauth_clients, users"), "{message}");
    assert_eq!(number(&occupied, users).await, 1);

    // The base currency of the rates is a default, which the backup replaces.
    let other_base = Database::fresh().await;
    let writer = other_base.connect(passbook_schema::WRITER).await;
    writer
        .batch_execute("update passbook.base_currency set currency = 'USD'")
        .await
        .expect("the base is stored");
    admin(&other_base, &["restore", &path]).done();
    let base = "select count(*) from passbook.base_currency where currency = 'EUR'";
    assert_eq!((number(&other_base, base).await, number(&other_base, users).await), (1, 2));
}

#[tokio::test]
async fn role_from_which_rows_may_be_hidden_makes_no_backup() {
    let (database, _) = filled_database().await;
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
    let superuser = database.connect("postgres").await;
    let backup =
        |role: &str| run(&[("PASSBOOK_ADMIN_DATABASE_URL", &database.url(role))], &["backup", &path], "");

    assert!(backup(passbook_schema::READER).failed(64).contains("lacks a permission"));
    let auditor = "create role auditor login; grant usage on schema passbook to auditor; \
                   grant select on all tables in schema passbook to auditor";
    superuser.batch_execute(auditor).await.expect("a superuser can create a role");
    let message = backup("auditor").failed(64);
    let hidden = "row-level security may hide rows of account_reconciliations, accounts, balance_snapshots, bank_connections";
    assert!(message.contains(hidden) && message.contains("passbook_writer"), "{message}");
    assert!(
        !message.contains("exchange_rates"),
        "a table without row-level security shows all rows: {message}"
    );

    let policies = [
        (
            "create policy narrow on passbook.budgets as restrictive to passbook_writer using (category <> 'BOOKS')",
            "drop policy narrow on passbook.budgets",
        ),
        (
            "create policy narrow on passbook.budgets as restrictive for select to public using (category <> 'BOOKS')",
            "drop policy narrow on passbook.budgets",
        ),
        (
            "alter policy writer on passbook.budgets using (category <> 'BOOKS')",
            "alter policy writer on passbook.budgets using (true)",
        ),
        (
            "alter policy writer on passbook.budgets to passbook_reader",
            "alter policy writer on passbook.budgets to passbook_writer",
        ),
    ];
    for (change, undo) in policies {
        superuser.batch_execute(change).await.expect("a superuser can change the policies");
        let message = backup(passbook_schema::WRITER).failed(64);
        assert!(
            message.starts_with("row-level security may hide rows of budgets from the role"),
            "{change}: {message}"
        );
        superuser.batch_execute(undo).await.expect("a superuser can change the policies");
    }
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "no file may be left");

    // A role without policies of its own is enough if row-level security does not apply to it.
    superuser.batch_execute("alter role auditor bypassrls").await.expect("a superuser can change the role");
    backup("auditor").done();
    let by_auditor = manifest(&path);
    superuser.batch_execute("drop owned by auditor; drop role auditor").await.expect("the role is dropped");
    std::fs::remove_file(&path).expect("the file exists");
    backup("postgres").done();
    assert_eq!(manifest(&path).tables, by_auditor.tables);
}

#[tokio::test]
async fn database_without_known_schema_makes_no_backup() {
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
    let bare = Database::bare().await;
    assert!(as_superuser(&bare, &["backup", &path]).failed(64).contains("has no Passbook schema"));
    assert_eq!(schemas(&bare).await, 0);
    let newer = Database::fresh().await;
    let client = newer.connect("postgres").await;
    let record = "insert into passbook.migrations (version, name, sha256) values (999, 'later', '')";
    client.batch_execute(record).await.expect("a superuser can run the statement");
    for command in ["backup", "restore"] {
        if command == "restore" {
            admin(&Database::fresh().await, &["backup", &path]).done();
        }
        let message = as_superuser(&newer, &[command, &path]).failed(64);
        assert!(message.contains("version 999, ahead of"), "{message}");
    }
}

#[tokio::test]
async fn every_table_is_in_the_backup_or_filled_by_migrations() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
    admin(&database, &["backup", &path]).done();
    let copied: Vec<String> = manifest(&path).tables.into_iter().map(|table| table.name).collect();
    let client = database.connect("postgres").await;
    let tables = "select tablename::text from pg_tables where schemaname = 'passbook' order by tablename";
    for row in client.query(tables, &[]).await.expect("the query runs") {
        let name: String = row.get(0);
        let count = format!("select count(*) from passbook.{name}");
        let is_filled = client.query_one(&count, &[]).await.expect("the query runs").get::<_, i64>(0) > 0;
        let is_copied = copied.contains(&name);
        // Triggers derive these rows again when the others are restored.
        let is_derived = ["totals", "_state", "_states", "_bounds"].iter().any(|end| name.ends_with(end));
        assert!(!is_derived || !is_copied, "{name} is derived");
        // A restore replaces the default of the base currency, and creates other rows of migrations by migrating.
        assert!(
            is_copied != is_filled || name == "base_currency" || is_derived,
            "{name}: copied {is_copied}, filled {is_filled}"
        );
    }
    // A backup has the values of rows, not the state of a sequence.
    let sequences = "select count(*) from pg_sequences where schemaname in ('passbook', 'passbook_read')";
    assert_eq!(number(&database, sequences).await, 0);
}
