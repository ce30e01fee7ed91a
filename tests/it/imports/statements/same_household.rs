//! The same household in every format, and as a bundle, gives the same totals.

use serde_json::{Value, json};

use super::writers::{Booking, camt, csv, mt940, ofx, qif};
use super::{EMAIL, IBAN, Importer, year};
use tests::admin::admin_with_input;

/// The bundle of the household, with the categories that the starter rules give.
fn bundle(bookings: &[Booking]) -> String {
    let user = passbook_records::id::user(EMAIL).to_string();
    let row = |(number, booking): (usize, &Booking)| {
        let (kind, category) = match booking.party.as_str() {
            "Acme Gehalt" => ("INCOME", "SALARY"),
            "Netflix" => ("EXPENSE", "SUBSCRIPTIONS"),
            "REWE" => ("EXPENSE", "GROCERIES"),
            _ => ("EXPENSE", "RENT"),
        };
        json!({
            "user": user, "id": format!("t{number}"), "account": IBAN, "date": booking.day, "type": kind,
            "category": category, "amount_cents": booking.cents.abs(), "currency": "EUR", "title": booking.party,
            "merchant_name": booking.party,
        })
    };
    let rows: Vec<Value> = bookings.iter().enumerate().map(row).collect();
    json!({ "format": "passbook-bundle", "version": 1, "transactions": rows }).to_string()
}

/// Removes identifiers, which differ between formats.
fn without_ids(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.retain(|name, _| !matches!(name.as_str(), "id" | "transaction_ids" | "account_id"));
    }
    match value {
        Value::Object(object) => object.into_iter().map(|(name, value)| (name, without_ids(value))).collect(),
        Value::Array(values) => values.into_iter().map(without_ids).collect(),
        other => other,
    }
}

/// The totals of a household.
async fn totals(importer: &Importer) -> Vec<Value> {
    let mut totals = Vec::new();
    for target in [
        "/v1/cashflow/summary?dateFrom=2025-01-01&dateTo=2025-12-31",
        "/v1/cashflow/summary?dateFrom=2025-03-01&dateTo=2025-03-31",
        "/v1/spending/summary?dateFrom=2025-01-01&dateTo=2025-12-31",
        "/v1/spending/categories?dateFrom=2025-01-01&dateTo=2025-12-31",
        "/v1/recurring-payments",
    ] {
        totals.push(without_ids(importer.get(target).await));
    }
    totals
}

#[tokio::test]
async fn every_format_gives_the_totals_of_the_bundle() {
    let bookings = year();
    let from_bundle = Importer::new().await;
    admin_with_input(from_bundle.database(), &["load", "-", "--user", EMAIL], &bundle(&bookings)).done();
    let expected = totals(&from_bundle).await;
    assert_eq!(expected[0]["expenseTotal"]["amount_cents"], 12 * (90_000 + 1_299) + groceries(&bookings));
    for (name, content) in [
        ("household.csv", csv(&bookings)),
        ("household.ofx", ofx(&bookings, 100_000)),
        ("household.xml", camt(1, &bookings, 100_000)),
        ("household.sta", mt940(&bookings, 100_000)),
        ("household.qif", qif(&bookings)),
    ] {
        let importer = Importer::new().await;
        let file = importer.file(name, &content);
        let imported = importer.import(&[file], &["--account", IBAN]);
        assert_eq!(imported["files"][0]["new"], bookings.len(), "{name}");
        assert_eq!(totals(&importer).await, expected, "{name}");
    }
}

fn groceries(bookings: &[Booking]) -> i64 {
    bookings.iter().filter(|booking| booking.party == "REWE").map(|booking| -booking.cents).sum()
}
