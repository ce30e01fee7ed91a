//! No command repeats a token, in any position of the command line.

use passbook_auth::personal_access_token::{DEFAULT_PREFIX, PlainToken};
use tests::database::Database;

use tests::admin::{admin, file, number};

const USER: &str = "ada@example.org";
const ID: &str = "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d";

/// The command lines with a token in place of TOKEN.
const LINES: &[&[&str]] = &[
    &["TOKEN"],
    &["TOKEN", "list"],
    &["user", "TOKEN"],
    &["user", "create", "--email", "TOKEN"],
    &["user", "create", "--email", "TOKEN@example.org"],
    &["user", "create", "--email", "x@example.org", "--time-zone", "TOKEN"],
    &["user", "create", "--email", "x@example.org", "--currency", "TOKEN"],
    &["user", "create", "--email", "x@example.org", "--id", "TOKEN"],
    &["user", "list", "--output", "TOKEN"],
    &["user", "list", "--TOKEN"],
    &["user", "list", "TOKEN"],
    &["user", "show", "TOKEN"],
    &["user", "rename", "TOKEN", "--email", "x@example.org"],
    &["user", "rename", USER, "--email", "TOKEN"],
    &["user", "rename", USER, "--email", "TOKEN@example.org"],
    &["user", "delete", "TOKEN"],
    &["user", "delete", "TOKEN", "--yes"],
    &["account", "list", "--user", "TOKEN"],
    &["account", "show", "TOKEN"],
    &["account", "show", ID, "--user=TOKEN"],
    &["token", "create", "--user", "TOKEN", "--name", "n"],
    &["token", "create", "--user", USER, "--name", "TOKEN"],
    &["token", "create", "--user", USER, "--name", "n", "--scopes", "banks:read,TOKEN"],
    &["token", "create", "--user", USER, "--name", "n", "--surfaces", "TOKEN"],
    &["token", "create", "--user", USER, "--name", "n", "--expires-in-days", "TOKEN"],
    &["token", "list", "--user", "TOKEN"],
    &["token", "rotate", "TOKEN"],
    &["token", "revoke", "TOKEN"],
    &["token", "revoke", "-", "TOKEN"],
    &["client", "create", "--id", "TOKEN", "--kind", "known_mcp", "--name", "n", "--scopes", "banks:read"],
    &["client", "create", "--id", "c", "--kind", "TOKEN", "--name", "n", "--scopes", "banks:read"],
    &["client", "create", "--id", "c", "--kind", "known_mcp", "--name", "TOKEN", "--scopes", "banks:read"],
    &["client", "create", "--id", "c", "--kind", "known_mcp", "--name", "n", "--scopes", "TOKEN"],
    &[
        "client",
        "create",
        "--id",
        "c",
        "--kind",
        "personal_dashboard",
        "--name",
        "n",
        "--scopes",
        "banks:read",
        "--owner",
        "TOKEN",
    ],
    &[
        "client",
        "create",
        "--id",
        "c",
        "--kind",
        "known_mcp",
        "--name",
        "n",
        "--scopes",
        "banks:read",
        "--redirect-uri",
        "https://a.example/TOKEN",
    ],
    &["client", "revoke", "TOKEN"],
    &["consent", "list", "--user", "TOKEN"],
    &["consent", "revoke", "TOKEN", "--user", USER],
    &["consent", "revoke", "c", "--user", "TOKEN"],
    &["session", "list", "--user", "TOKEN"],
    &["session", "revoke", "TOKEN", "--user", USER],
    &["session", "revoke", "s", "--user", "TOKEN"],
    &["rates", "load", "TOKEN"],
    &["load", "TOKEN"],
    &["load", "/tmp/TOKEN.json"],
    &["import", "TOKEN"],
    &["import", "beancount", "TOKEN", "--user", USER],
    &["import", "beancount", "LEDGER", "--user", "TOKEN"],
    &["import", "beancount", "LEDGER", "--user", USER, "--map", "TOKEN"],
    &["import", "beancount", "LEDGER", "--user", USER, "--ledger", "TOKEN"],
    &["backup", "/proc/TOKEN"],
    &["restore", "TOKEN"],
    &["completions", "TOKEN"],
    &["man", "/proc/TOKEN"],
    &["migrate", "TOKEN"],
    &["doctor", "--output", "TOKEN"],
    &["psql", "TOKEN"],
    &["psql", "--command", "select 'TOKEN'"],
    &["user", "list", "--config", "/tmp/TOKEN"],
    &["user", "list", "--data-dir", "TOKEN"],
    &["user", "list", "--token-prefix", "TOKEN"],
    &["user", "list", "--no-download=TOKEN"],
];

async fn database_with_ada() -> Database {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", USER]).done();
    database
}

/// Runs every line with `token`. Each must be refused, and no output may contain `part`.
fn refuse_all(database: &Database, token: &str, part: &str, codes: &[i32]) {
    let folder = tests::temporary::folder();
    let ledger = file(folder.path(), "books.beancount", "2026-01-01 open Assets:Cash EUR\n");
    for line in LINES {
        let words: Vec<String> =
            line.iter().map(|word| word.replace("TOKEN", token).replace("LEDGER", &ledger)).collect();
        let ended = admin(database, &words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(codes.contains(&ended.code), "{line:?}: {ended:?}");
        for output in [&ended.stdout, &ended.stderr] {
            assert!(!output.contains(part), "{line:?} repeats the token: {output}");
        }
    }
}

#[tokio::test]
async fn token_in_any_position_is_refused_and_not_repeated() {
    let database = database_with_ada().await;
    for prefix in [DEFAULT_PREFIX, "acme_2_"] {
        let token = PlainToken::generate(prefix);
        refuse_all(&database, token.reveal(), &token.reveal()[8..], &[64]);
    }
    assert_eq!(number(&database, "select count(*) from passbook.users").await, 1);
    assert_eq!(number(&database, "select count(*) from passbook.oauth_clients").await, 0);
    let token = PlainToken::generate(DEFAULT_PREFIX);
    let message = admin(&database, &["token", "revoke", token.reveal()]).failed(64);
    assert!(message.contains("`passbook-admin token revoke -`"), "{message}");
}

#[tokio::test]
async fn truncated_token_in_any_position_is_refused_and_not_repeated() {
    let database = database_with_ada().await;
    for prefix in [DEFAULT_PREFIX, "acme_2_"] {
        let token = PlainToken::generate(prefix);
        let truncated = &token.reveal()[..token.reveal().len() - 3];
        refuse_all(&database, truncated, &truncated[8..], &[64, 65]);
    }
    assert_eq!(number(&database, "select count(*) from passbook.users").await, 1);
    assert_eq!(number(&database, "select count(*) from passbook.oauth_clients").await, 0);
    assert_eq!(number(&database, "select count(*) from passbook.oauth_sessions").await, 0);
}
