//! The blocks of the README, except the first command, which `serving/readme.rs` runs in a fresh clone.

use serde_json::Value;
use server::announce::Announcement;
use tests::app::App;
use tests::household::Household;

use super::shell::Folder;

#[tokio::test]
async fn blocks_of_the_readme_work_as_shown() {
    let documents = super::documents();
    let blocks = super::blocks::read("README.md", &documents["README.md"]);
    let [_run, lines, answer, request, output, check, own_money] = blocks[..] else {
        panic!("{} blocks", blocks.len())
    };
    let languages = blocks.iter().map(|block| block.language).collect::<Vec<_>>();
    assert_eq!(languages, ["sh", "text", "json", "sh", "json", "sh", "sh"]);
    // `serving/mcp_example.rs` runs the request to the tool server against a demo.
    assert!(request.text.contains("tools/call") && output.text.contains("merchants"));
    // `cargo test` cannot run inside itself, so only the text is compared.
    assert_eq!(check.text, "cargo test --workspace\n");

    let announcement = Announcement { origin: "http://127.0.0.1:8080".to_owned(), token: Some("pbk_…") };
    assert_eq!(lines.text.lines().collect::<Vec<_>>(), announcement.lines());

    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let real = app.get("/v1/cashflow/summary?timeRange=1m", &token).await.ok();
    let shown: Value = serde_json::from_str(answer.text).expect("JSON");
    assert_eq!(shape(&shown), shape(&real));
    let cents = |name: &str| shown[name]["amount_cents"].as_i64().expect("cents");
    assert_eq!(cents("net"), cents("incomeTotal") - cents("expenseTotal"));

    let folder = Folder::new();
    let bundle = super::blocks::read("docs/loading-data.md", &documents["docs/loading-data.md"])
        .into_iter()
        .find(|block| block.language == "json")
        .expect("a bundle");
    folder.write("bundle.json", bundle.text);
    folder.write("eurofxref-hist.csv", "Date,USD,\n2026-11-20,1.0841,\n");
    let ledger = "2026-01-01 open Assets:Bank:Checking EUR\n2026-01-01 open Expenses:Books EUR\n\
        2026-01-05 * \"Librairie\" \"Novel\"\n  Expenses:Books  12.34 EUR\n  Assets:Bank:Checking\n";
    folder.write("ledger.beancount", ledger);
    let output =
        folder.serve(own_money.text, &["passbook-admin", "passbook-server"], |line| line.starts_with("mcp "));
    assert_eq!(
        output.iter().filter(|line| line.starts_with("pbk_")).count(),
        1,
        "the token must be printed once: {output:?}"
    );
    assert!(output.iter().any(|line| line.starts_with("base    http://127.0.0.1:")), "{output:?}");
}

/// The shape of a JSON value: its member names without the values.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), shape(member))).collect()
        }
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::String(_) => Value::String(String::new()),
        Value::Null | Value::Bool(_) | Value::Number(_) => Value::Null,
    }
}
