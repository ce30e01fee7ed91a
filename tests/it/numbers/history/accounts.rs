//! Accounts in the history: last stored balance, unknown balances, closed accounts, and missing rates.

use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::{AccountType, PositionSide, SecurityType};
use serde_json::json;
use tests::assets::Assets;
use tests::household::rate;

use super::{account, history, lines};

#[tokio::test]
async fn day_without_a_snapshot_carries_the_last_balance_forward() {
    // 2026-11-14 is a Saturday.
    let answer = history("?dateFrom=2026-11-12&dateTo=2026-11-17", |assets| {
        account(
            assets,
            "Checking",
            "EUR",
            900,
            &[("2026-11-01", 100), ("2026-11-13", 250), ("2026-11-16", -40)],
        );
    })
    .await;
    assert_eq!(
        lines(&answer),
        [
            "2026-11-12 100",
            "2026-11-13 250",
            "2026-11-14 250",
            "2026-11-15 250",
            "2026-11-16 -40",
            "2026-11-17 -40"
        ]
    );
}

#[tokio::test]
async fn open_account_has_its_current_balance_from_today_on() {
    // Snapshots of later days are planned and not used.
    let answer = history("?dateFrom=2026-11-19&dateTo=2026-11-23", |assets| {
        account(
            assets,
            "Checking",
            "EUR",
            900,
            &[("2026-11-19", 100), ("2026-11-21", 800), ("2026-11-22", 5)],
        );
    })
    .await;
    assert_eq!(
        lines(&answer),
        ["2026-11-19 100", "2026-11-20 100", "2026-11-21 900", "2026-11-22 900", "2026-11-23 900"]
    );
}

#[tokio::test]
async fn point_before_the_first_balance_of_an_account_is_partial() {
    let answer = history("?dateFrom=2026-11-17&dateTo=2026-11-20", |assets| {
        account(assets, "Checking", "EUR", 900, &[("2026-11-01", 100)]);
        account(assets, "Savings", "EUR", 500, &[("2026-11-19", 500)]);
    })
    .await;
    let expected = ["2026-11-17 100 partial", "2026-11-18 100 partial", "2026-11-19 600", "2026-11-20 600"];
    assert_eq!(lines(&answer), expected);
    assert_eq!(answer["completeFrom"], "2026-11-19");
    assert!(answer.get("change").is_none(), "an account that becomes known is not a change");
}

#[tokio::test]
async fn account_without_snapshots_is_known_from_today_on() {
    let assets = |assets: &mut Assets| {
        account(assets, "Checking", "EUR", 900, &[("2026-01-01", 100)]);
        account(assets, "Cash", "EUR", 50, &[]);
        // The first snapshot of this account is in the future.
        account(assets, "Savings", "EUR", 7, &[("2026-12-01", 8)]);
    };
    let answer = history("?dateFrom=2026-11-19", assets).await;
    assert_eq!(lines(&answer), ["2026-11-19 100 partial", "2026-11-20 100 partial", "2026-11-21 957"]);
    assert_eq!(answer["completeFrom"], "2026-11-21");
    // `completeFrom` is absent if the whole range is known.
    let answer = history("?dateFrom=2026-11-21", assets).await;
    assert!(answer.get("completeFrom").is_none());
    // `completeFrom` is present even if it is after the range.
    let answer = history("?dateFrom=2025-01-01&dateTo=2025-01-02", assets).await;
    assert_eq!(lines(&answer), ["2025-01-01 0 partial", "2025-01-02 0 partial"]);
    assert_eq!(answer["completeFrom"], "2026-11-21");
}

#[tokio::test]
async fn closed_account_keeps_its_past_and_is_excluded_from_its_closing_day() {
    let answer = history("?dateFrom=2026-11-15&dateTo=2026-11-21", |assets| {
        // The current balance of a closed account is not counted, nor is a snapshot after its closing day.
        let bank = assets.bank("Seaside Bank", BankStatus::Manual);
        let old = assets.account(bank, "Old", AccountType::Depository, 777, "EUR");
        assets.closed_on("2026-11-19");
        for (date, cents) in [("2026-11-01", 100), ("2026-11-18", 30), ("2026-11-20", 66)] {
            assets.snapshot(old, date, cents);
        }
        account(assets, "New", "EUR", 5, &[("2026-11-01", 5)]);
    })
    .await;
    assert_eq!(
        lines(&answer),
        [
            "2026-11-15 105",
            "2026-11-16 105",
            "2026-11-17 105",
            "2026-11-18 35",
            "2026-11-19 5",
            "2026-11-20 5",
            "2026-11-21 5"
        ]
    );
    assert!(answer.get("completeFrom").is_none());
}

