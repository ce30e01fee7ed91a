//! Simulated accounts: totals in their own currency, long and short positions, and exclusion from the portfolio total.

use passbook_domain::portfolio::PositionSide::{Long, Short};
use passbook_domain::portfolio::SecurityType::Equity;
use serde_json::json;
use tests::assets::UPDATED;

use super::portfolio;

#[tokio::test]
async fn long_and_short_positions_are_signed_and_excluded_from_the_total() {
    let mut ids = Vec::new();
    let answer = portfolio(|assets| {
        let apple = assets.security("AAPL", Equity, "USD");
        assets.price(apple, "2026-11-20", "230.11");
        let tesla = assets.security("TSLA", Equity, "USD");
        assets.price(tesla, "2026-11-20", "300");
        let account = assets.paper_account("Paper 1", 1_250_000, "USD");
        assets.paper_position(account, apple, Long, "10", "181.20");
        assets.paper_position(account, tesla, Short, "2", "250.005");
        assets.paper_position(account, tesla, Long, "0", "1");
        ids.extend([account, apple, tesla]);
    })
    .await;
    let [account, apple, tesla] = ids[..] else { panic!("three identifiers") };
    assert_eq!(
        answer["paper_accounts"],
        json!([{"id": account, "name": "Paper 1", "provider": "ALPACA",
        "total": {"amount_cents": 1_250_000 + 230_110 - 60_000, "currency": "USD"}, "currency": "USD",
        "cash_cents": 1_250_000, "starting_balance_cents": 10_000_000, "updated_at": UPDATED, "positions": [
            {"security_id": apple, "symbol": "AAPL", "side": "LONG", "quantity": "10",
             "average_entry_price": "181.20", "market_price": "230.11", "market_value_cents": 230_110,
             "cost_basis_cents": 181_200, "unrealized_pl_cents": 48_910, "currency": "USD"},
            // A short position: 500.01 were received, and buying back would cost 600.00.
            {"security_id": tesla, "symbol": "TSLA", "side": "SHORT", "quantity": "2",
             "average_entry_price": "250.005", "market_price": "300", "market_value_cents": -60_000,
             "cost_basis_cents": -50_001, "unrealized_pl_cents": -9_999, "currency": "USD"},
        ]}])
    );
    assert_eq!(answer["total"]["amount_cents"], 0, "simulated accounts must be excluded from the total");
    assert!(answer.get("unconverted").is_none());
}

#[tokio::test]
async fn position_is_converted_into_the_currency_of_its_account() {
    let answer = portfolio(|assets| {
        let dollar = assets.security("AAPL", Equity, "USD");
        assets.price(dollar, "2026-11-20", "1.01");
        let pound = assets.security("BARC", Equity, "GBP");
        assets.price(pound, "2026-11-20", "4");
        let unknown = assets.security("NEW", Equity, "EUR");
        let account = assets.paper_account("Paper", 100, "EUR");
        for security in [dollar, pound, unknown] {
            assets.paper_position(account, security, Long, "1", "3");
        }
    })
    .await;
    let account = &answer["paper_accounts"][0];
    assert_eq!(account["total"], json!({"amount_cents": 151, "currency": "EUR"}), "100 and 50.5, rounded");
    assert_eq!(account["unconverted"], json!([{"currency": "GBP", "amount_cents": 400}]));
    assert_eq!(account["partial"], true);
    let unknown = &account["positions"][2];
    assert_eq!((&unknown["symbol"], &unknown["cost_basis_cents"]), (&json!("NEW"), &json!(300)));
    for absent in ["market_price", "market_value_cents", "unrealized_pl_cents"] {
        assert!(unknown.get(absent).is_none(), "{absent}");
    }
    assert!(
        answer.get("partial").is_none() && answer.get("unconverted").is_none(),
        "the flags of a simulated account must not reach the portfolio"
    );
}
