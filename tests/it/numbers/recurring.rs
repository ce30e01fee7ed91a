//! Recurring payments over HTTP: the exact payload, each parameter, the monthly total, and the demo household.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_demo::{USER_ID, install};
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_records::record::Transaction;
use serde_json::{Value, json};
use tests::app::{App, TODAY};
use tests::database::Database;
use tests::household::{Household, day, rate};

const PATH: &str = "/v1/recurring-payments";

/// Adds payments of one amount on the same day of `count` months. The last payment is on `last`.
fn monthly(
    household: &mut Household,
    merchant: &str,
    last: &str,
    count: i32,
    category: Category,
    money: (i64, &str),
) {
    for before in (0..count).rev() {
        let date: Date = day(last) - before.months();
        let row = match category {
            Category::Expense(category) => household.expense(&date.to_string(), category, money.0, money.1),
            Category::Income(category) => household.income(&date.to_string(), category, money.0, money.1),
        };
        row.merchant_name = Some(merchant.to_owned());
    }
}

const SUBSCRIPTIONS: Category = Category::Expense(ExpenseCategory::Subscriptions);

/// A household with an active, an overdue and an ended subscription, a salary, and irregular purchases.
fn household() -> Household {
    let mut household = Household::new();
    monthly(&mut household, "Netflix", "2026-11-03", 24, SUBSCRIPTIONS, (1_599, "EUR"));
    for row in &mut household.transactions[..8] {
        row.amount_cents = 1_499;
    }
    monthly(
        &mut household,
        "Gym",
        "2026-10-09",
        12,
        Category::Expense(ExpenseCategory::Fitness),
        (3_490, "EUR"),
    );
    monthly(&mut household, "Audible", "2026-04-09", 10, SUBSCRIPTIONS, (995, "EUR"));
    monthly(
        &mut household,
        "Acme",
        "2026-10-30",
        12,
        Category::Income(IncomeCategory::Salary),
        (350_000, "EUR"),
    );
    for (date, cents) in [("2026-09-02", 4_210), ("2026-09-30", 990), ("2026-11-11", 2_310)] {
        household.expense(date, ExpenseCategory::Groceries, cents, "EUR").merchant_name =
            Some("REWE".to_owned());
    }
    household
}

async fn recurring_payments(app: &App, household: &Household, query: &str) -> Value {
    let token = app.token(household.user.user_id).await;
    app.get(&format!("{PATH}{query}"), &token).await.ok()
}

/// Merchant and status of each listed payment.
fn listed(answer: &Value) -> Vec<String> {
    let payments = answer["recurringPayments"].as_array().expect("a list");
    let word = |payment: &Value, name: &str| payment[name].as_str().expect("text").to_owned();
    payments
        .iter()
        .map(|payment| format!("{} {}", word(payment, "merchant_name"), word(payment, "status")))
        .collect()
}

#[tokio::test]
async fn payload_of_a_recurring_payment_is_as_documented() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    let answer = recurring_payments(&app, &household, "?status=ACTIVE").await;
    let newest: Vec<String> =
        household.transactions[12..24].iter().rev().map(|row| row.transaction_id.to_string()).collect();
    let id = answer["recurringPayments"][0]["id"].clone();
    let expected = json!({
        "asOf": "2026-11-21",
        "monthlyTotal": {"amount_cents": 1599, "currency": "EUR"},
        "monthlyIncome": {"amount_cents": 350_000, "currency": "EUR"},
        "totalCount": 1,
        "recurringPayments": [{
            "id": id, "type": "EXPENSE", "merchant_name": "Netflix", "category": "SUBSCRIPTIONS",
            "cadence": "MONTHLY", "status": "ACTIVE", "amount_cents": 1599, "currency": "EUR",
            "previous_amount_cents": 1499, "amount_changed_on": "2025-08-03",
            "last_amount_cents": 1599, "average_amount_cents": 1566, "min_amount_cents": 1499,
            "max_amount_cents": 1599, "amount_varies": false, "first_date": "2024-12-03",
            "last_date": "2026-11-03", "next_expected_date": "2026-12-03", "occurrence_count": 24,
            "missed_count": 0, "confidence": 0.99,
            "reason": "24 payments, 23 of 23 gaps 28-31 days, amount within 7%",
            "account_name": answer["recurringPayments"][0]["account_name"], "transaction_ids": newest
        }]
    });
    assert_eq!(answer, expected);
    assert_eq!(
        id.as_str().and_then(|id| id.parse::<uuid::Uuid>().ok()).map(|id| id.get_version_num()),
        Some(5)
    );
    assert!(answer["recurringPayments"][0]["account_name"].is_string());
}

