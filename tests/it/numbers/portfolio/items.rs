//! Institutions, accounts, and the securities in accounts.

use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::AccountType::{Credit, Depository, Investment, Loan};
use passbook_domain::portfolio::SecurityType::{Bond, Equity, Etf};
use passbook_records::record::Record;
use serde_json::json;
use tests::assets::UPDATED;

use super::{column, portfolio};

#[tokio::test]
async fn portfolio_without_assets_is_empty() {
    let answer = portfolio(|_| {}).await;
    assert_eq!(
        answer,
        json!({"total": {"amount_cents": 0, "currency": "EUR"}, "items": [], "wallets": [], "paper_accounts": [],
            "securitiesByItem": {}})
    );
}

#[tokio::test]
async fn item_total_adds_accounts_that_are_rounded_once_each() {
    let mut ids = Vec::new();
    let answer = portfolio(|assets| {
        let bank = assets.bank("First Platypus", BankStatus::NeedsUpdate);
        ids.push(bank);
        ids.push(assets.account(bank, "Checking", Depository, 10_000, "EUR"));
        // 101 cents of a dollar are 50.5 euro cents, rounded to 51 for each account: a cent more than the rounded sum.
        ids.push(assets.account(bank, "Dollars", Depository, 101, "USD"));
        ids.push(assets.account(bank, "More dollars", Depository, 101, "USD"));
        ids.push(assets.account(bank, "Card", Credit, -2_501, "USD"));
        ids.push(assets.account(bank, "Mortgage", Loan, -9_000_000, "EUR"));
    })
    .await;
    let item = &answer["items"][0];
    assert_eq!(item["id"], json!(ids[0]));
    assert_eq!((&item["bank_name"], &item["needs_update"]), (&json!("First Platypus"), &json!(true)));
    let total = 10_000 + 51 + 51 - 1_251 - 9_000_000;
    assert_eq!(item["total"], json!({"amount_cents": total, "currency": "EUR"}));
    assert_eq!(item["currency"], "EUR");
    assert_eq!(answer["total"], item["total"]);
    assert_eq!(
        item["accounts"][4],
        json!({"id": ids[5], "name": "Mortgage", "type": "loan", "subtype": "brokerage", "balance_cents": -9_000_000,
            "currency": "EUR", "updated_at": UPDATED, "has_holdings": false}),
        "a balance must be signed and in the account's currency"
    );
    let names = json!(column(&item["accounts"], "name"));
    assert_eq!(
        names,
        json!(["Checking", "Dollars", "More dollars", "Card", "Mortgage"]),
        "accounts must be sorted by value"
    );
    assert!(answer.get("unconverted").is_none() && item.get("unconverted").is_none());
}

#[tokio::test]
async fn balance_without_a_rate_is_reported_in_item_and_portfolio() {
    let answer = portfolio(|assets| {
        let first = assets.bank("First", BankStatus::Connected);
        assets.account(first, "Euro", Depository, 500, "EUR");
        assets.account(first, "Pounds", Depository, 700, "GBP");
        assets.account(first, "Card", Credit, -200, "GBP");
        let second = assets.bank("Second", BankStatus::Connected);
        assets.account(second, "Yen", Depository, 900, "JPY");
    })
    .await;
    let missing = json!([{"currency": "GBP", "amount_cents": 500}]);
    assert_eq!(
        answer["items"][0]["unconverted"], missing,
        "the amount must be signed and without a transaction count"
    );
    assert_eq!(answer["items"][1]["unconverted"], json!([{"currency": "JPY", "amount_cents": 900}]));
    assert_eq!(
        answer["unconverted"],
        json!([{"currency": "GBP", "amount_cents": 500}, {"currency": "JPY", "amount_cents": 900}])
    );
    assert_eq!(answer["total"]["amount_cents"], 500);
    assert_eq!(
        column(&answer["items"][0]["accounts"], "name"),
        [json!("Euro"), json!("Card"), json!("Pounds")],
        "accounts without a rate must be last, by name"
    );
}

