//! `backup` and `restore`: the same data in another database, consistent while rows change. `damaged.rs` has the files that
//! are rejected, and the transcript `development_backup` a backup of an older version.

mod damaged;

use std::sync::atomic::{AtomicBool, Ordering};

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_ingest::backup::{BackupFile, Manifest, Origin, create};
use passbook_ingest::load::{Options, load};
use passbook_records::Located;
use tests::admin::{Ended, admin, run};
use tests::app::{App, TODAY};
use tests::catalogue::listed;
use tests::database::{Database, execute, one};
use tests::temporary::Folder;
use tests::tenant_pair::Tenant;

/// Runs the program on a database as the superuser.
fn as_superuser(database: &Database, words: &[&str]) -> Ended {
    run(&[("PASSBOOK_ADMIN_DATABASE_URL", &database.url("postgres"))], words, "")
}

/// A database with the demo household, and a tenant with rows in every table.
async fn filled_database() -> (Database, Tenant) {
    let database = Database::fresh().await;
    let mut writer = database.connect(passbook_schema::WRITER).await;
    passbook_demo::install(&mut writer, TODAY).await.expect("the demo household is loaded");
    let tenant = Tenant::new("amaranth", 7, ExpenseCategory::Tobacco, IncomeCategory::Pension);
    let records = tenant.records().into_iter();
    let located: Vec<_> = records.map(|record| Ok(Located { place: "test".to_owned(), record })).collect();
    load(&mut writer, located.into_iter(), Options::default()).await.expect("the records are valid");
    let imported = tenant.import_rows();
    database.connect("postgres").await.batch_execute(&imported).await.expect("the rows fit the schema");
    (database, tenant)
}

/// Reads the manifest of a backup and checks the whole file.
fn manifest(path: &str) -> Manifest {
    let file = std::fs::File::open(path).expect("the backup exists");
    let backup = BackupFile::open(file).expect("a manifest");
    backup.verify().expect("the backup is complete");
    backup.manifest().clone()
}

/// The number of schemas of Passbook in a database.
async fn schemas(database: &Database) -> i64 {
    let query = "select count(*) from pg_namespace where nspname like 'passbook%'";
    let client = database.connect("postgres").await;
    one(&client, query).await
}

/// The status and the body of every operation for each token: without parameters, and with each example.
async fn replies(database: &Database, tokens: &[&str]) -> Vec<(String, u16, Vec<u8>)> {
    let app = App::start_on_day(database.clone(), TODAY).await;
    let mut replies = Vec::new();
    for token in tokens {
        for operation in listed() {
            let path = operation.spec.path;
            for query in operation.query_strings() {
                let target = format!("{path}{query}");
                let reply = app.get(&target, token).await;
                replies.push((target, reply.status.as_u16(), reply.body.to_vec()));
            }
        }
    }
    app.stop().await;
    replies
}

#[tokio::test]
async fn restored_database_gives_the_same_response_to_every_operation() {
    let (database, tenant) = filled_database().await;
    let app = App::start_on_day(database.clone(), TODAY).await;
    let demo_token = app.token(passbook_demo::USER_ID).await;
    app.stop().await;
    // The tokens are restored too: only the hash of a token is stored.
    let tokens = [demo_token.as_str(), tenant.token.as_str()];
    let before = replies(&database, &tokens).await;
    assert!(before.iter().all(|(target, status, _)| *status == 200 && !target.is_empty()), "{before:?}");

    let folder = Folder::create();
    let path = folder.file("money.passbook");
    let output = admin(&database, &["backup", &path]).done();
    let written = manifest(&path);
    for table in &written.tables {
        assert!(table.rows > 0, "the fixture must fill {}", table.name);
        let row = |line: &str| line.split_whitespace().eq([table.name.as_str(), &table.rows.to_string()]);
        assert!(output.lines().any(row), "{output}");
    }
    assert!(output.contains(&format!("schema version {}", passbook_schema::latest_version())), "{output}");
    assert!(
        !output.contains("categories\n") && !written.tables.iter().any(|table| table.name == "migrations")
    );

    let bare = Database::bare().await;
    let planned = as_superuser(&bare, &["restore", &path, "--dry-run"]);
    assert!(planned.stderr.contains("dry run: nothing was stored"), "{planned:?}");
    let planned = planned.done();
    assert_eq!(schemas(&bare).await, 0, "a dry run must not leave a schema");
    let restored = as_superuser(&bare, &["restore", &path]).done();
    assert_eq!((restored.as_str(), planned.as_str()), (output.as_str(), output.as_str()));
    assert!(replies(&bare, &tokens).await == before, "the restored database gives other responses");

    // A migrated database without rows needs no more than the writer.
    let empty = Database::fresh().await;
    admin(&empty, &["restore", &path]).done();
    assert_eq!(admin(&empty, &["derive", "--check"]).done(), "derived data are right\n");
    let again = folder.file("again.passbook");
    admin(&empty, &["backup", &again]).done();
    assert_eq!(manifest(&again).tables, written.tables, "a backup of the copy must have the same files");
}

