//! A restored database gives the same responses as the original.

use tests::app::{App, TODAY};
use tests::catalogue::listed;
use tests::database::Database;
use tests::http::query;

use super::{as_superuser, filled_database, manifest, path_in, schemas};
use crate::rest::catalogue::text;
use tests::admin::admin;

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
    assert_eq!(admin(&empty, &["derive", "--check"]).done(), "derived data are right\n");
    let again = path_in(folder.path(), "again.passbook");
    admin(&empty, &["backup", &again]).done();
    assert_eq!(manifest(&again).tables, written.tables, "a backup of the copy must have the same files");
}