#[tokio::test]
async fn each_parameter_filters_the_recurring_payments() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    for (query, expected) in [
        ("", &["Netflix ACTIVE", "Gym OVERDUE"][..]),
        ("?types=INCOME", &["Acme ACTIVE"]),
        ("?types=INCOME,EXPENSE&status=ACTIVE", &["Acme ACTIVE", "Netflix ACTIVE"]),
        ("?status=ENDED,OVERDUE", &["Gym OVERDUE", "Audible ENDED"]),
        ("?status=ENDED", &["Audible ENDED"]),
        ("?limit=1", &["Netflix ACTIVE"]),
        ("?minConfidence=1", &[]),
        // The next payment is due on 12-03, in twelve days. An overdue payment is always upcoming.
        ("?upcomingWithinDays=11", &["Gym OVERDUE"]),
        ("?upcomingWithinDays=12", &["Netflix ACTIVE", "Gym OVERDUE"]),
        ("?upcomingWithinDays=12&status=ENDED", &[]),
        ("?asOf=2026-10-12", &["Netflix ACTIVE", "Gym ACTIVE"]),
        ("?asOf=2026-04-20", &["Netflix ACTIVE", "Audible ACTIVE", "Gym ACTIVE"]),
        ("?asOf=2024-12-31", &[]),
    ] {
        assert_eq!(listed(&recurring_payments(&app, &household, query).await), expected, "{query}");
    }
}

#[tokio::test]
async fn as_of_after_today_is_rejected() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    assert_eq!(recurring_payments(&app, &household, "?asOf=2026-11-21").await["asOf"], "2026-11-21");
    let reply = app.get(&format!("{PATH}?asOf=2026-11-22"), &token).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_REQUEST"));
    let details = &reply.json()["error"]["details"][0];
    assert_eq!(details["parameter"], "asOf");
    assert_eq!(details["message"], "must not be after today, 2026-11-21; upcomingWithinDays looks ahead");
}

#[tokio::test]
async fn transactions_older_than_25_months_are_ignored() {
    let app = App::start().await;
    let mut household = Household::new();
    monthly(&mut household, "On the day", "2026-11-21", 30, SUBSCRIPTIONS, (899, "EUR"));
    monthly(&mut household, "A day after", "2026-10-22", 30, SUBSCRIPTIONS, (1_299, "EUR"));
    app.load(household.records()).await;
    let answer = recurring_payments(&app, &household, "").await;
    let seen: Vec<Value> = ["A day after", "On the day"]
        .iter()
        .map(|name| {
            let payments = answer["recurringPayments"].as_array().expect("a list");
            let payment = payments
                .iter()
                .find(|payment| payment["merchant_name"] == *name)
                .expect("the payment is listed");
            json!([payment["first_date"], payment["occurrence_count"]])
        })
        .collect();
    assert_eq!(seen, [json!(["2024-10-22", 25]), json!(["2024-11-21", 25])]);
}

#[tokio::test]
async fn monthly_total_does_not_depend_on_the_listed_payments() {
    let app = App::start().await;
    let household = household();
    app.load(household.records()).await;
    for query in ["", "?limit=1", "?types=INCOME", "?status=ENDED", "?upcomingWithinDays=1"] {
        let total = recurring_payments(&app, &household, query).await["monthlyTotal"].clone();
        assert_eq!(total, json!({"amount_cents": 1599, "currency": "EUR"}), "{query}");
    }
    let certain_only = recurring_payments(&app, &household, "?minConfidence=1").await;
    assert_eq!(
        certain_only["monthlyTotal"]["amount_cents"], 0,
        "payments below the minimum confidence must not be in the total"
    );
}

