//! Rows that an import rewrites, and the path of a new user.

use tests::admin::{admin, file};
use tests::app::App;
use tests::database::{Database, execute};

use super::{EMAIL, IBAN, Importer, camt, csv, year};

/// Each stored transaction with all columns that an import writes, and with its version, in order.
async fn versions(database: &Database) -> Vec<(String, String)> {
    let writer = database.connect("passbook_writer").await;
    let query = "select jsonb_build_array(transaction_id, account_id, date, type, category, amount_cents, \
                 currency, title, pending, provider_category, merchant_name, linked_transaction_id, imported)::text, \
                 xmin::text from passbook.transactions order by transaction_id";
    let rows = writer.query(query, &[]).await.expect("the rows are read");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

#[tokio::test]
async fn every_changed_value_of_a_stored_transaction_is_written_again_and_no_other_row() {
    let importer = Importer::new().await;
    importer.add_account("savings", "Savings", "EUR");
    importer.import(&[importer.file("year.csv", &csv(&year()))], &["--account", IBAN]);
    let before = versions(importer.database()).await;
    let writer = importer.database().connect("passbook_writer").await;
    let other = "select transaction_id from passbook.transactions where title like '%Netflix%' limit 1";
    for change in [
        "account_id = (select account_id from passbook.accounts where name = 'Savings')".to_owned(),
        "date = date + 1".to_owned(),
        "type = 'INTERNAL_TRANSFER', category = 'TRANSFER_OUT'".to_owned(),
        "category = 'PETS'".to_owned(),
        "type = 'INCOME', category = 'REFUND'".to_owned(),
        "amount_cents = amount_cents + 1".to_owned(),
        "currency = 'USD'".to_owned(),
        "title = title || ' '".to_owned(),
        "pending = true".to_owned(),
        "provider_category = 'x'".to_owned(),
        "merchant_name = 'x'".to_owned(),
        "merchant_name = null".to_owned(),
        format!("linked_transaction_id = ({other})"),
    ] {
        let one = "transaction_id = (select min(transaction_id::text)::uuid from passbook.transactions where title like '%Miete%')";
        let changed =
            writer.execute(&format!("update passbook.transactions set {change} where {one}"), &[]).await;
        assert_eq!(changed.expect("the row is changed"), 1, "{change}");
        importer.json(&["categorize"]);
        let after = versions(importer.database()).await;
        let written = before.iter().zip(&after).filter(|(before, after)| before.1 != after.1).count();
        assert_eq!(after.len(), before.len(), "{change}");
        assert!(before.iter().zip(&after).all(|(before, after)| before.0 == after.0), "{change}");
        assert_eq!(written, 1, "{change}");
    }
    let deleted = "delete from passbook.transactions where title like '%Miete%'";
    assert_eq!(writer.execute(deleted, &[]).await.expect("the rows are deleted"), 12);
    importer.json(&["categorize"]);
    let after = versions(importer.database()).await;
    assert!(
        before.iter().zip(&after).all(|(before, after)| before.0 == after.0) && after.len() == before.len()
    );
}

#[tokio::test]
async fn line_of_a_transaction_is_found_by_its_whole_key_without_statistics_of_the_person() {
    const CREATE: &str = include_str!("../../../../crates/ingest/sql/import_create_computed.sql");
    const STORE: &str = include_str!("../../../../crates/ingest/sql/import_store.sql");
    let importer = Importer::new().await;
    importer.import(&[importer.file("year.csv", &csv(&year()))], &["--account", IBAN]);
    let superuser = importer.database().connect("postgres").await;
    execute(&superuser, "vacuum analyze passbook.import_lines").await;
    // A person of whom the statistics have no line, as after a first large import.
    let given = "insert into pg_temp.computed_transactions select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 0, \
                 number, '2026-01-01', 'EXPENSE', 'PETS', 1, 'EUR', false, null, null, false \
                 from generate_series(1, 100) as number; analyze pg_temp.computed_transactions; set local enable_seqscan = off";
    execute(&superuser, &format!("begin; {CREATE}; {given}")).await;
    let explain =
        format!("prepare store (uuid) as {STORE}; explain execute store ('{}')", uuid::Uuid::from_u128(1));
    let plan: Vec<String> = superuser
        .simple_query(&explain)
        .await
        .expect("the plan is shown")
        .into_iter()
        .filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        })
        .collect();
    let condition = "Index Cond: ((user_id = '00000000-0000-0000-0000-000000000001'::uuid) AND (file_id = computed.file_id) \
                     AND (statement = computed.statement) AND (\"position\" = computed.\"position\"))";
    assert!(plan.iter().any(|line| line.trim() == condition), "{plan:#?}");
}

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
    let banks = app.get("/v1/banks/status", token).await.json();
    assert_eq!(banks["banks"][0]["reconciled_through"], "2025-12-27", "{banks}");
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
