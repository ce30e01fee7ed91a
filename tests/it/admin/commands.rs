//! Commands whose output a transcript cannot show: deletion under concurrent requests, revocations of the demo, lists as
//! JSON, and `psql`. A script in place of psql prints its arguments and its environment, so that the tests need no psql.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use jiff::ToSpan as _;
use passbook_auth::personal_access_token::PlainToken;
use passbook_demo::{EMAIL, USER_ID, install};
use passbook_domain::scope::Scope;
use passbook_ingest::tokens::NewToken;
use serde_json::{Map, Value};
use tempfile::TempDir;
use tests::admin::{Ended, admin, run};
use tests::app::{App, TODAY};
use tests::database::{Database, execute};
use tests::tenant_pair::Tenant;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

/// Every table with the column that names the owner of a row. The column is empty for shared tables.
const TABLES: &str = "select c.relname::text, coalesce(a.attname::text, '') from pg_class as c \
     left join pg_attribute as a on a.attrelid = c.oid and a.attname = 'user_id' \
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
async fn demo_keeps_revocations_when_it_is_installed_again() {
    let database = Database::fresh().await;
    let mut writer = database.connect(passbook_schema::WRITER).await;
    install(&mut writer, TODAY).await.expect("the demo is installed");
    let plain = PlainToken::generate("pbk_");
    let live = PlainToken::generate("pbk_");
    let new = |name| NewToken {
        user_id: USER_ID,
        name,
        scopes: Scope::ALL,
        rest: true,
        mcp: true,
        expires_in_days: 1,
    };
    let id =
        passbook_ingest::tokens::create(&writer, &new("revoked"), &plain).await.expect("the token is stored");
    passbook_ingest::tokens::create(&writer, &new("live"), &live).await.expect("the token is stored");
    let clients = format!(
        "insert into passbook.oauth_clients (client_id, kind, user_id, name, scopes) values \
         ('own', 'personal_dashboard', '{USER_ID}', 'own', '{{banks:read}}'), \
         ('all', 'known_mcp', null, 'all', '{{banks:read}}'); \
         insert into passbook.oauth_sessions (user_id, session_id) values ('{USER_ID}', 'open')"
    );
    execute(&writer, &clients).await;
    let run = |words: &[&str]| admin(&database, words).done();
    run(&["token", "revoke", &id.to_string()]);
    run(&["client", "revoke", "own"]);
    run(&["consent", "revoke", "all", "--user", EMAIL]);
    run(&["session", "revoke", "ended", "--user", EMAIL]);
    let lists =
        || ["token", "client", "consent", "session"].map(|kind| run(&[kind, "list", "--output", "json"]));
    let mut before = lists().map(|list| serde_json::from_str::<Vec<Value>>(&list).expect("JSON"));
    before[0].retain(|token| token["name"] == "revoked");
    before[3].retain(|session| session["session_id"] == "ended");

    install(&mut writer, TODAY + 1.day()).await.expect("the demo is installed again");

    let after = lists().map(|list| serde_json::from_str::<Vec<Value>>(&list).expect("JSON"));
    assert_eq!(after, before);
    for (name, list) in ["token", "client", "consent", "session"].into_iter().zip(&after) {
        assert!(list.iter().any(|entry| entry["state"] == "revoked"), "{name}: {list:?}");
    }
    let app = App::start_on_day(database, TODAY).await;
    for token in [&plain, &live] {
        assert_eq!(app.get("/v1/me", token.reveal()).await.status, 401);
    }
}

/// Fields that the table in docs/administration.md lists for a command: those that are always present, and the others.
fn documented(command: &str) -> [BTreeSet<String>; 2] {
    let page = std::fs::read_to_string(tests::root().join("docs/administration.md")).expect("the page");
    let (_, section) = page.split_once("\n## JSON\n").expect("the section about JSON");
    let name = format!("`{command}`");
    let is_row = |line: &&str| line.split('|').nth(1).is_some_and(|cell| cell.contains(&name));
    let row = section.lines().find(is_row);
    let cells: Vec<&str> = row.unwrap_or_else(|| panic!("no row of {command}")).split('|').collect();
    [cells[2], cells[3]].map(|cell| {
        let quoted = cell.split('`').skip(1).step_by(2).map(str::to_owned);
        let (commands, mut fields): (BTreeSet<String>, BTreeSet<String>) =
            quoted.partition(|text| text.contains(' '));
        for command in commands {
            fields.extend(documented(&command).into_iter().flatten());
        }
        fields
    })
}