#[tokio::test]
async fn closed_account_without_snapshots_is_known_from_its_closing_day() {
    let answer = history("?dateFrom=2026-11-18&dateTo=2026-11-20", |assets| {
        let bank = assets.bank("Seaside Bank", BankStatus::Manual);
        assets.account(bank, "Old", AccountType::Loan, -900, "GBP");
        assets.closed_on("2026-11-19");
    })
    .await;
    assert_eq!(lines(&answer), ["2026-11-18 0 partial", "2026-11-19 0", "2026-11-20 0"]);
    assert_eq!(answer["completeFrom"], "2026-11-19");
}

#[tokio::test]
async fn account_with_a_future_closing_day_counts_until_then() {
    let answer = history("?dateFrom=2026-11-20&dateTo=2026-11-23", |assets| {
        let bank = assets.bank("Seaside Bank", BankStatus::Manual);
        let account = assets.account(bank, "Ending", AccountType::Depository, 300, "EUR");
        assets.closed_on("2026-11-23");
        assets.snapshot(account, "2026-11-01", 200);
    })
    .await;
    assert_eq!(lines(&answer), ["2026-11-20 200", "2026-11-21 300", "2026-11-22 300", "2026-11-23 0"]);
}

#[tokio::test]
async fn balances_are_converted_at_the_rate_of_each_day_and_rounded_once() {
    let answer = history("?dateFrom=2026-11-17&dateTo=2026-11-21", |assets| {
        for name in ["A", "B", "C"] {
            account(assets, name, "USD", 101, &[("2026-01-01", 101)]);
        }
        account(assets, "D", "EUR", 1_000, &[("2026-01-01", 1_000)]);
        for (date, units) in
            [("2026-11-17", "1"), ("2026-11-18", "2"), ("2026-11-20", "4"), ("2026-11-22", "9")]
        {
            assets.records.push(rate(date, "USD", units));
        }
    })
    .await;
    // 50.5 and 25.25 cents each are rounded to 51 and 25.
    assert_eq!(
        lines(&answer),
        ["2026-11-17 1303", "2026-11-18 1153", "2026-11-19 1153", "2026-11-20 1075", "2026-11-21 1075"]
    );
}

#[tokio::test]
async fn balance_without_a_rate_is_listed_as_unconverted_and_not_added() {
    let answer = history("?dateFrom=2026-10-19&dateTo=2026-10-22", |assets| {
        account(assets, "Pounds", "GBP", -250, &[("2026-01-01", -250)]);
        account(assets, "Francs", "CHF", 40, &[("2026-01-01", 40)]);
        account(assets, "More francs", "CHF", 2, &[("2026-01-01", 2)]);
        account(assets, "Euro", "EUR", 1_000, &[("2026-01-01", 1_000)]);
        // The rate of 09-19 is 31 days old on 10-20 and too old on 10-21.
        assets.records.push(rate("2026-09-19", "GBP", "2"));
        assets.records.push(rate("2026-10-22", "CHF", "2"));
    })
    .await;
    assert_eq!(
        lines(&answer),
        [
            "2026-10-19 875 CHF:42",
            "2026-10-20 875 CHF:42",
            "2026-10-21 1000 CHF:42 GBP:-250",
            "2026-10-22 1021 GBP:-250"
        ]
    );
    assert!(answer.get("completeFrom").is_none(), "every balance is known");
    assert!(answer.get("change").is_none(), "a rate is missing at each end");
}

#[tokio::test]
async fn last_rate_is_used_for_31_days_after_today() {
    let answer = history("?dateFrom=2026-12-20&dateTo=2026-12-23", |assets| {
        account(assets, "Dollars", "USD", 100, &[("2026-01-01", 40)]);
        assets.records.push(rate("2026-11-20", "USD", "2"));
    })
    .await;
    assert_eq!(
        lines(&answer),
        ["2026-12-20 50", "2026-12-21 50", "2026-12-22 0 USD:100", "2026-12-23 0 USD:100"]
    );
}

#[tokio::test]
async fn simulated_accounts_and_holdings_of_an_account_are_excluded() {
    let answer = history("?dateFrom=2026-11-21", |assets| {
        let depot = account(assets, "Depot", "EUR", 1_000, &[("2026-01-01", 1_000)]);
        let fund = assets.security("VWCE", SecurityType::Etf, "EUR");
        assets.price(fund, "2026-11-20", "127.52");
        assets.holding(depot, fund, "61");
        let paper = assets.paper_account("Paper 1", 1_250_000, "EUR");
        assets.paper_position(paper, fund, PositionSide::Long, "10", "100.00");
    })
    .await;
    assert_eq!(lines(&answer), ["2026-11-21 1000"]);
    assert_eq!(answer["change"], json!({"amount": {"amount_cents": 0, "currency": "EUR"}, "percent": 0.0}));
}
