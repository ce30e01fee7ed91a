//! `--output json`: every list is JSON with the documented fields.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tests::app::App;
use tests::tenant_pair::Tenant;

use tests::admin::{admin, run};

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
