//! `user create` and `user list`.

use tests::database::Database;

use super::program::{admin, number};

const USERS: &str = "select count(*) from passbook.users";

#[tokio::test]
async fn user_is_created_and_listed() {
    let database = Database::fresh().await;
    let id = admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let id = id.trim();
    assert_eq!(id.parse::<uuid::Uuid>().expect("an identifier"), formats::id::user("ada@example.org"));
    let given = "00000000-0000-4000-8000-00000000000a";
    let words =
        ["user", "create", "--email", "bo@example.org", "--currency", "USD", "--time-zone", "Asia/Tokyo"];
    assert_eq!(admin(&database, &[&words[..], &["--id", given]].concat()).done().trim(), given);

    let listed = admin(&database, &["user", "list"]).done();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 3, "{listed}");
    assert!(lines[1].starts_with(id) && lines[1].contains("EUR") && lines[1].contains("UTC"));
    assert!(lines[2].starts_with(given) && lines[2].contains("USD") && lines[2].contains("Asia/Tokyo"));
}

#[tokio::test]
async fn user_create_dry_run_stores_nothing() {
    let database = Database::fresh().await;
    let ended = admin(&database, &["user", "create", "--email", "ada@example.org", "--dry-run"]);
    assert_eq!(ended.stderr, "dry run: nothing was stored\n");
    ended.done();
    assert_eq!(number(&database, USERS).await, 0);
}

#[tokio::test]
async fn user_create_reports_all_faults_on_a_line_each() {
    let database = Database::fresh().await;
    let message = admin(&database, &["user", "create", "--email", "ada", "--time-zone", "CEST"]).failed(65);
    assert_eq!(
        message,
        "email: must be an e-mail address; received ada\n\
         time zone: must be the name of an IANA time zone, such as Europe/Paris; received CEST\n"
    );
    assert_eq!(number(&database, USERS).await, 0);
}

#[tokio::test]
async fn address_and_identifier_of_a_user_are_unique() {
    let database = Database::fresh().await;
    let id = admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let message = admin(&database, &["user", "create", "--email", "ADA@example.org"]).failed(65);
    assert_eq!(message, "email: must not be the address of another user; received ADA@example.org\n");
    let words = ["user", "create", "--email", "bo@example.org", "--id", id.trim()];
    let message = admin(&database, &words).failed(65);
    assert_eq!(message, format!("id: must not be the identifier of another user; received {}\n", id.trim()));
    assert_eq!(number(&database, USERS).await, 1);
}

#[tokio::test]
async fn address_is_unique_without_case_in_any_script() {
    let database = Database::fresh().await;
    let id = admin(&database, &["user", "create", "--email", "É@x.org"]).done();
    let message = admin(&database, &["user", "create", "--email", "é@x.org"]).failed(65);
    assert_eq!(message, "email: must not be the address of another user; received é@x.org\n");
    assert!(admin(&database, &["token", "list", "--user", "é@x.org"]).done().lines().count() <= 1);
    // The first user changes the address, but keeps the identifier that is derived from it.
    let moved = format!("update passbook.users set email = 'new@x.org' where user_id = '{}'", id.trim());
    database.connect("passbook_writer").await.batch_execute(&moved).await.expect("the address is changed");
    let message = admin(&database, &["user", "create", "--email", "é@x.org"]).failed(65);
    assert!(message.starts_with("email: must be given with an identifier"), "{message}");
    let given = "00000000-0000-4000-8000-00000000000a";
    admin(&database, &["user", "create", "--email", "é@x.org", "--id", given]).done();
    assert_eq!(number(&database, USERS).await, 2);
}

#[tokio::test]
async fn wrong_usage_prints_a_hint_and_changes_nothing() {
    let database = Database::fresh().await;
    for words in [
        &["user", "create"][..],
        &["user", "create", "--email", "a@b.example", "--currency", "euro"],
        &["user", "remove"],
        &[],
    ] {
        let message = admin(&database, words).failed(64);
        assert!(message.contains("--help"), "{message}");
    }
    assert!(admin(&database, &["--version"]).done().starts_with("passbook-admin "));
    assert_eq!(number(&database, USERS).await, 0);
}
