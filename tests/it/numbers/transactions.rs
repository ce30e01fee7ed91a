//! The transaction list: every filter alone and combined, and the fields of a row.

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::TransactionType;
use serde_json::Value;
use tests::app::App;
use tests::household::Household;
use tests::http::query;

/// A household with one row for each filter value. Tests identify rows by their titles.
fn household() -> Household {
    use ExpenseCategory as E;
    use IncomeCategory as I;
    let mut household = Household::new();
    household.user.excluded_categories = vec![E::Vacation];
    let second = household.accounts[1];
    household.expense("2026-11-21", E::Groceries, 1_000, "EUR").title = "today".to_owned();
    household.expense("2026-10-22", E::Rent, 120_000, "EUR").title = "first day of 1m".to_owned();
    household.expense("2026-10-21", E::Rent, 120_000, "EUR").title = "day before 1m".to_owned();
    household.income("2026-11-01", I::Salary, 300_000, "EUR").title = "salary".to_owned();
    household.expense("2026-11-02", E::Vacation, 50_000, "EUR").title = "excluded".to_owned();
    household.expense("2026-11-03", E::Coffee, 1_000, "JPY").title = "no rate".to_owned();
    let pending = household.expense("2026-11-20", E::Coffee, 450, "EUR");
    pending.pending = true;
    pending.title = "pending".to_owned();
    let cafe = household.expense("2026-11-04", E::Restaurant, 2_500, "EUR");
    cafe.title = "KARTE 100% CAFE_X".to_owned();
    cafe.merchant_name = Some("Café Müßig".to_owned());
    household.expense("2026-11-05", E::Books, 1_500, "EUR").account_id = second;
    household.transactions.last_mut().expect("a row").title = "second account".to_owned();
    let out = household.row(
        "2026-11-06",
        TransactionType::InternalTransfer,
        Category::Expense(E::TransferOut),
        10_000,
        "EUR",
    );
    out.title = "transfer out".to_owned();
    let out = out.transaction_id;
    let back = household.row(
        "2026-11-06",
        TransactionType::InternalTransfer,
        Category::Income(I::TransferIn),
        10_000,
        "EUR",
    );
    back.title = "transfer in".to_owned();
    back.account_id = second;
    back.linked_transaction_id = Some(out);
    household
}

/// Parameters, and the titles of the matching rows.
type Case<'a> = (Vec<(&'a str, &'a str)>, Vec<&'a str>);

fn titles(answer: &Value) -> Vec<String> {
    let rows = answer["transactions"].as_array().expect("a list").iter();
    let mut titles: Vec<String> =
        rows.map(|row| row["title"].as_str().expect("a title").to_owned()).collect();
    titles.sort_unstable();
    titles
}

#[tokio::test]
async fn each_filter_selects_the_matching_rows() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let second = household.accounts[1].to_string();
    let both = format!("{},{second}", household.accounts[0]);
    let cafe = "KARTE 100% CAFE_X";
    let all = vec![
        cafe,
        "day before 1m",
        "excluded",
        "first day of 1m",
        "no rate",
        "pending",
        "salary",
        "second account",
        "today",
    ];
    let with_transfers: Vec<&str> = all.iter().copied().chain(["transfer in", "transfer out"]).collect();
    let cases: Vec<Case<'_>> = vec![
        (vec![], all.clone()),
        (vec![("showInternalTransfers", "true")], with_transfers),
        (vec![("types", "INCOME")], vec!["salary"]),
        (
            vec![("types", "INCOME"), ("showInternalTransfers", "true")],
            vec!["salary", "transfer in", "transfer out"],
        ),
        (vec![("types", "INCOME,EXPENSE")], all.clone()),
        (vec![("categories", "RENT")], vec!["day before 1m", "first day of 1m"]),
        (vec![("categories", "RENT,SALARY")], vec!["day before 1m", "first day of 1m", "salary"]),
        (vec![("categories", "TRANSFER_OUT")], vec!["transfer out"]),
        (vec![("categories", "TRANSFER_IN,SALARY")], vec!["salary", "transfer in"]),
        (
            vec![("categories", "RENT"), ("categories", "SALARY")],
            vec!["day before 1m", "first day of 1m", "salary"],
        ),
        (vec![("categories", "TRANSFER_OUT"), ("showInternalTransfers", "true")], vec!["transfer out"]),
        (vec![("accountIds", &second)], vec!["second account"]),
        (vec![("accountIds", &both)], all.clone()),
        (vec![("accountIds", "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d")], vec![]),
        (vec![("minAmountCents", "120000")], vec!["day before 1m", "first day of 1m", "salary"]),
        (vec![("maxAmountCents", "450")], vec!["pending"]),
        (vec![("minAmountCents", "1000"), ("maxAmountCents", "1000")], vec!["no rate", "today"]),
        (vec![("pending", "true")], vec!["pending"]),
        (vec![("timeRange", "1m"), ("categories", "RENT")], vec!["first day of 1m"]),
        (vec![("timeRange", "1m"), ("dateTo", "2026-10-21")], vec!["day before 1m"]),
        (vec![("dateFrom", "2026-11-20")], vec!["pending", "today"]),
        (vec![("dateFrom", "2026-11-01"), ("dateTo", "2026-11-03")], vec!["excluded", "no rate", "salary"]),
        (vec![("merchantQuery", "cafe mussig")], vec![cafe]),
        (vec![("merchantQuery", "CAFÉ MÜSSIG")], vec![cafe]),
        (vec![("merchantQuery", "afé")], vec![cafe]),
        (vec![("merchantQuery", "100%")], vec![cafe]),
        (vec![("merchantQuery", "cafe_x")], vec![cafe]),
        (vec![("merchantQuery", "c%x")], vec![]),
        (vec![("merchantQuery", "cafe-x")], vec![]),
        (vec![("merchantQuery", "\\")], vec![]),
        (vec![("merchantQuery", "\u{301}")], vec![]),
        (
            vec![
                ("types", "EXPENSE"),
                ("categories", "RENT"),
                ("minAmountCents", "1"),
                ("timeRange", "1m"),
                ("pending", "false"),
            ],
            vec!["first day of 1m"],
        ),
    ];
    for (parameters, mut expected) in cases {
        let answer = app.get(&format!("/v1/transactions?{}", query(&parameters)), &token).await.ok();
        expected.sort_unstable();
        assert_eq!(titles(&answer), expected, "{parameters:?}");
    }
}

