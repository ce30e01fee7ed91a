//! A restored database gives the same responses as the original.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tests::app::{App, TODAY};
use tests::catalogue::listed;
use tests::database::Database;
use tests::http::query;

use super::{as_superuser, filled_database, manifest, path_in, schemas};
use crate::catalogue::text;
use tests::admin::{admin, run};

/// The status and the body of every operation for each token: without parameters, and with each example.
async fn replies(database: &Database, tokens: &[&str]) -> Vec<(String, u16, Vec<u8>)> {
    let app = App::start_on_day(database.clone(), TODAY).await;
    let mut replies = Vec::new();
    for token in tokens {
        for operation in listed() {
            let path = operation.spec.path;
            let examples = operation
                .parameters
                .iter()
                .map(|parameter| format!("{path}?{}", query(&[(parameter.name, &text(&parameter.example))])));
            for target in std::iter::once(path.to_owned()).chain(examples) {
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

    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
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
    assert!(replies(&empty, &tokens).await == before, "the restored database gives other responses");

    let again = path_in(folder.path(), "again.passbook");
    admin(&empty, &["backup", &again]).done();
    assert_eq!(manifest(&again).tables, written.tables, "a backup of the copy must have the same files");
}

#[tokio::test]
async fn backup_file_is_private_and_never_replaced_without_force() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
    let mode = |path: &str| Path::new(path).metadata().expect("a file").permissions().mode() & 0o777;
    let files = || folder.path().read_dir().expect("a folder").count();

    admin(&database, &["backup", &path]).done();
    assert_eq!((mode(&path), files()), (0o600, 1));
    let first = std::fs::read(&path).expect("a file");
    let message = admin(&database, &["backup", &path]).failed(64);
    assert!(message.contains(&path) && message.contains("--force"), "{message}");
    assert_eq!(std::fs::read(&path).expect("a file"), first);

    std::fs::write(&path, "something else").expect("the file is written");
    admin(&database, &["backup", &path, "--force"]).done();
    manifest(&path);
    assert_eq!((mode(&path), files()), (0o600, 1));

    let message = admin(&database, &["backup", "/nowhere/money.passbook"]).failed(64);
    assert!(message.contains("/nowhere/money.passbook cannot be written"), "{message}");
    // The database is gone before the file has its name: nothing is left of the file.
    let gone = run(
        &[("PASSBOOK_ADMIN_DATABASE_URL", &format!("{}_gone", database.url("passbook_writer")))],
        &["backup", &path_in(folder.path(), "other.passbook")],
        "",
    );
    gone.failed(64);
    assert_eq!(files(), 1);
}

#[tokio::test]
async fn backup_of_the_embedded_database_is_restored_into_a_new_data_folder() {
    let folder = tests::temporary::folder();
    let [first, second] = ["first", "second"].map(|name| path_in(folder.path(), name));
    let path = path_in(folder.path(), "money.passbook");
    let in_folder = |data: &str, words: &[&str]| run(&[("PASSBOOK_DATA_DIR", data)], words, "");

    let message = in_folder(&first, &["backup", &path]).failed(64);
    assert!(message.contains("`passbook-admin migrate`"), "{message}");
    in_folder(&first, &["migrate"]).done();
    in_folder(&first, &["user", "create", "--email", "ada@example.org"]).done();
    let people = in_folder(&first, &["user", "list"]).done();
    in_folder(&first, &["backup", &path]).done();

    in_folder(&second, &["restore", &path, "--dry-run"]).done();
    assert!(!Path::new(&second).exists(), "a dry run must not create a database");
    in_folder(&second, &["restore", &path]).done();
    assert_eq!(in_folder(&second, &["user", "list"]).done(), people);
    let message = in_folder(&second, &["restore", &path]).failed(64);
    assert!(message.contains("rows in users") && message.contains("PASSBOOK_DATA_DIR"), "{message}");
}