/// Checks that objects have the documented fields, and no null.
#[track_caller]
fn assert_documented(command: &str, objects: &[&Map<String, Value>]) {
    assert!(!objects.is_empty(), "{command} lists nothing");
    let [always, optional] = documented(command);
    let mut seen = BTreeSet::new();
    for object in objects {
        let fields: BTreeSet<String> = object.keys().cloned().collect();
        assert!(always.is_subset(&fields), "{command}: {always:?}: {object:?}");
        assert!(!object.values().any(Value::is_null), "{command}: {object:?}");
        for (field, value) in object.iter() {
            assert!(!field.ends_with("_at") || is_timestamp(value), "{command}: {field}: {value}");
        }
        seen.extend(fields);
    }
    assert_eq!(seen, always.union(&optional).cloned().collect(), "{command}");
}

fn is_timestamp(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok())
}

#[tokio::test]
async fn json_lists_have_the_documented_fields() {
    let app = App::start().await;
    let tenants = Tenant::pair();
    for tenant in &tenants {
        app.load(tenant.records()).await;
    }
    let user = &tenants[0].household.user;
    let (id, email) = (user.user_id, user.email.as_str());
    // Every optional field gets a value in one row and none in another.
    app.write(&format!(
        "insert into passbook.ledgers (user_id, ledger, imported_at) values ('{id}', 'main', now()); \
         update passbook.accounts set closed_on = '2026-01-01', ledger_id = 'beancount:main' where user_id = '{id}'; \
         insert into passbook.accounts (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, \
         balance_updated_at) select user_id, gen_random_uuid(), bank_id, 'Empty', type, subtype, currency, 0, now() from passbook.accounts where user_id = '{id}' limit 1; \
         update passbook.personal_access_tokens set revoked_at = now() where user_id = '{id}'; \
         update passbook.oauth_clients set revoked_at = now() where user_id = '{id}'; \
         update passbook.oauth_consents set revoked_at = now() where user_id = '{id}'; \
         update passbook.oauth_sessions set revoked_at = now() where user_id = '{id}'; \
         insert into passbook.oauth_sessions (user_id, session_id) values ('{id}', 'without a client')"
    ))
    .await;
    for command in ["user list", "account list", "token list", "client list", "consent list", "session list"]
    {
        let words: Vec<&str> = command.split(' ').chain(["--output", "json"]).collect();
        let text = admin(&app.database, &words).done();
        let list: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("an array of objects");
        assert_documented(command, &list.iter().collect::<Vec<_>>());
        let lines = admin(&app.database, &words[..2]).done().lines().count();
        assert_eq!(lines, list.len() + 1, "{command}: text and JSON have the same entries");
    }
    let show = |words: &[&str]| -> Map<String, Value> {
        let text = admin(&app.database, &[words, &["--output", "json"]].concat()).done();
        serde_json::from_str(&text).expect("an object")
    };
    let shown = show(&["user", "show", email]);
    assert_documented("user show", &[&shown]);
    assert_eq!(shown["sources"], serde_json::json!(["beancount:main"]));
    let account = tenants[0].household.accounts[0].to_string();
    assert_documented("account show", &[&show(&["account", "show", &account, "--user", email])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_of_doctor_are_listed_as_json() {
    let app = App::start().await;
    let url = app.database.url("passbook_reader");
    let words = ["doctor", "--output", "json"];
    let text = run(&[("PASSBOOK_DATABASE_URL", &url)], &words, "").done();
    let list: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("an array of objects");
    assert_documented("doctor", &list.iter().collect::<Vec<_>>());
    assert!(list.iter().all(|finding| finding["state"] == "ok"), "{text}");

    let ended = run(&[("PASSBOOK_DATABASE_URL", "postgresql://x@127.0.0.1:1/x")], &words, "");
    assert_eq!(ended.code, 64, "{ended:?}");
    let list: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!((&list[0]["state"], &list[0]["subject"]), (&"broken".into(), &"database".into()));
}

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
fn printed_variables(text: &str) -> BTreeMap<String, String> {
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
    let environment = printed_variables(&text);
    assert_eq!(environment["PGPASSWORD"], "hunter2");
    assert!(!environment.contains_key("PGSERVICE") && !environment.contains_key("PGHOSTADDR"), "{text}");
    assert_eq!(write(&environment).await, Some(SqlState::READ_ONLY_SQL_TRANSACTION));
    let environment = printed_variables(&psql(&folder, &more, &["--write"]).done());
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
    let environment = printed_variables(&psql(&folder, &more, &[]).done());
    assert_eq!(environment.get("running").map(String::as_str), Some("yes"), "{environment:?}");
    assert_eq!(
        (environment["PGUSER"].as_str(), environment["PGDATABASE"].as_str()),
        ("postgres", "passbook")
    );
    let running = passbook_embedded::running_in(data.path()).await.expect("the folder is readable");
    assert_eq!(running, None, "the command must stop the database that it started");
}
