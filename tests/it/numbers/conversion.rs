//! Currency conversion by PostgreSQL, compared with exact integer arithmetic: rounding once, half away from zero, and
//! the choice of the rate.

use passbook_domain::category::ExpenseCategory;
use passbook_domain::money::AMOUNT_CENTS_MAX;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tests::app::App;
use tests::database::Database;
use tests::household::{Household, parse_currency, rate};

/// `amount × to / from` in 128-bit integers, rounded half away from zero; `None` above the largest amount. Rates are in
/// hundred-thousandths.
fn reference(amount: i64, from: i64, to: i64) -> Option<i64> {
    let (numerator, denominator) = (i128::from(amount) * i128::from(to), i128::from(from));
    let magnitude = (2 * numerator.abs() + denominator) / (2 * denominator);
    let amount = i64::try_from(magnitude * numerator.signum()).ok()?;
    (amount.abs() <= AMOUNT_CENTS_MAX).then_some(amount)
}

#[test]
fn random_amounts_are_converted_exactly() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let client = runtime.block_on(async { Database::fresh().await.connect("passbook_reader").await });
    let statement = "select passbook_read.convert_cents($1, ($2::bigint / 100000.0)::numeric, ($3::bigint / 100000.0)::numeric)";
    let amounts = -9_000_000_000_000_i64..9_000_000_000_000;
    let near_half =
        (1_i64..2_000_000, 1_i64..400).prop_map(|(amount, rate)| (amount, rate * 200_000, rate * 100_000));
    let anything = (amounts, 1_i64..20_000_000, 1_i64..20_000_000);
    let mut runner = TestRunner::new(Config { cases: 512, failure_persistence: None, ..Config::default() });
    runner
        .run(&prop_oneof![anything, near_half], |(amount, from, to)| {
            let row = runtime
                .block_on(client.query_one(statement, &[&amount, &from, &to]))
                .expect("the conversion succeeds");
            prop_assert_eq!(row.get::<_, Option<i64>>(0), reference(amount, from, to));
            Ok(())
        })
        .expect("every amount must be converted exactly");
}

#[tokio::test]
async fn conversion_rounds_half_away_from_zero_and_only_once() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    for (amount, from, to, expected) in [
        (1_i64, "2", "1", 1_i64),
        (-1, "2", "1", -1),
        (3, "2", "1", 2),
        (5, "4", "1", 1),
        // Slightly less than one half. Dividing with limited precision first would give exactly one half.
        (1, "2.0000000000000000000000001", "1", 0),
        (9_000_000_000_000_000, "3", "1", 3_000_000_000_000_000),
        (8_999_999_999_999_999, "2", "1", 4_500_000_000_000_000),
        (100, "1.1", "157.61", 14_328),
    ] {
        let statement = format!("select passbook_read.convert_cents({amount}, {from}, {to})");
        let row = client.query_one(&statement, &[]).await.expect("the conversion succeeds");
        assert_eq!(row.get::<_, i64>(0), expected, "{amount} × {to} / {from}");
    }
}

#[tokio::test]
async fn conversion_beyond_the_largest_amount_has_no_result() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    for (amount, from, to, expected) in [
        (4_500_000_000_000_000_i64, "1", "2", Some(9_000_000_000_000_000_i64)),
        (-4_500_000_000_000_000, "1", "2", Some(-9_000_000_000_000_000)),
        (4_500_000_000_000_001, "1", "2", None),
        (-4_500_000_000_000_001, "1", "2", None),
        (9_000_000_000_000_000, "0.000000001", "1000000000", None),
    ] {
        let statement = format!("select passbook_read.convert_cents({amount}, {from}, {to})");
        let row = client.query_one(&statement, &[]).await.expect("the conversion succeeds");
        assert_eq!(row.get::<_, Option<i64>>(0), expected, "{amount} × {to} / {from}");
    }
}

/// The cashflow of a person with one expense of 100.00 USD on a day, with the given rates.
async fn cashflow_with_rates(preferred: &str, date: &str, rates: &[(&str, &str, &str)]) -> Value {
    let app = App::start().await;
    let mut household = Household::new();
    household.user.preferred_currency = parse_currency(preferred);
    household.expense(date, ExpenseCategory::Books, 10_000, "USD");
    app.load(household.records()).await;
    app.load(rates.iter().map(|(date, currency, units)| rate(date, currency, units))).await;
    let token = app.token(household.user.user_id).await;
    app.get("/v1/cashflow/summary", &token).await.ok()
}

#[tokio::test]
async fn last_rate_on_or_before_the_day_is_used_up_to_31_days_old() {
    for (name, preferred, rates, expected) in [
        ("on the day", "EUR", vec![("2026-11-13", "USD", "1.25")], Some(8_000)),
        (
            "the Friday before",
            "EUR",
            vec![("2026-11-12", "USD", "1.25"), ("2026-11-16", "USD", "2")],
            Some(8_000),
        ),
        (
            "the latest of several",
            "EUR",
            vec![("2026-11-01", "USD", "4"), ("2026-11-12", "USD", "1.25")],
            Some(8_000),
        ),
        ("31 days old", "EUR", vec![("2026-10-13", "USD", "1.25")], Some(8_000)),
        ("32 days old", "EUR", vec![("2026-10-12", "USD", "1.25")], None),
        ("a later one only", "EUR", vec![("2026-11-14", "USD", "1.25")], None),
        ("none", "EUR", vec![], None),
        (
            "across the base",
            "CHF",
            vec![("2026-11-13", "USD", "1.25"), ("2026-11-10", "CHF", "0.93")],
            Some(7_440),
        ),
        ("one leg missing", "CHF", vec![("2026-11-13", "USD", "1.25")], None),
        ("the same currency", "USD", vec![], Some(10_000)),
    ] {
        let cashflow = cashflow_with_rates(preferred, "2026-11-13", &rates).await;
        let total = &cashflow["expenseTotal"];
        assert_eq!(total, &json!({ "amount_cents": expected.unwrap_or(0), "currency": preferred }), "{name}");
        let missing =
            json!([{ "type": "EXPENSE", "currency": "USD", "amount_cents": 10_000, "transactionCount": 1 }]);
        let unconverted = cashflow.get("unconverted");
        assert_eq!(unconverted, if expected.is_none() { Some(&missing) } else { None }, "{name}");
    }
}

#[tokio::test]
async fn each_row_is_rounded_before_rows_are_added() {
    let app = App::start().await;
    let mut household = Household::new();
    for _ in 0..3 {
        // 0.5 cents each: three rounded rows are 3 cents, a rounded sum would be 2.
        household.expense("2026-11-13", ExpenseCategory::Books, 1, "USD");
    }
    app.load(household.records()).await;
    app.load([rate("2026-11-13", "USD", "2")]).await;
    let token = app.token(household.user.user_id).await;
    let cashflow = app.get("/v1/cashflow/summary", &token).await.ok();
    assert_eq!(cashflow["expenseTotal"]["amount_cents"], 3);
}

#[tokio::test]
async fn total_beyond_64_bits_is_an_internal_error() {
    let app = App::start().await;
    let mut household = Household::new();
    for _ in 0..1_100 {
        household.expense("2026-11-13", ExpenseCategory::Books, 9_000_000_000_000_000, "EUR");
    }
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    for path in [
        "/v1/cashflow/summary",
        "/v1/spending/summary",
        "/v1/spending/categories",
        "/v1/spending/merchants/top",
    ] {
        let reply = app.get(path, &token).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (500, "INTERNAL"), "{path}");
    }
}
