//! Rules of single payloads: ranges, months, merchant spellings, refunds, targets and excluded categories.

use jiff::civil::date;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use serde_json::{Value, json};
use tests::app::App;
use tests::database::Database;
use tests::household::{Household, rate};

async fn get(app: &App, household: &Household, target: &str) -> Value {
    let token = app.token(household.user.user_id).await;
    app.get(target, &token).await.ok()
}

#[tokio::test]
async fn time_range_of_months_ends_today_and_is_clamped_to_month_ends() {
    for (today, range, expected) in [
        (date(2026, 11, 21), "1m", ("2026-10-22", "2026-11-21")),
        (date(2026, 11, 21), "3m", ("2026-08-22", "2026-11-21")),
        (date(2026, 11, 21), "6m", ("2026-05-22", "2026-11-21")),
        (date(2026, 11, 21), "1y", ("2025-11-22", "2026-11-21")),
        (date(2026, 3, 31), "1m", ("2026-03-01", "2026-03-31")),
        (date(2026, 3, 30), "1m", ("2026-03-01", "2026-03-30")),
        (date(2024, 2, 29), "1y", ("2023-03-01", "2024-02-29")),
        (date(2026, 5, 31), "3m", ("2026-03-01", "2026-05-31")),
    ] {
        let app = App::start_on_day(Database::fresh().await, today).await;
        let household = Household::new();
        app.load(household.records()).await;
        let answer = get(&app, &household, &format!("/v1/spending/categories?timeRange={range}")).await;
        assert_eq!(
            (&answer["dateFrom"], &answer["dateTo"]),
            (&json!(expected.0), &json!(expected.1)),
            "{today} {range}"
        );
    }
}

#[tokio::test]
async fn open_ends_of_a_range_are_absent() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    for (query, from, to) in [
        ("", None, None),
        ("?timeRange=all", None, None),
        ("?dateFrom=2026-01-01", Some("2026-01-01"), None),
        ("?dateTo=2026-01-01&timeRange=1m", None, Some("2026-01-01")),
    ] {
        let answer = get(&app, &household, &format!("/v1/spending/summary{query}")).await;
        assert_eq!(answer.get("dateFrom").and_then(Value::as_str), from, "{query}");
        assert_eq!(answer.get("dateTo").and_then(Value::as_str), to, "{query}");
        assert!(answer.get("previousPeriod").is_none(), "{query}");
    }
}

#[tokio::test]
async fn today_is_the_day_in_the_time_zone_of_the_user() {
    let app = App::start().await;
    let database = app.database.clone();
    let zones = ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"];
    let reader = database.connect("passbook_reader").await;
    for zone in zones {
        let row = reader
            .query_one("select passbook_read.today_in($1) = (now() at time zone $1)::date, passbook_read.today_in($1) - (now() at time zone 'UTC')::date", &[&zone])
            .await
            .expect("the query runs");
        assert!(row.get::<_, bool>(0), "{zone}");
        assert!((-1..=1).contains(&row.get::<_, i32>(1)), "{zone}");
    }
}

