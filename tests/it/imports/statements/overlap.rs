//! Overlapping files and lists of changes in any order, rows that an import rewrites, and the path of a new user.

use serde_json::{Value, json};
use tests::admin::{admin, file};
use tests::app::App;
use tests::database::{Database, execute};

use super::{Booking, EMAIL, IBAN, Importer, camt, csv, ofx, year};

/// The CAMT files of the months.
fn camt_files(importer: &Importer, bookings: &[Booking], without: Option<usize>) -> Vec<String> {
    let mut opening = 100_000;
    let mut files = Vec::new();
    for month in 1..=12_i8 {
        let own: Vec<Booking> = bookings.iter().filter(|one| one.day.month() == month).cloned().collect();
        let mut text = camt(usize::from(month.unsigned_abs()), &own, opening);
        if without == Some(usize::from(month.unsigned_abs())) {
            let start = text.find("<Ntry>").expect("an entry");
            let end = text.find("</Ntry>").expect("its end") + "</Ntry>".len();
            text.replace_range(start..end, "");
        }
        opening += own.iter().map(|one| one.cents).sum::<i64>();
        files.push(importer.file(&format!("{month:02}.xml"), &text));
    }
    files
}

/// The OFX files of the months, each of which begins ten days before its month.
fn ofx_files(importer: &Importer, bookings: &[Booking]) -> Vec<String> {
    (1..=12_i8)
        .map(|month| {
            let first = jiff::civil::date(2025, month, 1);
            let from = first.saturating_sub(jiff::Span::new().days(10));
            let before: i64 = bookings.iter().filter(|one| one.day < from).map(|one| one.cents).sum();
            let covers = |one: &&Booking| one.day >= from && one.day <= first.last_of_month();
            let own: Vec<Booking> = bookings.iter().filter(covers).cloned().collect();
            importer.file(&format!("{month:02}.ofx"), &ofx(&own, 100_000 + before))
        })
        .collect()
}

