//! Rules about pages of a list.

use serde_json::Value;

use crate::conformance::calls::{answer, describe};
use crate::conformance::difference::compare;
use crate::conformance::report::{Report, Rule};
use crate::conformance::subject::OpenLedger;

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
