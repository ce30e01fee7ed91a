//! Wallets: quantities, last prices, missing prices, and masked addresses.

use passbook_domain::portfolio::SecurityType::Cryptocurrency;
use passbook_records::record::Record;
use serde_json::json;
use tests::assets::UPDATED;

use super::{column, portfolio};

#[tokio::test]
async fn wallet_value_is_the_last_quantity_at_the_last_price() {
    let mut wallet = None;
    let answer = portfolio(|assets| {
        let bitcoin = assets.security("BTC", Cryptocurrency, "EUR");
        assets.price(bitcoin, "2026-11-20", "80000");
        assets.price(bitcoin, "2026-11-21", "81234.50");
        assets.price(bitcoin, "2026-11-22", "1");
        let ether = assets.security("ETH", Cryptocurrency, "USD");
        assets.price(ether, "2026-11-19", "3000.01");
        let dust = assets.security("DUST", Cryptocurrency, "EUR");
        assets.price(dust, "2026-11-19", "0.00000001");
        let id = assets.wallet("Cold wallet");
        wallet = Some(id);
        // The last quantity on or before today is used; a future quantity is not.
        for (date, quantity) in [("2026-01-01", "1"), ("2026-11-21", "0.04210000"), ("2026-11-22", "9")] {
            assets.wallet_holding(id, bitcoin, date, quantity);
        }
        assets.wallet_holding(id, ether, "2026-06-01", "0.000000000000000001");
        assets.wallet_holding(id, ether, "2026-07-01", "0.01");
        assets.wallet_holding(id, dust, "2026-01-01", "5");
        assets.wallet_holding(id, dust, "2026-10-01", "0");
    })
    .await;
    assert_eq!(
        answer["wallets"],
        json!([{"id": wallet, "name": "Cold wallet", "network": "BITCOIN", "address_masked": "bc1q…9x3f",
        "total": {"amount_cents": 341_997 + 1_500, "currency": "EUR"}, "currency": "EUR", "updated_at": UPDATED,
        "holdings": [
            {"symbol": "BTC", "name": "BTC itself", "quantity": "0.04210000", "price": "81234.50",
             "value_cents": 341_997, "currency": "EUR", "price_as_of": "2026-11-21"},
            {"symbol": "ETH", "name": "ETH itself", "quantity": "0.01", "price": "3000.01", "value_cents": 3_000,
             "currency": "USD", "price_as_of": "2026-11-19"},
        ]}])
    );
    assert_eq!(answer["total"]["amount_cents"], 343_497);
}

#[tokio::test]
async fn holding_without_a_price_has_no_value_and_makes_totals_partial() {
    let answer = portfolio(|assets| {
        let unknown = assets.security("NEW", Cryptocurrency, "EUR");
        assets.price(unknown, "2026-11-22", "5");
        let known = assets.security("BTC", Cryptocurrency, "EUR");
        assets.price(known, "2026-11-21", "100");
        let pound = assets.security("PND", Cryptocurrency, "GBP");
        assets.price(pound, "2026-11-21", "3");
        let wallet = assets.wallet("Mixed");
        for security in [unknown, known, pound] {
            assets.wallet_holding(wallet, security, "2026-01-01", "2");
        }
        let whole = assets.wallet("Whole");
        assets.wallet_holding(whole, known, "2026-01-01", "1");
        assets.wallet("Empty");
    })
    .await;
    assert_eq!(json!(column(&answer["wallets"], "name")), json!(["Mixed", "Whole", "Empty"]), "by total");
    let mixed = &answer["wallets"][0];
    assert_eq!(mixed["total"]["amount_cents"], 20_000);
    assert_eq!(mixed["partial"], true);
    let missing = json!([{"currency": "GBP", "amount_cents": 600}]);
    assert_eq!((&mixed["unconverted"], &answer["unconverted"]), (&missing, &missing));
    let values = column(&mixed["holdings"], "value_cents");
    assert_eq!(values, [json!(20_000), json!(null), json!(600)], "by value, then by name");
    assert!(mixed["holdings"][1].get("price").is_none() && mixed["holdings"][1].get("value_cents").is_none());
    assert!(answer["wallets"][1].get("partial").is_none());
    assert_eq!((&answer["partial"], &answer["total"]["amount_cents"]), (&json!(true), &json!(30_000)));
}

#[tokio::test]
async fn wallet_address_is_masked() {
    for (address, masked) in [
        (Some("0x5fd3e0a11ce05e401dba55b00c000000000c41e0"), Some("0x5f…41e0")),
        (Some("1234567890123456"), Some("1234…3456")),
        (Some("123456789012345"), Some("…45")),
        (Some("12345678"), Some("…78")),
        (None, None),
    ] {
        let answer = portfolio(|assets| {
            assets.wallet("Wallet");
            if let Some(Record::Wallet(wallet)) = assets.records.last_mut() {
                wallet.address = address.map(str::to_owned);
            }
        })
        .await;
        let shown = answer["wallets"][0].get("address_masked");
        assert_eq!(shown, masked.map(|masked| json!(masked)).as_ref(), "{address:?}");
        assert!(address.is_none_or(|address| !answer.to_string().contains(address)), "{address:?}");
    }
}