#[tokio::test]
async fn overlapping_files_in_any_order_give_the_same_proven_rows() {
    let bookings = year();
    let mut results = Vec::new();
    for order in 0..3 {
        let importer = Importer::new().await;
        let (camt, ofx) = (camt_files(&importer, &bookings, None), ofx_files(&importer, &bookings));
        let mut files: Vec<String> = match order {
            0 => camt.into_iter().chain(ofx).collect(),
            1 => ofx.into_iter().rev().chain(camt).collect(),
            _ => camt.into_iter().zip(ofx).flat_map(|(camt, ofx)| [ofx, camt]).collect(),
        };
        if order == 2 {
            // One file at a time, some of them again.
            files.swap(3, 17);
            for file in files.iter().chain(&files[..3]) {
                importer.import(std::slice::from_ref(file), &["--account", IBAN]);
            }
        } else {
            importer.import(&files, &["--account", IBAN]);
        }
        let rows = importer.rows().await;
        assert_eq!(rows.len(), bookings.len());
        let report = importer.json(&["reconcile"]);
        assert_eq!(report[0]["reconciled_through"], "2025-12-27", "{report}");
        assert_eq!(report[0]["findings"], Value::Array(Vec::new()));
        let banks = importer.get("/v1/banks/status").await;
        assert_eq!(banks["banks"][0]["reconciled_through"], "2025-12-27", "{banks}");
        results.push(rows);
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test]
async fn undo_leaves_no_trace() {
    let bookings = year();
    let importer = Importer::new().await;
    let (camt, ofx) = (camt_files(&importer, &bookings, None), ofx_files(&importer, &bookings));
    importer.import(&camt[..6], &[]);
    let before = importer.rows().await;
    let balance = |importer: &Importer| importer.json(&["account", "list"])[0]["balance_cents"].clone();
    let former = balance(&importer);
    importer.import(&ofx, &["--account", IBAN]);
    assert_eq!(importer.rows().await.len(), bookings.len());
    assert_ne!(balance(&importer), former);
    for file in &ofx {
        importer.json(&["undo", file]);
    }
    assert_eq!(importer.rows().await, before);
    assert_eq!(balance(&importer), former);
}

#[tokio::test]
async fn lost_entry_is_named_with_account_days_and_amount() {
    let importer = Importer::new().await;
    let files = camt_files(&importer, &year(), Some(5));
    importer.import(&files, &[]);
    let report = importer.json(&["reconcile"]);
    assert_eq!(report[0]["account"], "Checking");
    assert_eq!(report[0]["reconciled_through"], "2025-04-30", "{report}");
    let findings: Vec<&str> =
        report[0]["findings"].as_array().expect("findings").iter().filter_map(Value::as_str).collect();
    assert_eq!(
        findings,
        [
            "after 2025-04-30 through 2025-05-27: the balances change by -900.00 more",
            "05.xml: its lines lack -900.00 to its balances"
        ]
    );
}

/// A list of changes with the time of its balance.
fn page(time: Option<&str>, added: &[Value], removed: &[&str]) -> String {
    let removed: Vec<Value> =
        removed.iter().map(|id| json!({ "transaction_id": id, "account_id": "A" })).collect();
    let balances = json!({ "current": 20.5, "iso_currency_code": "EUR", "last_updated_datetime": time });
    let accounts = json!([{ "account_id": "A", "name": "Giro", "type": "depository", "balances": balances }]);
    json!({
        "accounts": accounts, "added": added, "modified": [], "removed": removed, "next_cursor": "c", "has_more": false,
    })
    .to_string()
}

fn row(id: &str, amount: f64, day: &str, pending: bool) -> Value {
    json!({
        "transaction_id": id, "account_id": "A", "amount": amount, "date": day, "name": id, "pending": pending,
        "iso_currency_code": "EUR",
    })
}

fn posted(id: &str, amount: f64, day: &str, before: &str) -> Value {
    let mut row = row(id, amount, day, false);
    row["pending_transaction_id"] = json!(before);
    row
}

/// Three lists of one day: an announced purchase, its booking and a withdrawn transaction.
fn lists(times: [Option<&str>; 3]) -> [String; 3] {
    [
        page(times[0], &[row("p", 5.0, "2026-01-05", true), row("x", 7.0, "2026-01-04", false)], &[]),
        page(times[1], &[posted("b", 5.5, "2026-01-06", "p"), row("y", 1.0, "2026-01-02", false)], &["p"]),
        page(times[2], &[row("y", 2.0, "2026-01-02", false)], &["x"]),
    ]
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
const ROWS: [&str; 2] = ["Checking 2026-01-02 -200 UNCATEGORIZED", "Checking 2026-01-06 -550 UNCATEGORIZED"];

#[tokio::test]
async fn lists_of_changes_give_the_same_rows_in_any_order() {
    let importer = Importer::new().await;
    let times = ["2026-01-07T08:00:00Z", "2026-01-07T09:30:00Z", "2026-01-07T12:00:00Z"];
    let files: Vec<String> = (1..)
        .zip(lists(times.map(Some)))
        .map(|(number, text)| importer.file(&format!("{number}.json"), &text))
        .collect();
    for order in ORDERS {
        for file in order.iter().chain(&order[..1]) {
            importer.import(std::slice::from_ref(&files[*file]), &["--account", IBAN]);
        }
        assert_eq!(importer.bookings().await, ROWS, "{order:?}");
        // The last list withdrew a transaction: without the list, it is back.
        importer.json(&["undo", &files[2]]);
        assert_eq!(importer.bookings().await.len(), 3, "{order:?}");
        files[..2].iter().for_each(|file| drop(importer.json(&["undo", file])));
        assert!(importer.rows().await.is_empty(), "{order:?}");
    }
}

#[tokio::test]
async fn changes_without_a_time_need_a_flag() {
    let importer = Importer::new().await;
    let files: Vec<String> = (1..)
        .zip(lists([None; 3]))
        .map(|(number, text)| importer.file(&format!("{number}.json"), &text))
        .collect();
    let words = ["import", &files[0], "--user", EMAIL, "--account", IBAN];
    let rejected = importer.admin(&words).failed(65);
    assert!(rejected.contains("must have a time") && rejected.contains("--as-of"), "{rejected}");
    let times = ["2026-01-07", "2026-01-07T09:30", "2026-01-07T12:00:00Z"];
    // All orders of three times are tested above; here each list comes once as first, second and last.
    for order in [ORDERS[0], ORDERS[3], ORDERS[4]] {
        for file in order {
            importer.import(std::slice::from_ref(&files[file]), &["--account", IBAN, "--as-of", times[file]]);
        }
        assert_eq!(importer.bookings().await, ROWS, "{order:?}");
        files.iter().for_each(|file| drop(importer.json(&["undo", file])));
    }
    // Two lists of one time have no order.
    importer.import(&files[..1], &["--account", IBAN, "--as-of", times[0]]);
    let words = ["import", &files[1], "--user", EMAIL, "--account", IBAN, "--as-of", times[0]];
    let rejected = importer.admin(&words).failed(65);
    assert!(
        rejected.contains("2.json: must have another time") && rejected.contains("as 1.json"),
        "{rejected}"
    );
    assert!(rejected.contains("--as-of"), "{rejected}");
    assert_eq!(importer.rows().await.len(), 2);
}

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