#[tokio::test]
async fn monthly_total_is_converted_at_as_of_and_lists_amounts_without_a_rate() {
    let app = App::start().await;
    let mut household = Household::new();
    monthly(&mut household, "GitHub", "2026-11-07", 12, SUBSCRIPTIONS, (1_000, "USD"));
    monthly(&mut household, "Domain", "2026-10-12", 1, SUBSCRIPTIONS, (12_000, "JPY"));
    for before in 1..8 {
        let date = (day("2026-10-12") - (3 * before).months()).to_string();
        let row = household.expense(&date, ExpenseCategory::Subscriptions, 12_000, "JPY");
        row.merchant_name = Some("Domain".to_owned());
    }
    let week: Vec<Date> = (0..9).map(|week| day("2026-11-18") - (7 * week).days()).collect();
    for date in week {
        let row = household.expense(&date.to_string(), ExpenseCategory::Services, 4_000, "EUR");
        row.merchant_name = Some("Putzfee".to_owned());
    }
    app.load(household.records()).await;
    app.load([rate("2026-10-30", "USD", "1.25"), rate("2026-11-20", "USD", "1.6")]).await;
    let answer = recurring_payments(&app, &household, "").await;
    // 10.00 USD at 1.6 are 6.25 EUR. 40.00 EUR a week are 173.33 EUR a month.
    assert_eq!(answer["monthlyTotal"], json!({"amount_cents": 625 + 17_333, "currency": "EUR"}));
    assert_eq!(answer["unconverted"], json!([{"type": "EXPENSE", "currency": "JPY", "amount_cents": 4_000}]));
    let earlier = recurring_payments(&app, &household, "?asOf=2026-11-19").await;
    assert_eq!(earlier["monthlyTotal"], json!({"amount_cents": 800 + 17_333, "currency": "EUR"}));
    // On this day the last rate is older than 31 days.
    let before = recurring_payments(&app, &household, "?asOf=2026-10-20").await;
    let missing = json!([
        {"type": "EXPENSE", "currency": "JPY", "amount_cents": 4_000},
        {"type": "EXPENSE", "currency": "USD", "amount_cents": 1_000},
    ]);
    assert_eq!(before["unconverted"], missing);
}

#[tokio::test]
async fn pending_payment_and_the_posted_row_that_replaces_it_count_once() {
    let app = App::start().await;
    let mut household = Household::new();
    monthly(&mut household, "Spotify", "2026-11-20", 6, SUBSCRIPTIONS, (1_099, "EUR"));
    let posted = household.transactions.len() - 1;
    let pending = Transaction {
        transaction_id: uuid::Uuid::new_v4(),
        date: day("2026-11-19"),
        pending: true,
        ..household.transactions[posted].clone()
    };
    household.transactions[posted].linked_transaction_id = Some(pending.transaction_id);
    household.transactions.push(pending.clone());
    app.load(household.records()).await;
    let payment = recurring_payments(&app, &household, "").await["recurringPayments"][0].clone();
    assert_eq!((&payment["occurrence_count"], &payment["last_date"]), (&json!(6), &json!("2026-11-20")));
    let ids = payment["transaction_ids"].as_array().expect("a list").clone();
    assert!(!ids.contains(&json!(pending.transaction_id)));

    // A payment that is only pending counts.
    let mut waiting = Household::new();
    monthly(&mut waiting, "Spotify", "2026-11-20", 6, SUBSCRIPTIONS, (1_099, "EUR"));
    waiting.transactions[5].pending = true;
    app.load(waiting.records()).await;
    let payment = recurring_payments(&app, &waiting, "").await["recurringPayments"][0].clone();
    assert_eq!((&payment["occurrence_count"], &payment["status"]), (&json!(6), &json!("ACTIVE")));
}

#[tokio::test]
async fn excluded_categories_count_and_transfers_do_not() {
    let app = App::start().await;
    let mut household = Household::new();
    household.user.excluded_categories = vec![ExpenseCategory::Subscriptions];
    monthly(&mut household, "Spotify", "2026-11-14", 6, SUBSCRIPTIONS, (1_099, "EUR"));
    let saved = household.transactions.len();
    monthly(&mut household, "Savings", "2026-11-02", 6, SUBSCRIPTIONS, (50_000, "EUR"));
    for row in &mut household.transactions[saved..] {
        row.transaction_type = passbook_domain::transaction::TransactionType::InternalTransfer;
        row.category = Category::Expense(ExpenseCategory::TransferOut);
    }
    app.load(household.records()).await;
    let answer = recurring_payments(&app, &household, "?minConfidence=0").await;
    assert_eq!(listed(&answer), ["Spotify ACTIVE"]);
    assert_eq!(answer["monthlyTotal"]["amount_cents"], 1_099);
}

