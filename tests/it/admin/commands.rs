//! Commands whose output a transcript cannot show: deletion of a user with rows in every table, revocations of the demo,
//! and lists as JSON.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use passbook_demo::{EMAIL, USER_ID, install};
use serde_json::{Map, Value};
use tests::admin::{admin, run};
use tests::app::{App, TODAY, create_token};
use tests::database::{Database, execute, tables};
use tests::temporary::Folder;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

/// Returns the number of rows of each table: all of them, and those of `user`.
async fn counts(superuser: &Client, user: &str) -> BTreeMap<String, (i64, i64)> {
    let mut counts = BTreeMap::new();
    for (table, is_personal) in tables(superuser).await {
        let own = if is_personal { format!("user_id = '{user}'") } else { "false".to_owned() };
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

#[test]
fn control_characters_of_a_file_and_its_name_do_not_reach_the_terminal() {
    let folder = Folder::create();
    let row = "D01/02/2026\nT-1.00\nPShop\nN\u{1b}]0;T\u{7}\u{9b}\n^\n";
    let good = folder.write("good\u{1b}[2J.qif", &format!("!Type:Bank\n{row}"));
    let bad = folder.write("bad\u{1b}[2J.qif", "!Type:Bank\nD\u{1b}]0;T\u{7}\nT-1.00\n^\n");
    for (name, arguments) in [(&good, &[][..]), (&good, &["--output", "json"]), (&bad, &[])] {
        let ended = run(&[], &[&["preview", name.as_str(), "--date-order", "dmy"], arguments].concat(), "");
        assert_eq!(ended.code == 0, name == &good, "{ended:#?}");
        let printed = format!("{}{}", ended.stdout, ended.stderr);
        assert!(!printed.contains(|byte: char| byte.is_control() && byte != '\n'), "{printed:?}");
    }
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
    let (revoked, id) = create_token(&writer, USER_ID).await;
    let (live, _) = create_token(&writer, USER_ID).await;
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
    before[0].retain(|token| token["token_id"] == id.to_string());
    before[3].retain(|session| session["session_id"] == "ended");

    install(&mut writer, TODAY + 1.day()).await.expect("the demo is installed again");

    let after = lists().map(|list| serde_json::from_str::<Vec<Value>>(&list).expect("JSON"));
    assert_eq!(after, before);
    for (name, list) in ["token", "client", "consent", "session"].into_iter().zip(&after) {
        assert!(list.iter().any(|entry| entry["state"] == "revoked"), "{name}: {list:?}");
    }
    let app = App::start_on_day(database, TODAY).await;
    for token in [&revoked, &live] {
        assert_eq!(app.get("/v1/me", token).await.status, 401);
    }
}

/// Fields that the table in docs/administration.md lists for a command: those that are always present, and the others.
fn documented(command: &str) -> [BTreeSet<String>; 2] {
    let page = tests::documents::text("docs/administration.md");
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
         update passbook.accounts set opened_on = '2025-01-01', closed_on = '2026-01-01', \
         rows_complete_from = '2025-01-01', ledger_id = 'beancount:main' where user_id = '{id}'; \
         insert into passbook.accounts (user_id, account_id, bank_id, name, type, subtype, currency) \
         select user_id, gen_random_uuid(), bank_id, 'Empty', type, subtype, currency from passbook.accounts where user_id = '{id}' limit 1; \
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
    let reader = app.database.url(passbook_schema::READER);
    let found = run(&[("PASSBOOK_DATABASE_URL", &reader)], &["doctor", "--output", "json"], "").done();
    let findings: Vec<Map<String, Value>> = serde_json::from_str(&found).expect("an array of objects");
    assert_documented("doctor", &findings.iter().collect::<Vec<_>>());
}
