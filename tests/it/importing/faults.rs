//! Faults of a ledger: each has a place and a rule, and all are reported at once.

use passbook_formats::beancount::AccountMap;

use super::{faults, import_files, ledger};

#[test]
fn unreadable_line_is_a_fault_and_not_a_comment() {
    let text = r#"
2024-02-01 * "Market" "Food"
  Expenses:Food:Groceries  10 USD
  Expenses:Home:Rent  20
  Assets:US:BofA:Checking
2024-02-02 blance Assets:US:BofA:Checking  0 USD
opshun "title" "x"
2024-02-30 * "No such day"
"#;
    let expected = [
        "4: must be Beancount syntax (Expenses:Home:Rent  20)",
        "6: must be Beancount syntax (2024-02-02 blance Assets:US:BofA:Checking  0 USD)",
        "7: a line that is not indented must begin a directive (opshun \"title\" \"x\")",
        "8: a date must be a day of the calendar (2024-02-30)",
    ];
    assert_eq!(faults(text), expected);
}

#[test]
fn unbalanced_transaction_is_a_fault() {
    let text = r#"
2024-02-01 * "Market"
  Expenses:Food:Groceries  10.00 USD
  Assets:US:BofA:Checking  -9.99 USD
2024-02-02 * "Two unknowns"
  Expenses:Food:Groceries
  Assets:US:BofA:Checking
"#;
    let expected = [
        "2: the amounts of a transaction must sum to zero (0.01 USD left over)",
        "5: a transaction must leave out at most one amount ()",
    ];
    assert_eq!(faults(text), expected);
}

#[test]
fn failed_balance_assertion_is_a_fault() {
    let text = r#"
2024-02-01 * "Market"
  Expenses:Food:Groceries  10.00 USD
  Assets:US:BofA:Checking
2024-02-01 balance Assets:US:BofA:Checking  0.00 USD
2024-02-02 balance Assets:US:BofA:Checking  -9.99 USD
2024-02-02 balance Assets:US:BofA:Checking  -9.98 USD
2024-02-02 balance Assets:US:BofA:Checking  -9.50 ~ 0.50 USD
"#;
    let expected = ["7: the balance of Assets:US:BofA:Checking must be -9.98 USD, as asserted (-10.00 USD)"];
    assert_eq!(faults(text), expected);
}

#[test]
fn account_must_be_open_on_the_day_and_accept_the_currency() {
    let text = r#"
2024-02-01 * "Typing error"
  Expenses:Food:Grocereis  10 USD
  Assets:US:BofA:Checking
2024-02-02 close Assets:US:BofA:Savings
2024-02-03 * "Too late"
  Assets:US:BofA:Savings  10 USD
  Assets:US:BofA:Checking
2024-02-04 * "Wrong currency"
  Assets:US:BofA:Checking  -10 EUR
  Expenses:Food:Groceries
2023-12-31 * "Too early"
  Assets:US:BofA:Checking  -10 USD
  Expenses:Food:Groceries
"#;
    let expected = [
        "12: an account must be opened before it is used (Assets:US:BofA:Checking)",
        "2: an account must be opened before it is used (Expenses:Food:Grocereis)",
        "6: an account must not be used after its close (Assets:US:BofA:Savings)",
        "9: Assets:US:BofA:Checking must be used with USD only, as its open directive declares (-10 EUR)",
    ];
    assert_eq!(faults(text), expected);
}

#[test]
fn reduction_must_match_held_lots() {
    let text = r#"
2024-01-01 open Assets:Broker ITOT
2024-02-01 * "Buy"
  Assets:Broker  1 ITOT {100 USD}
  Assets:Broker  1 ITOT {110 USD}
  Assets:US:BofA:Checking
2024-02-02 * "Which one"
  Assets:Broker  -1 ITOT {}
  Assets:US:BofA:Checking
2024-02-03 * "None of them"
  Assets:Broker  -1 ITOT {120 USD}
  Assets:US:BofA:Checking
2024-02-04 * "Too many"
  Assets:Broker  -3 ITOT {100 USD}
  Assets:US:BofA:Checking
"#;
    let expected = [
        "7: a reduction that matches several lots must name one by its cost or date (-1 ITOT)",
        "10: a reduction must match a lot that is held; none has this cost and date (-1 ITOT)",
        "13: a reduction must not exceed the lots that it matches: they lack 2 (-3 ITOT)",
    ];
    assert_eq!(faults(text), expected);
}

#[test]
fn number_too_large_or_division_by_zero_is_a_fault() {
    let text = r#"
2024-02-01 * "Division"
  Expenses:Food:Groceries  1 / 0 USD
  Assets:US:BofA:Checking
2024-02-02 * "Large"
  Expenses:Food:Groceries  99999999999999999 USD
  Assets:US:BofA:Checking
2024-02-03 * "Large together"
  Expenses:Food:Groceries  900000000000000 EUR @ 900000000000000 USD
  Assets:US:BofA:Checking
"#;
    let rule = "a number must be at most 10^15, and no expression may divide by zero";
    let expected = [
        format!("2: {rule} ()"),
        format!("5: {rule} ()"),
        "8: an amount must be at most 10^15 (900000000000000 EUR)".to_owned(),
    ];
    assert_eq!(faults(text), expected);
}