#[tokio::test]
async fn demo_household_has_the_recurring_payments_of_its_tables() {
    let database = Database::fresh().await;
    let mut writer = database.connect("passbook_writer").await;
    install(&mut writer, TODAY).await.expect("the demo household is loaded");
    let app = App::start_on_day(database, TODAY).await;
    let token = app.token(USER_ID).await;
    for (types, expected) in [("EXPENSE", &DEMO_EXPENSES[..]), ("INCOME", &DEMO_INCOME)] {
        let target = format!("{PATH}?types={types}&status=ACTIVE,OVERDUE,ENDED");
        let answer = app.get(&target, &token).await.ok();
        let payments = answer["recurringPayments"].as_array().expect("a list");
        let mut found: Vec<String> = payments
            .iter()
            .map(|payment| {
                let word = |name: &str| payment[name].as_str().expect("text").to_owned();
                format!("{}: {} {}", word("merchant_name"), word("cadence"), word("status"))
            })
            .collect();
        found.sort();
        assert_eq!(found, expected, "{found:#?}");
    }
}

/// The bills and subscriptions of the demo household by merchant. Cash withdrawals, the yearly journey, and the bill
/// that is shared four times a year at irregular intervals are not recurring payments.
const DEMO_EXPENSES: [&str; 24] = [
    "1&1: MONTHLY ACTIVE",
    "ARD ZDF Beitragsservice: QUARTERLY ACTIVE",
    "Adobe: MONTHLY ACTIVE",
    "Allianz: MONTHLY ACTIVE",
    "Audible: MONTHLY ENDED",
    "BahnCard: ANNUALLY ACTIVE",
    "DAUERAUFTRAG MIETE WHG 3.OG LI HAUSVERWALTUNG KASTNER: MONTHLY ACTIVE",
    "Die Gemüsekiste: WEEKLY ACTIVE",
    "Die Zeit: MONTHLY ACTIVE",
    "FitnessLoft: MONTHLY ACTIVE",
    "GitHub: MONTHLY ACTIVE",
    "HUK-COBURG: ANNUALLY ACTIVE",
    "HUK-COBURG: ANNUALLY ACTIVE",
    "HVV: MONTHLY ACTIVE",
    "Hamburg Wasser: QUARTERLY ACTIVE",
    "KONTOFUEHRUNG QUARTAL: QUARTERLY ACTIVE",
    "Netflix: MONTHLY ACTIVE",
    "Putzfee Hamburg: BIWEEKLY ACTIVE",
    "Spotify: MONTHLY ACTIVE",
    "TSV Ottensen: SEMI_ANNUALLY ACTIVE",
    "Telekom: MONTHLY ACTIVE",
    "Vattenfall: MONTHLY ACTIVE",
    "Zahnärztin Dr. Çelik: SEMI_ANNUALLY ACTIVE",
    "Ärzte ohne Grenzen: MONTHLY ACTIVE",
];

/// The regular income of the demo household by merchant. Refunds, gifts and sales are not recurring. Two savings
/// accounts pay interest under the same title on the same days, until one of them is closed.
const DEMO_INCOME: [&str; 6] = [
    "Brightloom Studio: MONTHLY ACTIVE",
    "ERTRAEGNISGUTSCHRIFT AUSL. FONDS IE00B3RBWM25: QUARTERLY ACTIVE",
    "INTEREST PAYMENT: MONTHLY ACTIVE",
    "Nordlicht Software GmbH: MONTHLY ACTIVE",
    "ZINSGUTSCHRIFT QUARTALSABSCHLUSS: QUARTERLY ACTIVE",
    "ZINSGUTSCHRIFT QUARTALSABSCHLUSS: QUARTERLY ENDED",
];
