//! Rules about lists of rows: the pages of a list, and the rows in which recurring payments are detected.

use jiff::civil::{Date, date};
use passbook_domain::access::Access;
use passbook_domain::scope::Scope;
use serde_json::Value;

use super::calls::{Grant, OpenLedger, Subject, answer, describe};
use super::report::{Report, Rule, compare};
use crate::sample::transaction_id;

const PAGES: Rule<'static> = Rule {
    name: "pages-join-to-the-list",
    sentence: "The pages of a list, one after the other, are the list: no row is missing and none occurs twice.",
};
const CURSOR: Rule<'static> = Rule {
    name: "unknown-cursor-is-an-error",
    sentence: "An order by amount rejects a cursor that names no row of the person.",
};

/// Number of pages after which a list of the sample has certainly ended.
const PAGES_MAX: usize = 100;

pub(super) async fn check(open: &OpenLedger, person: &str, report: &mut Report) {
    for sort in ["date_desc", "date_asc", "amount_desc", "amount_asc"] {
        for page_size in ["1", "3"] {
            let call = describe(person, "transactions", &[("sort", sort), ("pageSize", page_size)]);
            report.record(PAGES, call, pages_join(open, sort, page_size).await);
        }
    }
    let cursor = r#"{"date":"2026-01-02","id":"00000000-0000-0000-0000-00000000ffff"}"#;
    for sort in ["amount_desc", "amount_asc"] {
        let parameters = [("sort", sort), ("cursor", cursor)];
        let found = answer(open, "transactions", &parameters).await;
        let expected = serde_json::json!({ "error": "INVALID_CURSOR" });
        report.record(CURSOR, describe(person, "transactions", &parameters), compare(&expected, &found));
    }
}

async fn pages_join(open: &OpenLedger, sort: &str, page_size: &str) -> Result<(), String> {
    let whole = answer(open, "transactions", &[("sort", sort), ("pageSize", "200")]).await;
    let mut joined: Vec<Value> = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let mut parameters = vec![("sort", sort), ("pageSize", page_size)];
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let page = answer(open, "transactions", &parameters).await;
        joined.extend(ids(&page));
        match page["pagination"].get("nextCursor") {
            Some(next) => cursor = Some(next.to_string()),
            None => return compare(&Value::Array(ids(&whole)), &Value::Array(joined)),
        }
    }
    Err(format!("the list has not ended after {PAGES_MAX} pages"))
}

fn ids(page: &Value) -> Vec<Value> {
    page["transactions"].as_array().into_iter().flatten().map(|row| row["id"].clone()).collect()
}

const WINDOW: Rule<'static> = Rule {
    name: "recurring-payments-read-25-months",
    sentence: "Recurring payments are detected in the income and expenses of the 25 months up to a day, with excluded categories, converted at the rates of that day.",
};

/// The numbers of the rows up to a day, and the converted cents of row 2, which is in US dollars.
const EXPECTED: [(Date, &[u128], Option<i64>); 2] = [
    (date(2026, 3, 31), &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 16, 17, 18, 20, 21, 22, 24], None),
    (date(2026, 3, 30), &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 16, 17, 20, 21, 22, 24], Some(781)),
];

pub(super) async fn check_recurring(subject: &dyn Subject, report: &mut Report) {
    let open = subject.open("ada", Grant::Full).expect("every person has a full grant");
    for (day, numbers, cents) in EXPECTED {
        let call = format!("ada: Ledger::recurring_payments up to {day}");
        report.record(WINDOW, call, rows(&open, day, numbers, cents).await);
    }
}

#[expect(clippy::disallowed_methods, reason = "the kit calls the ledger in place of the service")]
async fn rows(open: &OpenLedger, day: Date, numbers: &[u128], cents: Option<i64>) -> Result<(), String> {
    let access = Access::for_operation(&open.credential, Some(Scope::RecurringPaymentsRead));
    let reading = open.ledger.recurring_payments(&access, Some(day)).await;
    let mut payments = reading.map_err(|error| passbook_domain::error_chain(&error))?.data;
    payments.sort_by_key(|payment| payment.id);
    let found: Vec<u128> = payments.iter().map(|payment| payment.id.as_u128()).collect();
    if found != numbers {
        return Err(format!("expected the rows {numbers:?}, found {found:?}"));
    }
    let dollars = payments.iter().find(|payment| payment.id == transaction_id(2));
    let found = dollars.and_then(|payment| payment.converted_cents);
    if found == cents { Ok(()) } else { Err(format!("row 2: expected {cents:?} cents, found {found:?}")) }
}
