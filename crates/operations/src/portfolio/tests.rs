//! Unit tests of the portfolio.

use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::PortfolioRows;
use passbook_test_support::{
    InMemoryLedger, account, bank, paper_account, paper_position, wallet, wallet_holding,
};
use serde_json::json;

use super::Portfolio;
use crate::error::Error;
use crate::harness::{cents, each, rest, result};

const EUR: Currency = Currency::EUR;

fn usd() -> Currency {
    Currency::parse("USD").expect("a code")
}

/// Rows of a portfolio that is empty but for the change.
fn held(change: impl FnOnce(&mut PortfolioRows)) -> PortfolioRows {
    let mut rows = PortfolioRows::default();
    change(&mut rows);
    rows
}

#[test]
fn total_is_items_and_wallets_and_debts_reduce_it() {
    let held = held(|rows| {
        rows.banks = vec![bank(1, "A", BankStatus::Connected), bank(2, "B", BankStatus::NeedsUpdate)];
        rows.accounts = vec![
            account(1, EUR, 1_000, Some(1_000)),
            account(1, EUR, -300, Some(-300)),
            account(2, usd(), 50, Some(45)),
        ];
        rows.wallets = vec![wallet(3, "W")];
        rows.wallet_holdings = vec![wallet_holding(3, usd(), Some(10), Some(9))];
        rows.paper_accounts = vec![paper_account(4, usd(), 100)];
        rows.paper_positions = vec![paper_position(4, usd(), Some(-30), Some(-30))];
    });
    let portfolio = result::<Portfolio>(InMemoryLedger::new().with_held(held), &[]);
    assert_eq!(cents(&portfolio["total"]), 754);
    let totals: Vec<i64> = each(&portfolio["items"], "total").into_iter().map(cents).collect();
    assert_eq!(totals, [700, 45]);
    assert_eq!(each(&portfolio["items"], "needs_update"), [false, true]);
    assert_eq!(cents(&portfolio["wallets"][0]["total"]), 9);
    let simulated = &portfolio["paper_accounts"][0];
    assert_eq!(simulated["total"], json!({ "amount_cents": 70, "currency": "USD" }));
    assert!(portfolio.get("partial").is_none() && portfolio.get("unconverted").is_none());
}

#[test]
fn items_and_wallets_are_sorted_by_total_and_then_by_name() {
    let held = held(|rows| {
        rows.banks =
            ["A", "B", "C"].iter().zip(1..).map(|(name, id)| bank(id, name, BankStatus::Manual)).collect();
        rows.accounts =
            vec![account(2, EUR, 5, Some(5)), account(3, EUR, 9, Some(9)), account(1, EUR, 5, Some(5))];
        rows.wallets = vec![wallet(4, "D"), wallet(5, "E")];
        rows.wallet_holdings = vec![wallet_holding(5, EUR, Some(1), Some(1))];
    });
    let portfolio = result::<Portfolio>(InMemoryLedger::new().with_held(held), &[]);
    assert_eq!(each(&portfolio["items"], "bank_name"), ["C", "A", "B"]);
    assert_eq!(each(&portfolio["wallets"], "name"), ["E", "D"]);
}

#[test]
fn balance_without_a_rate_is_reported_without_a_count() {
    let held = held(|rows| {
        rows.banks = vec![bank(1, "A", BankStatus::Connected)];
        rows.accounts = vec![account(1, usd(), 50, None), account(1, usd(), 25, None)];
    });
    let portfolio = result::<Portfolio>(InMemoryLedger::new().with_held(held), &[]);
    let expected = json!([{ "currency": "USD", "amount_cents": 75 }]);
    assert_eq!(portfolio["unconverted"], expected);
    assert_eq!(portfolio["items"][0]["unconverted"], expected);
    assert_eq!(cents(&portfolio["total"]), 0);
}

#[test]
fn holding_without_a_price_makes_wallet_and_portfolio_partial() {
    let held = held(|rows| {
        rows.wallets = vec![wallet(1, "W")];
        rows.wallet_holdings =
            vec![wallet_holding(1, EUR, None, None), wallet_holding(1, EUR, Some(5), Some(5))];
    });
    let portfolio = result::<Portfolio>(InMemoryLedger::new().with_held(held), &[]);
    assert_eq!((&portfolio["partial"], &portfolio["wallets"][0]["partial"]), (&json!(true), &json!(true)));
    assert_eq!(cents(&portfolio["total"]), 5);
}

#[test]
fn position_without_a_price_makes_only_its_simulated_account_partial() {
    let held = held(|rows| {
        rows.paper_accounts = vec![paper_account(1, EUR, 100)];
        rows.paper_positions = vec![paper_position(1, EUR, None, None)];
    });
    let portfolio = result::<Portfolio>(InMemoryLedger::new().with_held(held), &[]);
    assert_eq!(portfolio["paper_accounts"][0]["partial"], true);
    assert!(portfolio.get("partial").is_none());
    assert_eq!(cents(&portfolio["total"]), 0);
}

#[test]
fn total_beyond_64_bits_is_an_internal_error() {
    let huge = || account(1, EUR, i64::MAX, Some(i64::MAX));
    let held = held(|rows| {
        rows.banks = vec![bank(1, "A", BankStatus::Connected)];
        rows.accounts = vec![huge(), huge()];
    });
    let result = rest::<Portfolio>(InMemoryLedger::new().with_held(held), &[]);
    assert!(matches!(result, Err(Error::Internal(_))));
}
