//! Wallets in the history: last quantity at the last price, and missing prices.

use passbook_domain::portfolio::SecurityType::Cryptocurrency;
use tests::household::rate;

use super::{account, history, lines};

#[tokio::test]
async fn wallet_quantities_and_prices_are_carried_forward() {
    let answer = history("?dateFrom=2026-11-12&dateTo=2026-11-22", |assets| {
        let coin = assets.security("BTC", Cryptocurrency, "EUR");
        // 2026-11-14 and 2026-11-15 are a weekend.
        for (date, price) in
            [("2026-11-12", "10"), ("2026-11-13", "20"), ("2026-11-16", "30.005"), ("2026-11-22", "1")]
        {
            assets.price(coin, date, price);
        }
        let wallet = assets.wallet("Cold wallet");
        for (date, quantity) in [
            ("2026-11-13", "1"),
            ("2026-11-17", "1.5"),
            ("2026-11-18", "0"),
            ("2026-11-20", "2"),
            ("2026-11-22", "9"),
        ] {
            assets.wallet_holding(wallet, coin, date, quantity);
        }
    })
    .await;
    assert_eq!(
        lines(&answer),
        [
            "2026-11-12 0",
            "2026-11-13 2000",
            "2026-11-14 2000",
            "2026-11-15 2000",
            "2026-11-16 3001",
            "2026-11-17 4501",
            "2026-11-18 0",
            "2026-11-19 0",
            "2026-11-20 6001",
            "2026-11-21 6001",
            // A quantity of a future day is not used.
            "2026-11-22 6001"
        ]
    );
    assert!(answer.get("completeFrom").is_none());
}

#[tokio::test]
async fn point_with_a_missing_price_is_partial_and_not_zero() {
    let answer = history("?dateFrom=2026-11-12&dateTo=2026-11-17", |assets| {
        account(assets, "Checking", "EUR", 5, &[("2026-01-01", 5)]);
        let coin = assets.security("NEW", Cryptocurrency, "EUR");
        assets.price(coin, "2026-11-15", "10");
        let wallet = assets.wallet("Cold wallet");
        assets.wallet_holding(wallet, coin, "2026-11-13", "1");
    })
    .await;
    assert_eq!(
        lines(&answer),
        [
            "2026-11-12 5",
            "2026-11-13 5 partial",
            "2026-11-14 5 partial",
            "2026-11-15 1005",
            "2026-11-16 1005",
            "2026-11-17 1005"
        ]
    );
    assert_eq!(answer["completeFrom"], "2026-11-15");
    assert!(answer.get("change").is_some(), "both totals are complete");
}

#[tokio::test]
async fn complete_from_is_absent_while_a_held_security_has_no_price() {
    let unpriced = |quantities: &'static [(&str, &str)]| {
        history("?dateFrom=2026-11-19&dateTo=2026-11-22", move |assets| {
            account(assets, "Checking", "EUR", 5, &[("2026-01-01", 5)]);
            let coin = assets.security("NEW", Cryptocurrency, "EUR");
            assets.price(coin, "2026-11-22", "10");
            let wallet = assets.wallet("Cold wallet");
            for (date, quantity) in quantities {
                assets.wallet_holding(wallet, coin, date, quantity);
            }
        })
    };
    let answer = unpriced(&[("2026-11-01", "1")]).await;
    let all =
        ["2026-11-19 5 partial", "2026-11-20 5 partial", "2026-11-21 5 partial", "2026-11-22 5 partial"];
    assert_eq!(lines(&answer), all);
    assert!(answer.get("completeFrom").is_none() && answer.get("change").is_none());
    // The security is sold again.
    let answer = unpriced(&[("2026-11-01", "1"), ("2026-11-20", "2"), ("2026-11-21", "0")]).await;
    assert_eq!(
        lines(&answer),
        ["2026-11-19 5 partial", "2026-11-20 5 partial", "2026-11-21 5", "2026-11-22 5"]
    );
    assert_eq!(answer["completeFrom"], "2026-11-21");
    // A future holding does not make the known days partial.
    let answer = unpriced(&[("2026-11-22", "1")]).await;
    assert_eq!(lines(&answer), ["2026-11-19 5", "2026-11-20 5", "2026-11-21 5", "2026-11-22 5"]);
    assert!(answer.get("completeFrom").is_none() && answer.get("change").is_some());
}

#[tokio::test]
async fn holding_is_rounded_in_its_currency_before_conversion() {
    let answer = history("?dateFrom=2026-11-20&dateTo=2026-11-21", |assets| {
        let wallet = assets.wallet("Cold wallet");
        for symbol in ["A", "B"] {
            let coin = assets.security(symbol, Cryptocurrency, "USD");
            assets.price(coin, "2026-11-01", "1.005");
            assets.wallet_holding(wallet, coin, "2026-11-01", "1");
        }
        let pound = assets.security("C", Cryptocurrency, "GBP");
        assets.price(pound, "2026-11-01", "3");
        assets.wallet_holding(wallet, pound, "2026-11-01", "2");
        assets.records.push(rate("2026-11-20", "USD", "2"));
        assets.records.push(rate("2026-11-21", "USD", "4"));
    })
    .await;
    // 1.005 dollars are 101 cents; at a rate of 2 they are 51 cents, at 4 they are 25 cents.
    assert_eq!(lines(&answer), ["2026-11-20 102 GBP:600", "2026-11-21 50 GBP:600"]);
}
