//! Securities: fees and gains of trades are rows, trades are not; holdings have a cost basis; balances follow prices.

use passbook_formats::beancount::Import;
use passbook_formats::record::{Holding, Record};

use super::{account, balances, ledger, rows};

const BROKER: &str = r#"
2024-01-01 open Assets:US:ETrade:Cash USD
2024-01-01 open Assets:US:ETrade:ITOT ITOT
2024-01-01 open Income:US:ETrade:PnL
2024-01-01 open Expenses:Financial:Commissions
2024-01-01 commodity ITOT
  name: "Total market"
  type: "etf"
2024-01-02 * "Transfer in"
  Assets:US:ETrade:Cash  1000.00 USD
  Equity:Opening-Balances
2024-01-10 * "Buy"
  Assets:US:ETrade:ITOT  3 ITOT {100.00 USD}
  Assets:US:ETrade:Cash  -308.95 USD
  Expenses:Financial:Commissions  8.95 USD
2024-01-20 * "Buy"
  Assets:US:ETrade:ITOT  2 ITOT {110.00 USD}
  Assets:US:ETrade:Cash  -220.00 USD
"#;

fn broker(text: &str) -> Import {
    ledger(&format!("{BROKER}{text}"))
}

fn holdings(import: &Import) -> Vec<&Holding> {
    let holdings = import.records.iter().filter_map(|located| match &located.record {
        Record::Holding(holding) => Some(holding),
        _ => None,
    });
    holdings.collect()
}

#[test]
fn trade_has_rows_for_fees_and_gains_only() {
    let import = broker(
        r#"
2024-02-01 * "Sell the first lot"
  Assets:US:ETrade:ITOT  -3 ITOT {100.00 USD} @ 120.00 USD
  Assets:US:ETrade:Cash  351.05 USD
  Expenses:Financial:Commissions  8.95 USD
  Income:US:ETrade:PnL
"#,
    );
    let expected = [
        "2024-01-10 ETrade EXPENSE BANK_FEES 895 USD",
        "2024-02-01 ETrade EXPENSE BANK_FEES 895 USD",
        "2024-02-01 ETrade INCOME INVESTMENT 6000 USD",
    ];
    assert_eq!(rows(&import), expected);
    let [held] = holdings(&import)[..] else { panic!("expected one holding") };
    assert_eq!((held.quantity.to_string().as_str(), held.cost_basis_cents), ("2", Some(22_000)));
}

#[test]
fn sub_accounts_of_single_securities_form_one_brokerage_account() {
    let import = broker("");
    let broker = account(&import, "ETrade");
    assert_eq!((broker.account_type.as_str(), broker.subtype.as_str()), ("investment", "brokerage"));
    // Cash of 1000.00 - 308.95 - 220.00, and 5 units at the last purchase price of 110.00: no price is in the ledger.
    assert_eq!(broker.balance_cents, 47_105 + 55_000);
    let names: Vec<_> = super::accounts(&import).iter().map(|account| account.name.as_str()).collect();
    assert_eq!(names, ["ETrade"]);
}

#[test]
fn price_change_alone_creates_a_balance_snapshot() {
    let import = broker(
        r#"
2024-01-15 price ITOT  105.005 USD
2024-02-02 price ITOT  111.115 USD
2024-02-03 price ITOT  111.115 USD
2024-02-09 price ITOT  90.00 EUR
"#,
    );
    let expected = [
        "2023-12-31 0",
        "2024-01-02 100000",
        // Cash of 691.05, and 3 units at their cost of 100.00, before the first price.
        "2024-01-10 99105",
        // 3 units at 105.005 are 315.015, rounded half away from zero.
        "2024-01-15 100607",
        // Cash of 471.05, and 5 units at 105.005, which are 525.025.
        "2024-01-20 99608",
        "2024-02-02 102663",
    ];
    assert_eq!(balances(&import, "ETrade"), expected);
}

