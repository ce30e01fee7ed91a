//! Transfers between own accounts: two linked rows that are neither income nor spending. Also entries that change
//! balances only.

use std::collections::BTreeMap;

use super::{balances, ledger, rows, transactions};

#[test]
fn transfer_is_two_linked_rows() {
    let import = ledger(
        r#"
2024-02-01 * "Put aside"
  Assets:US:BofA:Checking  -200 USD
  Assets:US:BofA:Savings  200 USD
"#,
    );
    let expected = [
        "2024-02-01 Checking INTERNAL_TRANSFER TRANSFER_OUT 20000 USD",
        "2024-02-01 Savings INTERNAL_TRANSFER TRANSFER_IN 20000 USD",
    ];
    assert_eq!(rows(&import), expected);
    let legs = transactions(&import);
    assert_eq!(legs[0].linked_transaction_id, Some(legs[1].transaction_id));
    assert_eq!(legs[1].linked_transaction_id, Some(legs[0].transaction_id));
}

#[test]
fn credit_card_payment_is_a_transfer_and_not_an_expense() {
    let import = ledger(
        r#"
2024-02-01 * "Market" "Food"
  Liabilities:US:Chase:Slate  -73.16 USD
  Expenses:Food:Groceries
2024-02-10 * "Chase" "Paying off the card"
  Liabilities:US:Chase:Slate  73.16 USD
  Assets:US:BofA:Checking
"#,
    );
    let expected = [
        "2024-02-01 Slate EXPENSE GROCERIES 7316 USD",
        "2024-02-10 Checking INTERNAL_TRANSFER CREDIT_CARD_PAYMENT 7316 USD",
        "2024-02-10 Slate INTERNAL_TRANSFER TRANSFER_IN 7316 USD",
    ];
    assert_eq!(rows(&import), expected);
    assert_eq!(balances(&import, "Slate"), ["2023-12-31 0", "2024-02-01 -7316", "2024-02-10 0"]);
}

