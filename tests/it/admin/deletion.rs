//! `user delete`: the confirmation, the printed numbers, and the rows that remain.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use tests::app::App;
use tests::database::Database;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

use super::program::{admin, admin_with_input, number};

const USERS: &str = "select count(*) from passbook.users";

/// Every table with the column that names the owner of a row. The column is empty for shared tables.
const TABLES: &str = "select c.relname::text, coalesce(a.attname::text, '') from pg_class as c \
     left join pg_attribute as a on a.attrelid = c.oid and a.attname in ('user_id', 'owner_user_id') \
     where c.relnamespace = 'passbook'::regnamespace and c.relkind in ('r', 'p') order by 1";

/// Returns the number of rows of each table: all of them, and those of `user`.
async fn counts(superuser: &Client, user: &str) -> BTreeMap<String, (i64, i64)> {
    let mut counts = BTreeMap::new();
    for row in superuser.query(TABLES, &[]).await.expect("the tables are read") {
        let (table, owner): (String, String) = (row.get(0), row.get(1));
        let own = if owner.is_empty() { "false".to_owned() } else { format!("{owner} = '{user}'") };
        let query = format!("select count(*), count(*) filter (where {own}) from passbook.{table}");
        let row = superuser.query_one(&query, &[]).await.expect("the rows are counted");
        counts.insert(table, (row.get(0), row.get(1)));
    }
    counts
}

/// The printed number of deleted rows of each table.
fn printed(text: &str) -> BTreeMap<String, i64> {
    let rows = text.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<&str>>());
    rows.map(|row| (row[0].to_owned(), row[1].parse().expect("a number"))).collect()
}

#[tokio::test]
async fn deleted_user_leaves_no_row_and_other_rows_stay() {
    let app = App::start().await;
    let tenants = Tenant::pair();
    for tenant in &tenants {
        app.load(tenant.records()).await;
        app.write(&tenant.import_rows()).await;
    }
    let superuser = app.database.connect("postgres").await;
    let user = &tenants[0].household.user;
    let before = counts(&superuser, &user.user_id.to_string()).await;

    let words = ["user", "delete", user.email.as_str()];
    let planned = admin(&app.database, &[&words[..], &["--dry-run"]].concat());
    assert_eq!(planned.stderr, "dry run: nothing was stored\n");
    assert_eq!(counts(&superuser, &user.user_id.to_string()).await, before, "a dry run changes nothing");
    let deleted = admin(&app.database, &[&words[..], &["--yes"]].concat()).done();
    assert_eq!(deleted, planned.done(), "the dry run must print the same numbers");

    let after = counts(&superuser, &user.user_id.to_string()).await;
    let mut expected = BTreeMap::new();
    for (table, (all, own)) in &before {
        assert_eq!(after[table], (all - own, 0), "{table}");
        if *own > 0 {
            expected.insert(table.clone(), *own);
        }
    }
    assert!(expected.len() > 15, "the fixture fills every personal table");
    assert_eq!(printed(&deleted), expected);
    admin(&app.database, &["user", "delete", &user.email, "--yes"]).failed(65);
}

#[tokio::test]
async fn deletion_without_terminal_and_without_yes_is_refused() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    let message =
        admin_with_input(&database, &["user", "delete", "ada@example.org"], "ada@example.org\n").failed(64);
    assert!(message.contains("is not a terminal") && message.contains("--yes"), "{message}");
    assert_eq!(number(&database, USERS).await, 1);
    let message = admin(&database, &["user", "delete", "bo@example.org", "--yes"]).failed(65);
    assert!(message.starts_with("EMAIL: must be the e-mail address of a user"), "{message}");
}

/// Runs `user delete` on a pseudo-terminal on which somebody types `answer`. Returns the exit code and the screen.
fn delete_on_terminal(database: &Database, answer: &str) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("terminal.py");
    std::fs::write(&script, TERMINAL).expect("the script is written");
    let output = Command::new("python3")
        .arg(&script)
        .arg(answer)
        .arg(tests::binary("passbook-admin"))
        .args(["user", "delete", "ada@example.org"])
        .env("PASSBOOK_ADMIN_DATABASE_URL", database.url("passbook_writer"))
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("python3 starts");
    let screen = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code().expect("an exit code"), screen)
}

/// Runs a command on a pseudo-terminal, types the answer after the question, and exits with the code of the command.
const TERMINAL: &str = r#"
import os, pty, sys
answer, command = sys.argv[1], sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
screen = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    if b"To confirm" in screen + part and b"To confirm" not in screen:
        os.write(terminal, answer.encode() + b"\n")
    screen += part
sys.stdout.write(screen.decode())
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"#;

#[tokio::test]
async fn deletion_on_a_terminal_needs_the_typed_address() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    admin(&database, &["token", "create", "--user", "ada@example.org", "--name", "laptop"]).done();
    let (code, screen) = delete_on_terminal(&database, "yes");
    assert_eq!(code, 64, "{screen}");
    for part in ["personal_access_tokens  1", "users                   1", "nothing was deleted"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert_eq!(number(&database, USERS).await, 1);
    let (code, screen) = delete_on_terminal(&database, "ada@example.org");
    assert_eq!(code, 0, "{screen}");
    assert_eq!(number(&database, USERS).await, 0);
}