#[test]
fn purchase_with_money_of_another_account_is_a_transfer() {
    let import = broker(
        r#"
2024-02-01 * "Savings plan"
  Assets:US:ETrade:ITOT  1.5 ITOT {100.00 USD}
  Assets:US:BofA:Checking  -150.00 USD
"#,
    );
    let expected = [
        "2024-01-10 ETrade EXPENSE BANK_FEES 895 USD",
        "2024-02-01 Checking INTERNAL_TRANSFER TRANSFER_OUT 15000 USD",
        "2024-02-01 ETrade INTERNAL_TRANSFER TRANSFER_IN 15000 USD",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn lots_are_reduced_by_the_booking_method_of_the_account() {
    for (method, cost_basis) in [("FIFO", 11_000), ("LIFO", 10_000), ("HIFO", 10_000)] {
        let text = BROKER.replace("ITOT ITOT\n", &format!("ITOT ITOT \"{method}\"\n"));
        let import = ledger(&format!(
            r#"{text}
2024-02-01 * "Sell four"
  Assets:US:ETrade:ITOT  -4 ITOT {{}} @ 120.00 USD
  Assets:US:ETrade:Cash  480.00 USD
  Income:US:ETrade:PnL
"#
        ));
        let [held] = holdings(&import)[..] else { panic!("expected one holding") };
        assert_eq!(
            (held.quantity.to_string().as_str(), held.cost_basis_cents),
            ("1", Some(cost_basis)),
            "{method}"
        );
    }
}

#[test]
fn lot_is_selected_by_date_and_total_cost_is_divided_by_quantity() {
    let import = broker(
        r#"
2024-02-01 * "Buy at a total cost"
  Assets:US:ETrade:ITOT  4 ITOT {{440.00 USD}}
  Assets:US:ETrade:Cash  -440.00 USD
2024-02-02 * "Sell some of the lot of January"
  Assets:US:ETrade:ITOT  -1 ITOT {2024-01-20}
  Assets:US:ETrade:Cash  110.00 USD
"#,
    );
    let [held] = holdings(&import)[..] else { panic!("expected one holding") };
    assert_eq!((held.quantity.to_string().as_str(), held.cost_basis_cents), ("8", Some(85_000)));
}

#[test]
fn security_has_name_type_and_prices() {
    let import = broker("2024-01-15 price ITOT  105.005 USD\n");
    let mut prices = Vec::new();
    for located in &import.records {
        match &located.record {
            Record::Security(security) => {
                assert_eq!(
                    (security.name.as_str(), security.symbol.as_deref()),
                    ("Total market", Some("ITOT"))
                );
                assert_eq!((security.security_type.as_str(), security.currency.as_str()), ("ETF", "USD"));
            }
            Record::SecurityPrice(price) => prices.push(format!("{} {}", price.as_of, price.price)),
            _ => {}
        }
    }
    // The purchase price is used as price only until the first price directive.
    assert_eq!(prices, ["2024-01-10 100.00", "2024-01-15 105.005"]);
}

#[test]
fn three_letter_ticker_is_a_security_and_currency_with_a_price_is_money() {
    let import = ledger(
        r#"
2024-01-01 open Assets:US:ETrade:VHT VHT
2024-01-01 open Assets:US:Wise:Euros EUR
2024-02-01 * "Buy"
  Assets:US:ETrade:VHT  1 VHT {100.00 USD}
  Assets:US:BofA:Checking  -100.00 USD
2024-02-01 * "Exchange"
  Assets:US:Wise:Euros  10.00 EUR @ 1.10 USD
  Assets:US:BofA:Checking  -11.00 USD
"#,
    );
    let holdings = holdings(&import);
    assert_eq!(holdings.len(), 1);
    assert_eq!(holdings[0].account_id, account(&import, "ETrade").account_id);
    assert_eq!(account(&import, "Euros").balance_cents, 1000);
}