#[tokio::test]
async fn items_are_sorted_by_total_then_name_without_closed_accounts() {
    let answer = portfolio(|assets| {
        for (name, cents) in [("Zebra", 100), ("Aardvark", 100), ("Mole", 5_000), ("Bear", -3)] {
            let bank = assets.bank(name, BankStatus::Manual);
            assets.account(bank, &format!("{name}'s"), Depository, cents, "EUR");
        }
        let closing = assets.bank("Closing", BankStatus::Manual);
        assets.account(closing, "closed today", Depository, 1_000, "EUR");
        assets.closed_on("2026-11-21");
        assets.account(closing, "closes tomorrow", Depository, 2, "EUR");
        assets.closed_on("2026-11-22");
    })
    .await;
    assert_eq!(
        json!(column(&answer["items"], "bank_name")),
        json!(["Mole", "Aardvark", "Zebra", "Closing", "Bear"])
    );
    assert_eq!(column(&answer["items"][3]["accounts"], "name"), [json!("closes tomorrow")]);
    assert_eq!(answer["total"]["amount_cents"], 5_000 + 100 + 100 + 2 - 3);
}

#[tokio::test]
async fn securities_are_listed_by_item_at_the_last_price_on_or_before_today() {
    let mut ids = Vec::new();
    let answer = portfolio(|assets| {
        let bank = assets.bank("Broker", BankStatus::Connected);
        let depot = assets.account(bank, "Depot", Investment, 1_000_000, "EUR");
        let empty = assets.bank("Empty", BankStatus::Connected);
        assets.account(empty, "Checking", Depository, 1, "EUR");
        let fund = assets.security("VEA", Etf, "USD");
        if let Some(Record::Security(security)) = assets.records.last_mut() {
            security.isin = Some("US9219438580".to_owned());
        }
        // A future price is not used; an old price is used if there is no newer one.
        for (date, price) in [("2026-11-19", "100"), ("2026-11-20", "127.52"), ("2026-11-22", "999")] {
            assets.price(fund, date, price);
        }
        let bond = assets.security("BUND", Bond, "EUR");
        assets.price(bond, "2019-01-01", "99.995");
        let unknown = assets.security("UNKNOWN", Equity, "EUR");
        let sold = assets.security("SOLD", Equity, "EUR");
        assets.price(sold, "2026-11-20", "5");
        assets.holding(depot, fund, "61");
        if let Some(Record::Holding(holding)) = assets.records.last_mut() {
            holding.cost_basis_cents = Some(769_011);
        }
        assets.holding(depot, bond, "-0.5000");
        assets.holding(depot, unknown, "3");
        assets.holding(depot, sold, "0");
        let old = assets.account(bank, "Old depot", Investment, 0, "EUR");
        assets.closed_on("2026-01-01");
        assets.holding(old, fund, "7");
        ids.extend([bank, depot, fund, bond, unknown]);
    })
    .await;
    let [bank, depot, fund, bond, unknown] = ids[..] else { panic!("five identifiers") };
    assert_eq!(
        answer["securitiesByItem"],
        json!({bank.to_string(): [
            {"security_id": fund, "account_id": depot, "symbol": "VEA", "name": "VEA itself", "type": "ETF",
             "isin": "US9219438580", "quantity": "61", "price": "127.52", "price_as_of": "2026-11-20",
             "value_cents": 777_872, "cost_basis_cents": 769_011, "currency": "USD", "is_cash_equivalent": false},
            // 0.5 × 99.995 is 49.9975, rounded once, away from zero, to −50.00.
            {"security_id": bond, "account_id": depot, "symbol": "BUND", "name": "BUND itself", "type": "BOND",
             "quantity": "-0.5000", "price": "99.995", "price_as_of": "2019-01-01", "value_cents": -5_000,
             "currency": "EUR", "is_cash_equivalent": false},
            {"security_id": unknown, "account_id": depot, "symbol": "UNKNOWN", "name": "UNKNOWN itself",
             "type": "EQUITY", "quantity": "3", "currency": "EUR", "is_cash_equivalent": false},
        ]})
    );
    assert_eq!(
        answer["total"]["amount_cents"], 1_000_001,
        "the balance includes the holdings, which must not be added again"
    );
    assert_eq!(column(&answer["items"][0]["accounts"], "has_holdings"), [json!(true)]);
    assert!(answer.get("partial").is_none(), "a balance must not be partial");
}

#[tokio::test]
async fn security_with_quantity_zero_is_not_a_holding() {
    let answer = portfolio(|assets| {
        let bank = assets.bank("Broker", BankStatus::Connected);
        let depot = assets.account(bank, "Depot", Investment, 10, "EUR");
        let sold = assets.security("SOLD", Equity, "EUR");
        assets.holding(depot, sold, "0.000");
    })
    .await;
    assert_eq!(answer["items"][0]["accounts"][0]["has_holdings"], false);
    assert_eq!(answer["securitiesByItem"], json!({}));
}
