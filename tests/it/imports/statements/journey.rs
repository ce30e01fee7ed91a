//! The path of a new user.

use tests::app::App;

use super::writers::camt;
use super::{EMAIL, IBAN, year};
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
