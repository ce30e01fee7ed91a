//! `user create`, `user list`, `user show` and `user rename`.

use tests::database::Database;

use tests::admin::{admin, admin_with_input, number};

const BUNDLE: &str = include_str!("../../../crates/formats/data/example_bundle.json");
const LEDGER: &str = "\
2026-01-01 open Assets:Hanse:Checking EUR
2026-01-01 open Expenses:Food:Groceries EUR
2026-01-05 * \"REWE\" \"Food\"
  Expenses:Food:Groceries  12.34 EUR
  Assets:Hanse:Checking
";
const USERS: &str = "select count(*) from passbook.users";

#[tokio::test]
async fn user_is_created_and_listed() {
    let database = Database::fresh().await;
    let id = admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let id = id.trim();
    assert_eq!(
        id.parse::<uuid::Uuid>().expect("an identifier"),
        passbook_formats::id::user("ada@example.org")
    );
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
async fn user_show_prints_settings_and_the_number_of_rows() {
    let database = Database::fresh().await;
    admin_with_input(&database, &["load", "-", "--with-credentials"], BUNDLE).done();
    let shown = admin(&database, &["user", "show", "ADA@example.org"]).done();
    let values: Vec<(&str, &str)> =
        shown.lines().map(|line| line.split_once("  ").expect("a name and a value")).collect();
    let value = |name: &str| {
        let found = values.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("no {name}: {shown}")).1.trim()
    };
    for (name, expected) in [
        ("id", "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11"),
        ("email", "ada@example.org"),
        ("currency", "EUR"),
        ("time zone", "Europe/Paris"),
        ("excluded", "VACATION"),
        ("accounts", "1"),
        ("tokens", "0 active, 0 expired, 1 revoked"),
        ("sources", "none"),
    ] {
        assert_eq!(value(name), expected, "{name}: {shown}");
    }
    let query = "select concat_ws(' ', count(*), min(date), max(date)) from passbook.transactions";
    let writer = database.connect("passbook_writer").await;
    let expected: String = writer.query_one(query, &[]).await.expect("the query runs").get(0);
    let found = ["transactions", "first day", "last day"].map(value).join(" ");
    assert_eq!(found, expected);

    admin(&database, &["user", "create", "--email", "bo@example.org"]).done();
    let shown = admin(&database, &["user", "show", "bo@example.org"]).done();
    assert!(shown.contains("\ntransactions  0\nfirst day\n"), "{shown}");
    let message = admin(&database, &["user", "show", "nobody@example.org"]).failed(65);
    assert!(message.starts_with("EMAIL: must be the e-mail address of a user"), "{message}");
}

#[tokio::test]
async fn renamed_user_keeps_the_id_and_the_rows() {
    let database = Database::fresh().await;
    let id = admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let folder = tests::temporary::folder();
    let ledger = tests::admin::file(folder.path(), "books.beancount", LEDGER);
    let import = |email: &str| admin(&database, &["import", "beancount", &ledger, "--user", email]).done();
    import("ada@example.org");

    let rename = ["user", "rename", "Ada@example.org", "--email", "ada@example.net"];
    admin(&database, &[&rename[..], &["--dry-run"]].concat()).done();
    admin(&database, &["user", "show", "ada@example.org"]).done();
    let renamed = admin(&database, &rename).done();
    assert!(renamed.contains("ada@example.net") && renamed.contains(id.trim()), "{renamed}");
    admin(&database, &["user", "show", "ada@example.org"]).failed(65);
    assert!(admin(&database, &["user", "show", "ada@example.net"]).done().contains(id.trim()));

    let again = import("ada@example.net");
    let row = again.lines().find(|line| line.starts_with("transactions")).expect("a line for each table");
    let counts: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(counts[1..4], ["0", "0", "1"], "the import must find the same rows: {row}");
}

#[tokio::test]
async fn address_of_a_renamed_user_is_valid_and_unique() {
    let database = Database::fresh().await;
    for email in ["ada@example.org", "bo@example.org"] {
        admin(&database, &["user", "create", "--email", email]).done();
    }
    let rename = |email: &str| admin(&database, &["user", "rename", "ada@example.org", "--email", email]);
    let message = rename("BO@example.org").failed(65);
    assert_eq!(message, "email: must not be the address of another user; received BO@example.org\n");
    assert_eq!(rename("ada").failed(65), "email: must be an e-mail address; received ada\n");
    let message =
        admin(&database, &["user", "rename", "x@example.org", "--email", "y@example.org"]).failed(65);
    assert!(message.starts_with("EMAIL: must be the e-mail address of a user"), "{message}");
    rename("Ada@Example.org").done();
    assert!(admin(&database, &["user", "list"]).done().contains("Ada@Example.org"));
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