#[test]
fn missing_include_is_reported_at_the_include_line() {
    let files = [("main.beancount", "\ninclude \"gone.beancount\"\n")];
    let faults = import_files(&files, &AccountMap::built_in()).expect_err("the ledger has a fault");
    assert_eq!(faults[0].place, "main.beancount:2");
    assert!(faults[0].rule.starts_with("the file must be readable UTF-8"), "{}", faults[0].rule);
}

#[test]
fn control_character_other_than_tab_is_a_fault_and_both_line_ends_are_accepted() {
    let text = "\r\n2024-02-01 * \"A\u{0}B\"\r\n\tExpenses:Food:Groceries  1 USD\r\n\tAssets:US:BofA:Checking\r\n\
        2024-02-02 note Assets:US:BofA:Checking \"\u{7f}\"\r\n";
    let rule = "a line must not contain control characters other than tabs";
    assert_eq!(faults(text), [format!("2: {rule} (U+0000)"), format!("5: {rule} (U+007F)")]);
    ledger(&text.replace(['\u{0}', '\u{7f}'], ""));
}

#[test]
fn date_outside_1900_to_2200_is_a_fault() {
    let text = r#"
1792-01-01 commodity USD
2201-01-01 price USD  1 EUR
1899-12-31 * "Too early"
  Expenses:Food:Groceries  1 USD
  Assets:US:BofA:Checking
2201-01-01 balance Assets:US:BofA:Checking  0 USD
"#;
    let rule = "an entry must be dated from 1900-01-01 to 2200-12-31";
    let expected = [
        format!("3: {rule} (2201-01-01)"),
        format!("4: {rule} (1899-12-31)"),
        format!("7: {rule} (2201-01-01)"),
    ];
    assert_eq!(faults(text), expected);
}

#[test]
fn amount_or_balance_above_the_storable_maximum_is_a_fault() {
    let amount = r#"
2024-02-01 * "Large"
  Expenses:Food:Groceries  90000000000000.01 USD
  Assets:US:BofA:Checking
"#;
    assert_eq!(faults(amount), ["2: an amount must be at most 9·10^13 (90000000000000.01)"]);
    let balance = r#"
2024-02-01 * "Much"
  Assets:US:BofA:Checking  90000000000000 USD
  Equity:Opening-Balances
2024-02-02 * "One more"
  Assets:US:BofA:Checking  1 USD
  Equity:Opening-Balances
"#;
    let rule = "the balance of an account must be at most 9·10^13";
    assert_eq!(faults(balance), [format!("5: {rule} (Assets:US:BofA:Checking)")]);
    let holding = r#"
2024-01-01 open Assets:Broker
2024-02-01 * "Buy"
  Assets:Broker  1000000000 ITOT {0.01 USD}
  Equity:Opening-Balances
2024-02-02 price ITOT  999999999999 USD
"#;
    assert_eq!(faults(holding), [format!("6: {rule} (Assets:Broker)")]);
}

#[test]
fn unsupported_beancount_syntax_is_named() {
    let text = r#"
2024-01-01 open Assets:Broker
2024-02-01 * "Label"
  Assets:Broker  1 ITOT {5.00 EUR, 2024-01-01, "label"}
  Equity:Opening-Balances
2024-02-01 * "Compound"
  Assets:Broker  1 ITOT {5.00 # 9.95 EUR}
  Equity:Opening-Balances
2024-2-1 * "Date"
  Assets:Broker  1 ITOT {5.00 EUR}
  Equity:Opening-Balances
2024-02-01 * "Date of a lot"
  Assets:Broker  1 ITOT {5.00 EUR, 2024-1-5}
  Equity:Opening-Balances
2024-02-01 * "Tag"
  #holiday ^booking
  Assets:Broker  1 ITOT {5.00 EUR}
  Equity:Opening-Balances
2024-02-01 * "Total with a label"
  Assets:Broker  1 ITOT {{5.00 EUR, "label"}}
  Equity:Opening-Balances
2024-02-01 * "Slash in a link" ^order/1
  Assets:Broker  1 ITOT {5.00 EUR}
  Equity:Opening-Balances
"#;
    let expected = [
        (4, "a lot with a label"),
        (7, "a cost in two parts"),
        (9, "a date with a month or day of one digit"),
        (13, "a date with a month or day of one digit"),
        (16, "tags or links on a line of their own"),
        (20, "a lot with a label"),
        (22, "a tag with a slash or a point, or a link with a slash"),
    ];
    let received = faults(text);
    assert_eq!(received.len(), expected.len(), "{received:#?}");
    for (fault, (line, what)) in received.iter().zip(expected) {
        assert!(fault.starts_with(&format!("{line}: is not supported here: {what}; ")), "{fault}");
    }
}
