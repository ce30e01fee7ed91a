//! Lists of changes, as Plaid sends them: the newest list decides, in whatever order the lists are imported.

use serde_json::{Value, json};

use super::{EMAIL, IBAN, Importer};

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