#[test]
fn several_transfer_legs_are_paired_by_equal_amount_first() {
    let import = ledger(
        r#"
2024-01-01 open Assets:Cash USD
2024-01-01 open Assets:Wallet USD
2024-02-01 * "Shuffle"
  Assets:US:BofA:Checking  -100 USD
  Assets:Cash  -60 USD
  Assets:US:BofA:Savings  60 USD
  Liabilities:US:Chase:Slate  60 USD
  Assets:Wallet  40 USD
"#,
    );
    let expected = [
        "2024-02-01 Cash INTERNAL_TRANSFER TRANSFER_OUT 6000 USD",
        "2024-02-01 Savings INTERNAL_TRANSFER TRANSFER_IN 6000 USD",
        "2024-02-01 Checking INTERNAL_TRANSFER CREDIT_CARD_PAYMENT 6000 USD",
        "2024-02-01 Slate INTERNAL_TRANSFER TRANSFER_IN 6000 USD",
        "2024-02-01 Checking INTERNAL_TRANSFER TRANSFER_OUT 4000 USD",
        "2024-02-01 Wallet INTERNAL_TRANSFER TRANSFER_IN 4000 USD",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn currency_exchange_has_each_leg_in_its_own_currency() {
    let import = ledger(
        r#"
2024-01-01 open Assets:FR:Banque:Courant EUR
2024-02-01 * "Exchange"
  Assets:FR:Banque:Courant  100.00 EUR @ 1.10 USD
  Assets:US:BofA:Checking  -110.00 USD
"#,
    );
    let expected = [
        "2024-02-01 Checking INTERNAL_TRANSFER TRANSFER_OUT 11000 USD",
        "2024-02-01 Courant INTERNAL_TRANSFER TRANSFER_IN 10000 EUR",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn unmatched_remainder_of_a_transfer_is_income_or_expense() {
    // Beancount tolerates an imbalance of 0.05 for amounts with one decimal.
    let import = ledger(
        r#"
2024-02-01 * "Coins"
  Assets:US:BofA:Checking  -10.0 USD
  Assets:US:BofA:Savings  9.96 USD
2024-02-02 * "Coins"
  Assets:US:BofA:Checking  -9.96 USD
  Assets:US:BofA:Savings  10.0 USD
"#,
    );
    let expected = [
        "2024-02-01 Checking INTERNAL_TRANSFER TRANSFER_OUT 996 USD",
        "2024-02-01 Savings INTERNAL_TRANSFER TRANSFER_IN 996 USD",
        "2024-02-01 Checking EXPENSE TRANSFER_OUT 4 USD",
        "2024-02-02 Checking INTERNAL_TRANSFER TRANSFER_OUT 996 USD",
        "2024-02-02 Savings INTERNAL_TRANSFER TRANSFER_IN 996 USD",
        "2024-02-02 Savings INCOME TRANSFER_IN 4 USD",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn salary_on_two_accounts_is_income_on_one_and_a_transfer_to_the_other() {
    let import = ledger(
        r#"
2024-02-01 * "Hooli" "Payroll"
  Income:Job:Salary  -1000 USD
  Assets:US:BofA:Checking  700 USD
  Assets:US:BofA:Savings  300 USD
"#,
    );
    let expected = [
        "2024-02-01 Checking INCOME SALARY 100000 USD",
        "2024-02-01 Checking INTERNAL_TRANSFER TRANSFER_OUT 30000 USD",
        "2024-02-01 Savings INTERNAL_TRANSFER TRANSFER_IN 30000 USD",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn posting_is_assigned_to_the_account_with_the_same_amount() {
    let import = ledger(
        r#"
2024-02-01 * "Hooli" "Payroll and lunch money"
  Income:Job:Salary  -1000 USD
  Assets:US:BofA:Checking  1000 USD
  Expenses:Food:Groceries  40 USD
  Assets:US:BofA:Savings  -40 USD
"#,
    );
    let expected =
        ["2024-02-01 Checking INCOME SALARY 100000 USD", "2024-02-01 Savings EXPENSE GROCERIES 4000 USD"];
    assert_eq!(rows(&import), expected);
}

#[test]
fn opening_balance_and_pad_change_balances_without_rows() {
    let import = ledger(
        r#"
2024-01-01 * "Opening balance"
  Assets:US:BofA:Checking  500.00 USD
  Equity:Opening-Balances
2024-01-10 pad Assets:US:BofA:Savings Equity:Opening-Balances
2024-02-01 * "Interest paid out"
  Assets:US:BofA:Savings  -10.00 USD
  Expenses:Home:Rent
2024-02-02 balance Assets:US:BofA:Savings  90.00 USD
2024-02-02 balance Assets:US:BofA  590.00 USD
"#,
    );
    assert_eq!(rows(&import), ["2024-02-01 Savings EXPENSE RENT 1000 USD"]);
    assert_eq!(balances(&import, "Checking"), ["2023-12-31 0", "2024-01-01 50000"]);
    assert_eq!(balances(&import, "Savings"), ["2023-12-31 0", "2024-01-10 10000", "2024-02-01 9000"]);
}

#[test]
fn rows_explain_every_balance_change() {
    let import = ledger(
        r#"
2024-02-01 * "A bit of everything"
  Income:Job:Salary  -1000.00 USD
  Expenses:Food:Groceries  33.10 USD
  Expenses:Home:Rent  700.00 USD
  Assets:US:BofA:Checking  400.00 USD
  Assets:US:BofA:Savings  -150.10 USD
  Liabilities:US:Chase:Slate
"#,
    );
    let mut changes: BTreeMap<_, i64> = BTreeMap::new();
    for row in transactions(&import) {
        let into = row.transaction_type.as_str() == "INCOME" || row.category.as_str() == "TRANSFER_IN";
        *changes.entry(row.account_id).or_default() +=
            if into { row.amount_cents } else { -row.amount_cents };
    }
    for account in super::accounts(&import) {
        assert_eq!(
            changes.get(&account.account_id).copied(),
            Some(account.balance_cents),
            "{}",
            account.name
        );
    }
}
