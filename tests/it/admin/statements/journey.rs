//! The path of a new user, and the commands that explain and change imported transactions.

use serde_json::Value;
use tests::app::App;

use super::writers::{camt, csv};
use super::{EMAIL, IBAN, Importer, year};
use tests::admin::{admin, file};

#[tokio::test]
async fn new_user_gets_answers_in_eight_commands() {
    let app = App::start().await;
    let folder = tests::temporary::folder();
    let statement = file(folder.path(), "year.xml", &camt(1, &year(), 100_000));
    let text = "[[rule]]\ntext = 'Netflix'\ncategory = 'ENTERTAINMENT'\n";
    let rules = file(folder.path(), "rules.toml", text);
    let run = |arguments: &[&str]| admin(&app.database, arguments).done();

    run(&["user", "create", "--email", EMAIL, "--currency", "EUR", "--time-zone", "UTC"]);
    let token = run(&["token", "create", "--user", EMAIL, "--name", "me"]);
    let token = token.trim();
    let preview = run(&["preview", &statement]);
    assert!(preview.contains("format   camt\n") && preview.contains(IBAN), "{preview}");
    let imported = run(&["import", &statement, "--user", EMAIL, "--create-accounts"]);
    assert!(imported.contains("2025-12-27"), "{imported}");
    let changed = run(&["categorize", "--user", EMAIL, "--rules", &rules]);
    assert!(changed.contains("SUBSCRIPTIONS  ENTERTAINMENT"), "{changed}");

    let target = "/v1/spending/categories?dateFrom=2025-01-01&dateTo=2025-12-31";
    let categories = app.get(target, token).await.json().to_string();
    assert!(categories.contains("ENTERTAINMENT") && categories.contains("RENT"), "{categories}");
    let call = serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "get_top_merchants", "arguments": { "dateFrom": "2025-01-01", "dateTo": "2025-12-31" } },
    });
    let bearer = format!("Bearer {token}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ];
    let answer = app.post("/mcp", &headers, call.to_string()).await;
    assert!(String::from_utf8_lossy(&answer.body).contains("REWE"), "{answer:?}");
}

#[tokio::test]
async fn unknown_account_is_rejected_with_rows_to_load() {
    let app = App::start().await;
    let folder = tests::temporary::folder();
    let statement = file(folder.path(), "year.xml", &camt(1, &year(), 0));
    admin(&app.database, &["user", "create", "--email", EMAIL, "--currency", "EUR", "--time-zone", "UTC"])
        .done();
    let rejected = admin(&app.database, &["import", &statement, "--user", EMAIL]);
    assert_eq!(rejected.code, 65);
    assert!(
        rejected.stderr.contains("--account") && rejected.stderr.contains("--create-accounts"),
        "{rejected:?}"
    );
    let bundle = file(folder.path(), "account.json", &rejected.stdout);
    admin(&app.database, &["load", &bundle, "--user", EMAIL]).done();
    admin(&app.database, &["import", &statement, "--user", EMAIL]).done();
}

#[tokio::test]
async fn dry_run_stores_nothing() {
    let importer = Importer::new().await;
    let statement = importer.file("year.csv", &csv(&year()));
    let imported = importer.import(std::slice::from_ref(&statement), &["--account", IBAN, "--dry-run"]);
    assert_eq!(imported["inserted"], year().len());
    assert!(importer.rows().await.is_empty());
    importer.import(&[statement], &["--account", IBAN]);
    let rules = importer.file("rules.toml", "[[rule]]\ntext = 'REWE'\ncategory = 'PETS'\n");
    let changes = importer.json(&["categorize", "--rules", &rules, "--dry-run"]);
    assert_eq!(changes.as_array().map(Vec::len), Some(96));
    assert!(!importer.rows().await.iter().any(|row| row.contains("PETS")));
}

#[tokio::test]
async fn transfers_between_own_accounts_are_paired_and_explained() {
    let importer = Importer::new().await;
    importer.add_account("savings", "Savings", "EUR");
    let out = importer.file("out.qif", "!Type:Bank\nD25/01/2025\nT-50.00\nPUmbuchung\n^\n");
    let into = importer.file("in.qif", "!Type:Bank\nD26/01/2025\nT50.00\nPFrom checking\n^\n");
    importer.import(&[out], &["--account", IBAN]);
    let imported = importer.import(std::slice::from_ref(&into), &["--account", "savings"]);
    assert_eq!(imported["files"][0]["transfers"], 1, "{imported}");
    let id = importer.id_of("From checking").await.to_string();
    let explained = importer.json(&["explain", &id]);
    assert_eq!(explained["category"], "INTERNAL_TRANSFER TRANSFER_IN");
    assert_eq!(explained["lines"][0]["file"], "in.qif");
    let link = explained["link"].as_str().expect("a link");
    assert!(link.ends_with("in Checking: one leg is marked as a transfer"), "{link}");
    // The other leg is no transfer any more when its pair is gone.
    importer.json(&["undo", &into]);
    let rows = importer.rows().await;
    assert!(rows[0].contains("EXPENSE TRANSFER_OUT"), "{rows:?}");
}

#[tokio::test]
async fn days_with_rows_of_a_bundle_need_a_flag() {
    let importer = Importer::new().await;
    let user = passbook_formats::id::user(EMAIL);
    let row = format!(
        r#"{{"format": "passbook-bundle", "version": 1, "transactions": [{{"user": "{user}", "id": "t", "account":
        "{IBAN}", "date": "2025-06-01", "type": "EXPENSE", "category": "RENT", "amount_cents": 90000, "currency": "EUR",
        "title": "Rent"}}]}}"#
    );
    super::admin_with_input(importer.database(), &["load", "-", "--user", EMAIL], &row).done();
    let statement = importer.file("year.csv", &csv(&year()));
    let rejected = importer.admin(&["import", &statement, "--user", EMAIL, "--account", IBAN]);
    assert!(rejected.stderr.contains("--beside-others") && rejected.code == 65, "{rejected:?}");
    assert_eq!(importer.rows().await.len(), 1);
    importer.import(std::slice::from_ref(&statement), &["--account", IBAN, "--beside-others"]);
    importer.json(&["undo", &statement]);
    assert_eq!(importer.rows().await.len(), 1);
}

#[tokio::test]
async fn unknown_csv_gets_a_profile_to_complete() {
    let importer = Importer::new().await;
    let unknown = importer.file("my.csv", "Day;Payee;Purpose;Sum\n31.01.2025;Bakery;Rolls;-4,50\n");
    let shown = importer.admin(&["preview", &unknown]);
    assert_eq!(shown.code, 65);
    assert!(shown.stdout.contains("headers = [") && shown.stderr.contains("--profile"), "{shown:?}");
    let known = importer.file("year.csv", &csv(&year()));
    let document = importer.admin(&["preview", &known, "--output", "json"]).done();
    let document: Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document["statements"][0]["profile"], "n26");
    assert_eq!(document["statements"][0]["rows"].as_array().map(Vec::len), Some(5));
}
