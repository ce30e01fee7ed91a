//! Accounts: the last stored balance, what is not known, what is closed, and what has no rate.

use domain::bank::BankStatus;
use domain::portfolio::{AccountType, PositionSide, SecurityType};
use serde_json::json;
use tests::assets::Assets;
use tests::household::rate;

use super::{account, history, lines};

#[tokio::test]
async fn a_day_without_news_carries_the_last_balance_forward() {
    // The 14th is a Saturday.
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
async fn from_today_on_an_open_account_is_worth_the_balance_it_has() {
    // What is stored for later days is planned, and not carried out yet.
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
async fn before_an_accounts_first_balance_a_point_is_partial() {
    let answer = history("?dateFrom=2026-11-17&dateTo=2026-11-20", |assets| {
        account(assets, "Checking", "EUR", 900, &[("2026-11-01", 100)]);
        account(assets, "Savings", "EUR", 500, &[("2026-11-19", 500)]);
    })
    .await;
    let expected = ["2026-11-17 100 partial", "2026-11-18 100 partial", "2026-11-19 600", "2026-11-20 600"];
    assert_eq!(lines(&answer), expected);
    assert_eq!(answer["completeFrom"], "2026-11-19");
    assert!(answer.get("change").is_none(), "the savings are no gain");
}

#[tokio::test]
async fn an_account_without_any_stored_balance_is_known_from_today_on() {
    let assets = |assets: &mut Assets| {
        account(assets, "Checking", "EUR", 900, &[("2026-01-01", 100)]);
        account(assets, "Cash", "EUR", 50, &[]);
        // The first stored balance is planned.
        account(assets, "Savings", "EUR", 7, &[("2026-12-01", 8)]);
    };
    let answer = history("?dateFrom=2026-11-19", assets).await;
    assert_eq!(lines(&answer), ["2026-11-19 100 partial", "2026-11-20 100 partial", "2026-11-21 957"]);
    assert_eq!(answer["completeFrom"], "2026-11-21");
    // Where all of the range is known, nothing is said.
    let answer = history("?dateFrom=2026-11-21", assets).await;
    assert!(answer.get("completeFrom").is_none());
    // Where nothing of it is, the day is told all the same.
    let answer = history("?dateFrom=2025-01-01&dateTo=2025-01-02", assets).await;
    assert_eq!(lines(&answer), ["2025-01-01 0 partial", "2025-01-02 0 partial"]);
    assert_eq!(answer["completeFrom"], "2026-11-21");
}

#[tokio::test]
async fn a_closed_account_keeps_its_past_and_is_nothing_from_the_day_it_closed() {
    let answer = history("?dateFrom=2026-11-15&dateTo=2026-11-21", |assets| {
        // The balance that a closed account still shows is not counted, and neither is one that is stored later.
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
async fn a_closed_account_of_which_nothing_is_known_is_known_from_its_closing_on() {
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
async fn an_account_that_will_close_counts_until_then() {
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
async fn balances_are_converted_at_the_rate_of_each_day_and_rounded_once_each() {
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
    // 50.5 and 25.25 cents each: 51 and 25 after rounding.
    assert_eq!(
        lines(&answer),
        ["2026-11-17 1303", "2026-11-18 1153", "2026-11-19 1153", "2026-11-20 1075", "2026-11-21 1075"]
    );
}

#[tokio::test]
async fn what_has_no_rate_is_told_apart_and_never_added() {
    let answer = history("?dateFrom=2026-10-19&dateTo=2026-10-22", |assets| {
        account(assets, "Pounds", "GBP", -250, &[("2026-01-01", -250)]);
        account(assets, "Francs", "CHF", 40, &[("2026-01-01", 40)]);
        account(assets, "More francs", "CHF", 2, &[("2026-01-01", 2)]);
        account(assets, "Euro", "EUR", 1_000, &[("2026-01-01", 1_000)]);
        // 31 days before the 20th: old enough for the 20th, too old for the 21st.
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
    assert!(answer.get("completeFrom").is_none(), "all of it is known");
    assert!(answer.get("change").is_none(), "another currency is missing at each end");
}

#[tokio::test]
async fn after_today_the_last_rate_serves_for_31_days() {
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
async fn simulated_accounts_and_the_holdings_behind_a_balance_never_count() {
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