#[tokio::test]
async fn open_range_is_from_the_first_counted_row_to_today_or_the_last_row() {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-12", ExpenseCategory::Books, 1_000, "EUR");
    app.load(household.records()).await;
    let answer = get(&app, &household, "/v1/spending/summary?groupBy=day").await;
    assert_eq!(
        answer["averagePerDay"]["amount_cents"], 100,
        "the range must have ten days, from 11-12 to 11-21"
    );
    assert_eq!(answer["periods"].as_array().map(Vec::len), Some(10));
    household.expense("2026-12-01", ExpenseCategory::Books, 1_000, "EUR");
    app.load(household.records()).await;
    let answer = get(&app, &household, "/v1/spending/summary?groupBy=day").await;
    assert_eq!(answer["averagePerDay"]["amount_cents"], 100, "the range must have twenty days, until 12-01");
    let empty = Household::new();
    app.load(empty.records()).await;
    let answer = get(&app, &empty, "/v1/spending/summary").await;
    assert_eq!((&answer["averagePerDay"]["amount_cents"], &answer["periods"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn too_many_periods_are_rejected_and_group_by_none_gives_no_periods() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let range = "dateFrom=2020-01-01&dateTo=2023-04-15";
    let reply = app.get(&format!("/v1/spending/summary?{range}&groupBy=day"), &token).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_REQUEST"));
    assert_eq!(reply.json()["error"]["details"][0]["parameter"], "groupBy");
    let answer = app.get(&format!("/v1/spending/summary?{range}&groupBy=none"), &token).await.ok();
    assert_eq!(answer["periods"], json!([]));
    let limit =
        app.get("/v1/spending/summary?dateFrom=2020-01-01&dateTo=2023-04-14&groupBy=day", &token).await.ok();
    assert_eq!(limit["periods"].as_array().map(Vec::len), Some(1_200));
}

#[tokio::test]
async fn merchants_are_grouped_without_case_and_show_the_latest_spelling() {
    let app = App::start().await;
    let mut household = Household::new();
    for (day, name, cents) in [
        ("2026-11-01", "ÉCLAIR", 300),
        ("2026-11-03", " Éclair ", 200),
        ("2026-11-02", "éclair", 100),
        ("2026-11-02", "Eclair", 50),
        ("2026-11-02", "Zoo", 600),
    ] {
        household.expense(day, ExpenseCategory::Books, cents, "EUR").merchant_name = Some(name.to_owned());
    }
    household.expense("2026-11-05", ExpenseCategory::Books, 750, "EUR");
    app.load(household.records()).await;
    let answer = get(&app, &household, "/v1/spending/merchants/top").await;
    assert_eq!(
        answer["totalExpense"]["amount_cents"], 2_000,
        "rows without a merchant must count in the total"
    );
    let listed: Vec<(String, i64, f64)> = answer["merchants"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| {
            let name = entry["merchant"].as_str().expect("a name").to_owned();
            (
                name,
                entry["total"]["amount_cents"].as_i64().expect("cents"),
                entry["percentOfTotal"].as_f64().expect("percent"),
            )
        })
        .collect();
    // Equal totals are sorted by the bytes of the name: "Z" comes before "É".
    let expected =
        [("Zoo".to_owned(), 600, 30.0), ("Éclair".to_owned(), 600, 30.0), ("Eclair".to_owned(), 50, 2.5)];
    assert_eq!(listed, expected);
    let one = get(&app, &household, "/v1/spending/merchants/top?limit=1").await;
    assert_eq!(one["merchants"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn refund_counts_on_its_own_date_in_the_category_of_its_purchase() {
    let app = App::start().await;
    let mut household = Household::new();
    household.user.excluded_categories = vec![ExpenseCategory::Vacation];
    let shoes = household.expense("2026-09-05", ExpenseCategory::Clothing, 9_000, "EUR").transaction_id;
    let trip = household.expense("2026-11-05", ExpenseCategory::Vacation, 9_000, "EUR").transaction_id;
    household.income("2026-11-09", IncomeCategory::Refund, 4_000, "EUR").linked_transaction_id = Some(shoes);
    household.income("2026-11-09", IncomeCategory::Refund, 500, "EUR").linked_transaction_id = Some(trip);
    household.income("2026-11-09", IncomeCategory::Refund, 70, "EUR");
    app.load(household.records()).await;
    let november = "dateFrom=2026-11-01&dateTo=2026-11-30";
    let answer = get(&app, &household, &format!("/v1/spending/categories?{november}")).await;
    assert_eq!(answer["categories"].as_array().map(Vec::len), Some(1), "{answer}");
    let clothing = &answer["categories"][0];
    assert_eq!((&clothing["category"], &clothing["total"]["amount_cents"]), (&json!("CLOTHING"), &json!(0)));
    assert_eq!(clothing["refunds"]["amount_cents"], 4_000);
    let summary = get(&app, &household, &format!("/v1/spending/summary?{november}")).await;
    assert_eq!(summary["totalRefunds"]["amount_cents"], 4_570);
    assert_eq!(summary["netSpending"]["amount_cents"], -4_570);
    let cashflow = get(&app, &household, &format!("/v1/cashflow/summary?{november}")).await;
    assert_eq!(cashflow["incomeTotal"]["amount_cents"], 4_570, "a refund must count as income");
    let included =
        get(&app, &household, &format!("/v1/spending/categories?{november}&includeExcluded=true")).await;
    assert_eq!(included["categories"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn budget_target_is_converted_at_the_end_of_the_month_or_today() {
    let app = App::start().await;
    let mut household = Household::new();
    household.budget(Category::Expense(ExpenseCategory::Books), 1_000, "USD");
    household.budget(Category::Income(IncomeCategory::Salary), 5_000, "USD");
    app.load(household.records()).await;
    app.load([
        rate("2026-10-30", "USD", "2"),
        rate("2026-11-20", "USD", "4"),
        rate("2026-11-25", "USD", "8"),
    ])
    .await;
    for (query, target) in [
        ("", Some(250)),
        ("?month=10", Some(500)),
        ("?month=11&year=2026", Some(250)),
        ("?month=12", Some(250)),
        ("?year=2020&month=5", None),
    ] {
        let answer = get(&app, &household, &format!("/v1/budgets/summary{query}")).await;
        let entry = &answer[0];
        assert_eq!(answer.as_array().map(Vec::len), Some(1), "{query}: income targets must not be listed");
        assert_eq!(
            entry.get("target").map(|target| target["amount_cents"].clone()),
            target.map(|cents| json!(cents)),
            "{query}"
        );
        let unconverted = json!([{ "currency": "USD", "amount_cents": 1_000 }]);
        assert_eq!(
            entry.get("unconverted"),
            if target.is_none() { Some(&unconverted) } else { None },
            "{query}"
        );
    }
    let income = get(&app, &household, "/v1/budgets/categories").await;
    assert_eq!(income[0]["target_amount_cents"], 5_000);
    assert_eq!(income[0]["currency"], "USD", "the currency must be the stored one");
}

#[tokio::test]
async fn excluded_categories_are_left_out_of_totals_but_not_of_the_list() {
    let app = App::start().await;
    let mut household = Household::new();
    household.user.excluded_categories = vec![ExpenseCategory::Vacation, ExpenseCategory::Books];
    household.expense("2026-11-05", ExpenseCategory::Vacation, 700, "EUR").merchant_name =
        Some("Hotel".to_owned());
    household.expense("2026-11-05", ExpenseCategory::Rent, 300, "EUR");
    household.budget(Category::Expense(ExpenseCategory::Books), 1_000, "EUR");
    app.load(household.records()).await;
    let preferences = get(&app, &household, "/v1/preferences").await;
    assert_eq!(
        preferences,
        json!({
            "excluded_categories": ["BOOKS", "VACATION"], "preferredCurrency": "EUR", "timeZone": "UTC",
            "today": "2026-11-21"
        })
    );
    for (path, pointer) in [
        ("/v1/cashflow/summary", "/expenseTotal/amount_cents"),
        ("/v1/spending/summary", "/totalExpense/amount_cents"),
        ("/v1/spending/categories", "/totalExpense/amount_cents"),
        ("/v1/spending/merchants/top", "/totalExpense/amount_cents"),
    ] {
        assert_eq!(get(&app, &household, path).await.pointer(pointer), Some(&json!(300)), "{path}");
        let all = get(&app, &household, &format!("{path}?includeExcluded=true")).await;
        assert_eq!(all.pointer(pointer), Some(&json!(1_000)), "{path}");
    }
    let budgets = get(&app, &household, "/v1/budgets/summary").await;
    assert_eq!(budgets.as_array().map(Vec::len), Some(1));
    let list = get(&app, &household, "/v1/transactions").await;
    assert_eq!(list["transactions"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn refund_without_a_rate_is_listed_as_unconverted() {
    let app = App::start().await;
    let mut household = Household::new();
    let phone = household.expense("2026-11-05", ExpenseCategory::Electronics, 9_000, "EUR").transaction_id;
    household.income("2026-11-09", IncomeCategory::Refund, 7_000, "JPY").linked_transaction_id = Some(phone);
    app.load(household.records()).await;
    let answer = get(&app, &household, "/v1/spending/categories").await;
    let missing =
        json!([{ "type": "INCOME", "currency": "JPY", "amount_cents": 7_000, "transactionCount": 1 }]);
    assert_eq!(answer["unconverted"], missing);
    assert_eq!(answer["categories"][0]["unconverted"], missing);
    assert!(answer["categories"][0].get("refunds").is_none());
}

#[tokio::test]
async fn refund_of_a_replaced_pending_purchase_belongs_to_the_posted_row() {
    let app = App::start().await;
    let mut household = Household::new();
    let pending = household.expense("2026-11-05", ExpenseCategory::Clothing, 10_000, "EUR");
    pending.pending = true;
    let pending = pending.transaction_id;
    let posted = household.expense("2026-11-06", ExpenseCategory::Clothing, 10_000, "EUR");
    posted.linked_transaction_id = Some(pending);
    let posted = posted.transaction_id;
    household.income("2026-11-09", IncomeCategory::Refund, 4_000, "EUR").linked_transaction_id =
        Some(pending);
    app.load(household.records()).await;
    let answer = get(&app, &household, "/v1/spending/categories").await;
    assert_eq!(answer["categories"][0]["refunds"]["amount_cents"], 4_000);
    let list = get(&app, &household, "/v1/transactions").await;
    let rows = list["transactions"].as_array().expect("rows");
    let links: Vec<&Value> = rows.iter().map(|row| &row["linked_transaction_id"]).collect();
    assert_eq!(links, [&json!(posted), &Value::Null]);
}
