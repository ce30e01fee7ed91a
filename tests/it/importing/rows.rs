//! Income and expense rows: one row per posting, with account, amount, title and merchant.

use super::{ledger, rows, transactions};

#[test]
fn salary_is_a_gross_row_and_each_deduction_an_expense_row() {
    let import = ledger(
        r#"
2024-01-01 open Expenses:Taxes:Y2024:US:Federal
2024-01-01 open Expenses:Health:Dental:Insurance
2024-01-25 * "Hooli" "Payroll"
  Assets:US:BofA:Checking  1350.60 USD
  Income:Job:Salary  -2000.00 USD
  Expenses:Taxes:Y2024:US:Federal  600.00 USD
  Expenses:Health:Dental:Insurance  49.40 USD
"#,
    );
    let expected = [
        "2024-01-25 Checking INCOME SALARY 200000 USD",
        "2024-01-25 Checking EXPENSE TAXES 60000 USD",
        "2024-01-25 Checking EXPENSE INSURANCE 4940 USD",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn negative_expense_is_a_refund_and_negative_income_an_expense() {
    let import = ledger(
        r#"
2024-01-01 open Income:Broker:PnL
2024-02-01 * "Market" "Returned a melon"
  Expenses:Food:Groceries  -3.50 USD
  Assets:US:BofA:Checking
2024-02-02 * "Sold too late"
  Income:Broker:PnL  20 USD
  Assets:US:BofA:Checking  -20 USD
"#,
    );
    let expected =
        ["2024-02-01 Checking INCOME REFUND 350 USD", "2024-02-02 Checking EXPENSE UNCATEGORIZED 2000 USD"];
    assert_eq!(rows(&import), expected);
    assert!(import.report.unmapped_accounts.is_empty());
}

#[test]
fn payee_is_the_merchant_and_title_falls_back_to_payee_and_account() {
    let import = ledger(
        r#"
2024-02-01 * "The \"Big\" Market" "Weekly shopping"
  Expenses:Food:Groceries  1 USD
  Assets:US:BofA:Checking
2024-02-02 * "Market" ""
  Expenses:Food:Groceries  1 USD
  Assets:US:BofA:Checking
2024-02-03 *
  Expenses:Food:Groceries  1 USD
  Assets:US:BofA:Checking
"#,
    );
    let words: Vec<_> =
        transactions(&import).iter().map(|row| (row.merchant_name.as_deref(), row.title.as_str())).collect();
    let expected =
        [(Some("The \"Big\" Market"), "Weekly shopping"), (Some("Market"), "Market"), (None, "Groceries")];
    assert_eq!(words, expected);
}

#[test]
fn amount_with_more_than_two_decimals_is_rounded_and_reported() {
    let import = ledger(
        r#"
2024-02-01 * "Fuel"
  Expenses:Food:Groceries  10.125 USD
  Assets:US:BofA:Checking
"#,
    );
    assert_eq!(rows(&import), ["2024-02-01 Checking EXPENSE GROCERIES 1013 USD"]);
    let [rounded] = import.report.rounded.as_slice() else { panic!("one rounded row") };
    assert_eq!((rounded.amount.as_str(), rounded.amount_cents), ("10.125 USD", 1013));
    assert!(rounded.place.ends_with("main.beancount:10"), "{}", rounded.place);
}

#[test]
fn omitted_amount_is_derived_from_prices_with_the_precision_of_the_others() {
    let import = ledger(
        r#"
2024-02-01 * "Paid abroad"
  Expenses:Food:Groceries  33.33 EUR @ 1.1111 USD
  Assets:US:BofA:Checking
2024-02-02 * "Paid abroad, from the total"
  Expenses:Food:Groceries  30.00 EUR @@ 33.00 USD
  Assets:US:BofA:Checking  -33.00 USD
2024-02-03 balance Assets:US:BofA:Checking  -70.03 USD
"#,
    );
    let expected =
        ["2024-02-01 Checking EXPENSE GROCERIES 3333 EUR", "2024-02-02 Checking EXPENSE GROCERIES 3000 EUR"];
    assert_eq!(rows(&import), expected);
}

#[test]
fn arithmetic_metadata_comments_and_dates_with_slashes_are_read() {
    let import = ledger(
        r#"
* A heading
2024/02/01 * "Market" "Shared" #food ^receipt-1
  receipt: 2024-02-01
  paid-by: Assets:US:BofA:Checking
  Expenses:Food:Groceries  (30.00 + 12.00) / 2 USD ; half of it
    weight: 3 KG
; between the lines
  Assets:US:BofA:Checking
"#,
    );
    assert_eq!(rows(&import), ["2024-02-01 Checking EXPENSE GROCERIES 2100 USD"]);
}

#[test]
fn transaction_without_own_account_is_on_an_account_named_no_account() {
    let import = ledger(
        r#"
2024-02-01 * "Aunt" "Paid my rent"
  Income:Job:Salary  -500 USD
  Expenses:Home:Rent  500 USD
"#,
    );
    let expected = [
        "2024-02-01 No account (USD) INCOME SALARY 50000 USD",
        "2024-02-01 No account (USD) EXPENSE RENT 50000 USD",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn commodity_that_is_not_money_is_skipped_and_reported() {
    let import = ledger(
        r#"
2024-01-01 open Assets:US:Hooli:Vacation VACHR
2024-01-01 open Income:US:Hooli:Vacation
2024-02-01 * "Hooli" "Hours"
  Assets:US:Hooli:Vacation  5 VACHR
  Income:US:Hooli:Vacation  -5 VACHR
2024-02-02 balance Assets:US:Hooli:Vacation  9 VACHR
2024-02-03 price EUR  1.10 USD
2024-02-03 note Assets:US:BofA:Checking "Called the bank"
"#,
    );
    assert!(rows(&import).is_empty());
    let skipped: Vec<_> =
        import.report.skipped.iter().map(|skipped| (skipped.what.as_str(), skipped.count)).collect();
    let expected = [
        ("balance assertions of VACHR", 1),
        ("note directives", 1),
        ("postings of VACHR", 2),
        ("prices of EUR", 1),
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn transaction_identifiers_are_stable_and_differ_between_equal_rows() {
    let coffee =
        "2024-02-01 * \"Cafe\" \"Espresso\"\n  Expenses:Food:Groceries  3 USD\n  Assets:US:BofA:Checking\n";
    let other =
        "2024-01-15 * \"Cafe\" \"Tea\"\n  Expenses:Food:Groceries  3 USD\n  Assets:US:BofA:Checking\n";
    let ids = |text: &str| -> Vec<_> {
        transactions(&ledger(text)).iter().map(|transaction| transaction.transaction_id).collect()
    };
    let two = ids(&format!("{coffee}{coffee}"));
    assert_ne!(two[0], two[1]);
    let three = ids(&format!("{coffee}{other}{coffee}"));
    assert_eq!(three[1..], two[..]);
}

#[test]
fn multi_line_string_may_contain_lines_that_look_like_metadata() {
    let import = ledger(
        r#"
2024-02-01 * "first
  second: line {{ and braces"
  note: "dropped
  Assets:US:BofA:Savings  7 USD"
  Expenses:Food:Groceries  1 USD
  Assets:US:BofA:Checking
"#,
    );
    let titles: Vec<&str> = transactions(&import).iter().map(|row| row.title.as_str()).collect();
    assert_eq!(titles, ["first second: line {{ and braces"]);
}