/// Writes a backup through the library, and calls `between` after the first table.
async fn backup(database: &Database, between: &(dyn Fn() + Send + Sync)) -> Manifest {
    let called = AtomicBool::new(false);
    let progress = |_rows| {
        if !called.swap(true, Ordering::Relaxed) {
            between();
        }
    };
    let origin = Origin { program_version: "1.2.3", progress: Some(&progress) };
    let mut writer = database.connect(passbook_schema::WRITER).await;
    let spool = tempfile::tempfile().expect("a temporary file");
    let mut output = tempfile::tempfile().expect("a temporary file");
    let manifest = create(&mut writer, spool, &mut output, origin).await.expect("the backup is written");
    let read = BackupFile::open(output).expect("a manifest");
    read.verify().expect("the backup is complete");
    assert_eq!((read.manifest(), manifest.program_version.as_str()), (&manifest, "1.2.3"));
    manifest
}

#[tokio::test]
async fn backup_has_the_rows_of_one_snapshot_while_others_write() {
    let (database, tenant) = filled_database().await;
    let before = backup(&database, &|| ()).await;
    let changed = AtomicBool::new(false);
    let change = || {
        // The callback blocks the backup, so the change is committed between two tables of it.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(async {
                    let writer = database.connect(passbook_schema::WRITER).await;
                    let delete = "delete from passbook.users where user_id = $1";
                    let deleted = writer.execute(delete, &[&tenant.household.user.user_id]).await;
                    assert_eq!(deleted.expect("the user is deleted"), 1);
                    let insert = "insert into passbook.users (user_id, email) \
                                  values (gen_random_uuid(), 'late@example.org')";
                    execute(&writer, insert).await;
                });
            });
        });
        changed.store(true, Ordering::Relaxed);
    };
    let during = backup(&database, &change).await;
    assert!(changed.load(Ordering::Relaxed));
    assert_eq!(during.tables, before.tables, "the backup must not see the change");
    let after = backup(&database, &|| ()).await;
    assert_ne!(after.tables, before.tables, "the change must be in the next backup");
}

#[tokio::test]
async fn values_are_copied_exactly_whatever_the_session_settings_are() {
    let (database, _) = filled_database().await;
    let usual = backup(&database, &|| ()).await;
    let superuser = database.connect("postgres").await;
    let odd = "do $$ begin execute format('alter database %I set timezone = ''Asia/Kathmandu''', current_database()); \
               execute format('alter database %I set datestyle = ''German''', current_database()); \
               execute format('alter database %I set bytea_output = ''escape''', current_database()); end $$";
    execute(&superuser, odd).await;
    assert_eq!(backup(&database, &|| ()).await.tables, usual.tables);
}

#[tokio::test]
async fn every_table_is_in_the_backup_or_filled_by_migrations() {
    let database = Database::fresh().await;
    let folder = Folder::create();
    let path = folder.file("money.passbook");
    admin(&database, &["backup", &path]).done();
    let copied: Vec<String> = manifest(&path).tables.into_iter().map(|table| table.name).collect();
    let client = database.connect("postgres").await;
    let tables = "select tablename::text from pg_tables where schemaname = 'passbook' order by tablename";
    for row in client.query(tables, &[]).await.expect("the query runs") {
        let name: String = row.get(0);
        let count = format!("select count(*) from passbook.{name}");
        let is_filled = one::<i64>(&client, &count).await > 0;
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
    assert_eq!(one::<i64>(&client, sequences).await, 0);
}
