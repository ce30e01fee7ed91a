//! Links of transfers and refunds: rules for the linked row, among the rows of an input and against stored rows.

use passbook_fault::Fault;
use serde_json::{Value, json};
use tests::database::Database;

use super::{content, example, loaded, refused};

const LEG: &str = "must name the other leg of this transfer: an INTERNAL_TRANSFER in the other direction, on another \
                   account, that is linked to this row or to none";
const SAME_ACCOUNT: &str = "must name the other leg of this transfer, which is not a pending row on the same account; if this \
                    row replaces that one, give `type` (INCOME or EXPENSE) and `category` explicitly";
const PURCHASE: &str = "must name the purchase, an EXPENSE, because this row is a REFUND";

fn row(id: &str, account: &str, kind: &str, category: &str, link: Option<&str>) -> Value {
    let mut row = json!({ "user": example()["users"][0]["id"], "id": id, "account": account, "date": "2026-11-18",
        "type": kind, "category": category, "amount_cents": 100, "currency": "EUR", "title": id });
    if let Some(link) = link {
        row["linked_transaction"] = json!(link);
    }
    row
}

fn out(id: &str, account: &str, link: &str) -> Value {
    row(id, account, "INTERNAL_TRANSFER", "TRANSFER_OUT", Some(link))
}

fn into(id: &str, account: &str, link: &str) -> Value {
    row(id, account, "INTERNAL_TRANSFER", "TRANSFER_IN", Some(link))
}

fn salary(id: &str) -> Value {
    row(id, "checking", "INCOME", "SALARY", None)
}

fn rent(id: &str) -> Value {
    row(id, "checking", "EXPENSE", "RENT", None)
}

/// A transfer leg whose other side is not in Passbook and which has no link.
fn unlinked(id: &str, account: &str, category: &str) -> Value {
    let mut row = row(id, account, "INTERNAL_TRANSFER", category, None);
    row["counterpart_outside"] = json!(true);
    row
}

fn pending(mut row: Value) -> Value {
    row["pending"] = json!(true);
    row
}

fn coded(id: &str, direction: &str, code: &str, link: &str) -> Value {
    let mut row = row(id, "checking", "", "", Some(link));
    let fields = row.as_object_mut().expect("an object");
    fields.remove("type");
    fields.remove("category");
    row["direction"] = json!(direction);
    row["provider_category"] = json!(code);
    row
}

fn bundle(transactions: &[Value]) -> Value {
    json!({ "format": "passbook-bundle", "version": 1, "transactions": transactions })
}

/// The example bundle with a second account.
fn two_accounts() -> Value {
    let mut bundle = example();
    let mut savings = bundle["accounts"][0].clone();
    savings["id"] = json!("savings");
    bundle["accounts"].as_array_mut().expect("an array").push(savings);
    bundle
}

fn messages(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::to_string).collect()
}

#[tokio::test]
async fn link_that_contradicts_its_row_is_rejected() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &two_accounts()).await;
    let before = content(&database).await;
    let cases = [
        ("to income", vec![into("a", "checking", "b"), salary("b")], LEG),
        ("to an expense", vec![into("a", "checking", "b"), rent("b")], LEG),
        (
            "the same direction",
            vec![out("a", "checking", "b"), unlinked("b", "savings", "TRANSFER_OUT")],
            LEG,
        ),
        ("the same account", vec![out("a", "checking", "b"), unlinked("b", "checking", "TRANSFER_IN")], LEG),
        (
            "a leg of a third row",
            vec![out("a", "checking", "b"), into("b", "savings", "c"), out("c", "checking", "b")],
            LEG,
        ),
        ("its own pending row", vec![into("a", "checking", "b"), pending(salary("b"))], SAME_ACCOUNT),
        (
            "its own pending row, by a provider category",
            vec![coded("a", "in", "TRANSFER_IN_SAVINGS", "b"), pending(salary("b"))],
            SAME_ACCOUNT,
        ),
        (
            "a refund of income",
            vec![row("a", "checking", "INCOME", "REFUND", Some("b")), salary("b")],
            PURCHASE,
        ),
        (
            "a refund of a transfer, by a provider category",
            vec![
                coded("a", "in", "TRAVEL_FLIGHTS", "b"),
                out("b", "checking", "c"),
                into("c", "savings", "b"),
            ],
            PURCHASE,
        ),
    ];
    for (name, rows, rule) in cases {
        let faults = refused(&mut client, &bundle(&rows)).await;
        assert_eq!(messages(&faults), [format!("transactions[0].linked_transaction: {rule}")], "{name}");
        assert_eq!(content(&database).await, before, "{name}: nothing may be stored");
    }
}

#[tokio::test]
async fn consistent_links_are_stored() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &two_accounts()).await;
    let cases = [
        vec![out("a", "checking", "b"), into("b", "savings", "a")],
        vec![out("c", "checking", "d"), unlinked("d", "savings", "TRANSFER_IN")],
        vec![row("e", "savings", "INCOME", "REFUND", Some("f")), rent("f")],
        // A posted row may link to any pending or posted row that it replaces.
        vec![row("g", "savings", "EXPENSE", "RENT", Some("h")), salary("h")],
        vec![row("i", "checking", "INCOME", "TRANSFER_IN", Some("j")), pending(salary("j"))],
        // An identical repetition is one row.
        vec![out("k", "checking", "l"), into("l", "savings", "k"), into("l", "savings", "k")],
    ];
    for rows in cases {
        loaded(&mut client, &bundle(&rows)).await;
    }
}

#[tokio::test]
async fn link_is_checked_against_the_input_before_the_stored_row() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &two_accounts()).await;
    loaded(&mut client, &bundle(&[salary("income"), unlinked("leg", "savings", "TRANSFER_IN")])).await;

    let faults = refused(&mut client, &bundle(&[out("a", "checking", "income")])).await;
    assert_eq!(messages(&faults), [format!("transactions[0].linked_transaction: {LEG}")], "the stored row");
    loaded(&mut client, &bundle(&[out("a", "checking", "income"), into("income", "savings", "a")])).await;

    loaded(&mut client, &bundle(&[out("b", "checking", "leg")])).await;
    let replaced = row("leg", "savings", "INCOME", "GIFT", None);
    let faults = refused(&mut client, &bundle(&[out("b", "checking", "leg"), replaced])).await;
    assert_eq!(
        messages(&faults),
        [format!("transactions[0].linked_transaction: {LEG}")],
        "the row of the input"
    );
}

#[tokio::test]
async fn closed_paper_position_is_stored() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    bundle["paper_positions"][0]["quantity"] = json!("0");
    loaded(&mut client, &bundle).await;
}
