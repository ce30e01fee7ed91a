//! Income and expenses: one row per line, on the right side, with the right amount and words.

use super::{ledger, rows, transactions};

#[test]
fn a_salary_is_gross_and_every_deduction_is_a_row() {
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
fn money_back_is_a_refund_and_a_loss_is_an_expense() {
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
fn the_payee_is_the_merchant_and_the_title_falls_back() {
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
fn more_than_two_decimals_are_rounded_half_away_from_zero_and_reported() {
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
fn an_amount_left_out_follows_from_prices_and_has_no_more_digits_than_the_others() {
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
fn arithmetic_metadata_comments_and_slashes_are_read() {
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
fn a_row_without_an_own_account_stands_on_an_account_of_its_own() {
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
fn commodities_that_are_not_money_are_left_out_and_reported() {
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
fn identifiers_survive_unrelated_entries_and_tell_equal_rows_apart() {
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
fn a_string_keeps_a_line_that_looks_like_metadata() {
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
