//! `psql`: a shell on the database in use. A script in place of psql prints its arguments and its environment, so that
//! the tests need no psql; the tests connect with the printed environment.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use tempfile::TempDir;
use tests::database::Database;
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

use tests::admin::{Ended, run};

const PRINT: &str = "#!/bin/sh\nfor argument; do echo \"argument=$argument\"; done\nenv | grep ^PG\n";

/// A folder with a script named psql, and with links to the programs of `PASSBOOK_POSTGRES_BIN`, if that is set.
fn folder_with_psql(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let passable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), passable.clone()).expect("the folder is passable");
    let psql = folder.path().join("psql");
    std::fs::write(&psql, script).expect("the script is written");
    std::fs::set_permissions(&psql, passable).expect("the script is executable");
    let programs = std::env::vars_os().find(|(name, _)| name == "PASSBOOK_POSTGRES_BIN");
    for entry in programs.iter().flat_map(|(_, programs)| Path::new(programs).read_dir()).flatten().flatten()
    {
        if entry.file_name() != "psql" {
            symlink(entry.path(), folder.path().join(entry.file_name())).expect("the link is made");
        }
    }
    folder
}

/// The environment in which the program finds the script before any psql.
fn environment(folder: &TempDir) -> Vec<(&'static str, String)> {
    let path = folder.path().to_str().expect("UTF-8");
    let (_, programs) = std::env::vars().find(|(name, _)| name == "PATH").expect("PATH is set");
    let mut environment = vec![("PATH", format!("{path}:{programs}"))];
    if std::env::vars_os().any(|(name, _)| name == "PASSBOOK_POSTGRES_BIN") {
        environment.push(("PASSBOOK_POSTGRES_BIN", path.to_owned()));
    }
    environment
}

fn psql(folder: &TempDir, more: &[(&'static str, &str)], words: &[&str]) -> Ended {
    let environment = environment(folder);
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).chain(more.iter().copied()).collect();
    run(&environment, &[&["psql"], words].concat(), "")
}

/// The printed arguments and environment.
fn printed(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Connects with the printed environment and writes a row. Returns the SQLSTATE if the database refuses.
async fn write(environment: &BTreeMap<String, String>) -> Option<SqlState> {
    let mut config = tokio_postgres::Config::new();
    config.host(&environment["PGHOST"]).port(environment["PGPORT"].parse().expect("a number"));
    config.user(&environment["PGUSER"]).dbname(&environment["PGDATABASE"]);
    if let Some(options) = environment.get("PGOPTIONS") {
        config.options(options);
    }
    let (client, connection) = config.connect(NoTls).await.expect("the environment names the database");
    tokio::spawn(connection);
    let insert = "insert into passbook.users (user_id, email) values (gen_random_uuid(), 'x@example.org')";
    client.execute(insert, &[]).await.err().map(|error| error.code().expect("a code of the database").clone())
}

#[tokio::test]
async fn psql_opens_the_database_of_the_url_read_only_unless_write_is_given() {
    let database = Database::fresh().await;
    let folder = folder_with_psql(PRINT);
    let url = database.url("passbook_writer").replace("passbook_writer@", "passbook_writer:hunter2@");
    let more =
        [("PASSBOOK_ADMIN_DATABASE_URL", url.as_str()), ("PGSERVICE", "other"), ("PGHOSTADDR", "192.0.2.1")];
    let text = psql(&folder, &more, &["--command", "select 1"]).done();
    assert!(text.starts_with("argument=--command\nargument=select 1\n"), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("argument") && line.contains("hunter2")), "{text}");
    let environment = printed(&text);
    assert_eq!(environment["PGPASSWORD"], "hunter2");
    assert!(!environment.contains_key("PGSERVICE") && !environment.contains_key("PGHOSTADDR"), "{text}");
    assert_eq!(write(&environment).await, Some(SqlState::READ_ONLY_SQL_TRANSACTION));
    let environment = printed(&psql(&folder, &more, &["--write"]).done());
    assert_eq!(write(&environment).await, None);
}

#[tokio::test]
async fn psql_passes_on_the_exit_code() {
    let database = Database::fresh().await;
    let url = database.url("passbook_writer");
    let more = [("PASSBOOK_ADMIN_DATABASE_URL", url.as_str())];
    for (script, code) in [("exit 0", 0), ("exit 3", 3), ("kill -KILL $$", 137)] {
        let folder = folder_with_psql(&format!("#!/bin/sh\n{script}\n"));
        assert_eq!(psql(&folder, &more, &[]).code, code, "{script}");
    }
}

#[tokio::test]
async fn embedded_database_runs_as_long_as_psql() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let more = [("PASSBOOK_DATA_DIR", data.path().to_str().expect("UTF-8"))];
    let folder = folder_with_psql(&format!(
        "{PRINT}if test -S \"$PGHOST/.s.PGSQL.$PGPORT\"; then echo running=yes; fi\n"
    ));
    let message = psql(&folder, &more, &[]).failed(64);
    assert!(message.contains("`passbook-admin migrate`"), "{message}");
    run(&more, &["migrate"], "").done();
    let environment = printed(&psql(&folder, &more, &[]).done());
    assert_eq!(environment.get("running").map(String::as_str), Some("yes"), "{environment:?}");
    assert_eq!(
        (environment["PGUSER"].as_str(), environment["PGDATABASE"].as_str()),
        ("postgres", "passbook")
    );
    let running = passbook_embedded::running_in(data.path()).await.expect("the folder is readable");
    assert_eq!(running, None, "the command must stop the database that it started");
}