#[tokio::test]
async fn contradictory_range_is_rejected() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    for (parameters, name) in [
        ([("dateFrom", "2026-11-02"), ("dateTo", "2026-11-01")], "dateFrom"),
        ([("minAmountCents", "2"), ("maxAmountCents", "1")], "minAmountCents"),
    ] {
        let reply = app.get(&format!("/v1/transactions?{}", query(&parameters)), &token).await;
        assert_eq!(reply.status, 400);
        assert_eq!(reply.json()["error"]["details"][0]["parameter"], name);
    }
}

#[tokio::test]
async fn row_has_all_known_fields_and_no_nulls() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let answer = app.get("/v1/transactions?showInternalTransfers=true&pageSize=200", &token).await.ok();
    let rows = answer["transactions"].as_array().expect("a list");
    for row in rows {
        for (name, value) in row.as_object().expect("an object") {
            assert!(!value.is_null(), "{name} is null");
        }
        for required in ["id", "type", "category", "amount_cents", "date", "title", "pending", "currency"] {
            assert!(row.get(required).is_some(), "{required}");
        }
    }
    let linked: Vec<&Value> = rows.iter().filter(|row| row.get("linked_transaction_id").is_some()).collect();
    assert_eq!(linked.len(), 1);
    assert_eq!(linked[0]["title"], "transfer in");
}

#[tokio::test]
async fn pending_row_is_hidden_once_a_posted_row_replaces_it() {
    use ExpenseCategory as E;
    let app = App::start().await;
    let mut household = Household::new();
    let second = household.accounts[1];
    let mut pair = |title: &str, change: &dyn Fn(&mut passbook_records::record::Transaction)| {
        let pending = household.expense("2026-11-10", E::Books, 100, "EUR");
        pending.pending = true;
        pending.title = format!("{title}: pending");
        let id = pending.transaction_id;
        let posted = household.expense("2026-11-11", E::Books, 110, "EUR");
        posted.title = format!("{title}: posted");
        posted.linked_transaction_id = Some(id);
        change(posted);
    };
    pair("replaced", &|_| ());
    pair("other account", &|posted| posted.account_id = second);
    pair("other type", &|posted| {
        posted.transaction_type = TransactionType::Income;
        posted.category = Category::Income(IncomeCategory::Gift);
    });
    pair("not posted either", &|posted| posted.pending = true);
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let answer = app.get("/v1/transactions", &token).await.ok();
    let expected = [
        "not posted either: pending",
        "not posted either: posted",
        "other account: pending",
        "other account: posted",
        "other type: pending",
        "other type: posted",
        "replaced: posted",
    ];
    assert_eq!(titles(&answer), expected);
    let posted_row = answer["transactions"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|row| row["title"] == "replaced: posted");
    assert!(
        posted_row.expect("the posted row is listed").get("linked_transaction_id").is_none(),
        "the link is omitted"
    );
    let cashflow = app.get("/v1/cashflow/summary", &token).await.ok();
    assert_eq!(cashflow["expenseTotal"]["amount_cents"], 110 + 210 + 100 + 210);
    let posted = app.get("/v1/cashflow/summary?includePending=false", &token).await.ok();
    assert_eq!(posted["expenseTotal"]["amount_cents"], 110 + 110);
    for cursor in ["amount_desc", "amount_asc"] {
        let gone = &household.transactions[0];
        let cursor = format!(
            "/v1/transactions?{}",
            query(&[
                ("sort", cursor),
                ("cursor", &format!("{{\"date\":\"{}\",\"id\":\"{}\"}}", gone.date, gone.transaction_id))
            ])
        );
        assert_eq!(
            app.get(&cursor, &token).await.code(),
            "INVALID_CURSOR",
            "the hidden row must not be a valid cursor"
        );
    }
}
