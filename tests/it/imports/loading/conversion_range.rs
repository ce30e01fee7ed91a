//! Amounts that exceed the largest amount of a transaction after their conversion: they count as amounts without a rate.

use passbook_domain::category::ExpenseCategory;
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_records::record::Record;
use serde_json::json;
use tests::app::App;
use tests::household::{Household, parse_currency, rate};

/// The first day with rates.
const DAY: &str = "2026-11-13";

/// Rates at both bounds: one unit of the first currency is 10¹⁸ units of the second.
fn extreme_rates() -> [Record; 2] {
    [rate(DAY, "USD", "0.000000001"), rate(DAY, "JPY", "1000000000")]
}

/// A person who counts in the second currency, with the largest expense and balance in the first.
fn household() -> (Household, Vec<Record>) {
    let mut household = Household::new();
    household.user.preferred_currency = parse_currency("JPY");
    household.expense(DAY, ExpenseCategory::Books, AMOUNT_CENTS_MAX, "USD");
    household.expense(DAY, ExpenseCategory::Books, 5, "JPY");
    let mut records = household.records();
    for record in &mut records {
        if let Record::Account(account) = record {
            account.currency = parse_currency("USD");
            account.balance_cents = AMOUNT_CENTS_MAX;
        }
    }
    (household, records)
}

#[tokio::test]
async fn amount_beyond_the_range_at_an_extreme_rate_is_served_as_unconverted() {
    for rates_come_first in [true, false] {
        let app = App::start().await;
        let (household, records) = household();
        if rates_come_first {
            app.load(extreme_rates()).await;
            app.load(records).await;
        } else {
            app.load(records).await;
            app.load(extreme_rates()).await;
        }
        let token = app.token(household.user.user_id).await;
        let total = json!({ "amount_cents": 5, "currency": "JPY" });
        let missing = json!([{
            "type": "EXPENSE", "currency": "USD", "amount_cents": AMOUNT_CENTS_MAX, "transactionCount": 1
        }]);
        let cashflow = app.get("/v1/cashflow/summary", &token).await.ok();
        assert_eq!((&cashflow["expenseTotal"], &cashflow["unconverted"]), (&total, &missing));
        let categories = app.get("/v1/spending/categories", &token).await.ok();
        assert_eq!((&categories["totalExpense"], &categories["unconverted"]), (&total, &missing));
        // The balances of both accounts.
        let balances = json!([{ "currency": "USD", "amount_cents": 2 * AMOUNT_CENTS_MAX }]);
        let portfolio = app.get("/v1/portfolio", &token).await.ok();
        assert_eq!(portfolio["unconverted"], balances);
        let history = app.get("/v1/portfolio/history", &token).await.ok();
        let today = history["points"].as_array().and_then(|points| points.last()).expect("a point");
        assert_eq!(today["unconverted"], balances);
        let list = app.get("/v1/transactions?sort=amount_desc", &token).await.ok();
        assert_eq!(list["transactions"][1]["amount_cents"], AMOUNT_CENTS_MAX, "{list}");
    }
}
