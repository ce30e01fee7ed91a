//! Paging: concatenated pages equal the whole list in every order, also while rows are inserted.

use jiff::ToSpan as _;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::transaction::TransactionType;
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::household::{Household, rate};
use tests::http::query;
use uuid::Uuid;

/// More rows than any test has. A walk over pages that overlap stops at this number.
const ROWS_MAX: usize = 1_000;
const SORTS: [&str; 4] = ["date_desc", "date_asc", "amount_desc", "amount_asc"];

/// A household of 60 rows with equal dates, equal amounts and missing rates, so that the order depends on tie-breaks.
fn household() -> Household {
    let mut household = Household::new();
    for number in 0..60_i64 {
        let date = TODAY.checked_sub((number % 7).days()).expect("in range").to_string();
        let currency = ["EUR", "USD", "JPY"][usize::try_from(number % 3).expect("small")];
        household.expense(&date, ExpenseCategory::Books, 1_000 + (number % 5) * 100, currency);
    }
    household
}

/// Serves the household. Returns it with a token of its owner.
async fn served() -> (App, Household, String) {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    app.load([rate("2026-11-10", "USD", "1.1")]).await;
    let token = app.token(household.user.user_id).await;
    (app, household, token)
}

async fn page(app: &App, token: &str, parameters: &[(&str, &str)], cursor: Option<&Value>) -> Value {
    let cursor = cursor.map(Value::to_string);
    let mut parameters = parameters.to_vec();
    if let Some(cursor) = &cursor {
        parameters.push(("cursor", cursor));
    }
    app.get(&format!("/v1/transactions?{}", query(&parameters)), token).await.ok()
}

fn ids(page: &Value) -> Vec<String> {
    let rows = page["transactions"].as_array().expect("a list").iter();
    rows.map(|row| row["id"].as_str().expect("an id").to_owned()).collect()
}

/// The identifiers on all pages. Calls `between` after each page.
async fn walk(
    app: &App,
    token: &str,
    parameters: &[(&str, &str)],
    mut between: impl AsyncFnMut(),
) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = None;
    loop {
        let page = page(app, token, parameters, cursor.as_ref()).await;
        found.extend(ids(&page));
        let next = page["pagination"].get("nextCursor").cloned();
        assert_eq!(
            page["pagination"]["hasMore"],
            next.is_some(),
            "a cursor must be present exactly if there is a next page"
        );
        if next.is_none() {
            return found;
        }
        assert!(found.len() < ROWS_MAX, "the pages must end");
        cursor = next;
        between().await;
    }
}

#[tokio::test]
async fn rows_inserted_between_pages_cause_no_repeated_or_missing_row() {
    let (app, household, token) = served().await;
    // A filter selects another query. Every row has the category.
    let filters = [&[][..], &[("categories", "BOOKS")][..]];
    for (sort, filter) in SORTS.into_iter().flat_map(|sort| filters.map(|filter| (sort, filter))) {
        let before = ids(&page(&app, &token, &[("sort", sort), ("pageSize", "200")], None).await);
        let mut number = 0_i64;
        let between = async || {
            number += 1;
            let mut late = household.clone();
            late.transactions.clear();
            let date = TODAY.checked_sub((number % 9).days()).expect("in range").to_string();
            late.row(
                &date,
                TransactionType::Expense,
                Category::Expense(ExpenseCategory::Books),
                1_000 + number * 37 % 600,
                "EUR",
            );
            app.load(late.records()).await;
        };
        let parameters = &[&[("sort", sort), ("pageSize", "19")][..], filter].concat();
        let read = walk(&app, &token, parameters, between).await;
        let mut distinct = read.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), read.len(), "{sort} {filter:?}: a row was repeated");
        let seen: Vec<&String> = read.iter().filter(|id| before.contains(id)).collect();
        assert_eq!(seen, before.iter().collect::<Vec<_>>(), "{sort} {filter:?}: a row was missed or moved");
    }
}

#[tokio::test]
async fn date_cursor_is_never_looked_up_and_amount_cursor_must_be_an_own_row() {
    let app = App::start().await;
    let (household, other) = (household(), household());
    app.load(household.records()).await;
    app.load(other.records()).await;
    let token = app.token(household.user.user_id).await;
    let own = &household.transactions[0];
    let foreign = &other.transactions[0];
    let cursor = |date: &str, id: Uuid| format!("{{\"date\":\"{date}\",\"id\":\"{id}\"}}");
    let date = own.date.to_string();
    for sort in ["date_desc", "date_asc"] {
        for cursor in [
            cursor(&date, own.transaction_id),
            cursor(&foreign.date.to_string(), foreign.transaction_id),
            cursor("1999-01-01", Uuid::nil()),
        ] {
            let target = format!("/v1/transactions?{}", query(&[("sort", sort), ("cursor", &cursor)]));
            app.get(&target, &token).await.ok();
        }
    }
    let mut errors = Vec::new();
    for sort in ["amount_desc", "amount_asc"] {
        let get = async |cursor: &str| {
            app.get(&format!("/v1/transactions?{}", query(&[("sort", sort), ("cursor", cursor)])), &token)
                .await
        };
        get(&cursor(&date, own.transaction_id)).await.ok();
        for cursor in [
            cursor(&foreign.date.to_string(), foreign.transaction_id),
            cursor(&date, Uuid::new_v4()),
            cursor("1999-01-01", own.transaction_id),
        ] {
            let reply = get(&cursor).await;
            assert_eq!(
                (reply.status.as_u16(), reply.code().as_str()),
                (400, "INVALID_CURSOR"),
                "{sort} {cursor}"
            );
            let mut error = reply.json();
            error["error"]["requestId"] = Value::Null;
            errors.push(error);
        }
    }
    assert!(
        errors.windows(2).all(|pair| pair[0] == pair[1]),
        "a cursor at a foreign row and at no row must give the same response"
    );
}
