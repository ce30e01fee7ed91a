//! The zero balance on the day before an account was opened, and the history of a complete ledger.

use jiff::civil::Date;
use passbook_formats::beancount::{AccountMap, Import, import};
use passbook_formats::record::{BalanceSnapshot, Record};
use serde_json::Value;
use tests::app::{App, TODAY};

use super::{balances, import_files, user};

/// A ledger as `bean-example` of Beancount 3 generates it for six months.
const BEAN_EXAMPLE: &str = "tests/vectors/bean-example.beancount";

fn imported(text: &str) -> Import {
    import_files(&[("main.beancount", text)], &AccountMap::built_in()).expect("the ledger has no faults")
}

#[test]
fn account_has_a_zero_balance_on_the_day_before_its_open_directive() {
    let entry = "2024-03-01 * \"x\"\n  Assets:Giro  7.00 EUR\n  Equity:Opening\n";
    let equity = "2024-01-01 open Equity:Opening\n";
    let ledger = |open: &str| format!("{equity}{open}{entry}");
    let padded = "2024-02-01 open Assets:Giro\n2024-02-01 pad Assets:Giro Equity:Opening\n\
        2024-02-02 balance Assets:Giro  5.00 EUR\n";
    for (name, text, expected) in [
        ("opened before", ledger("2024-02-01 open Assets:Giro\n"), &["2024-01-31 0", "2024-03-01 700"][..]),
        ("opened on the day", ledger("2024-03-01 open Assets:Giro\n"), &["2024-02-29 0", "2024-03-01 700"]),
        ("padded on the day", ledger(padded), &["2024-01-31 0", "2024-02-01 500", "2024-03-01 1200"]),
        ("opened before 1900", ledger("1899-05-01 open Assets:Giro\n"), &["2024-02-29 0", "2024-03-01 700"]),
        (
            "auto_accounts",
            ledger("plugin \"beancount.plugins.auto_accounts\"\n"),
            &["2024-02-29 0", "2024-03-01 700"],
        ),
    ] {
        assert_eq!(balances(&imported(&text), "Giro"), expected, "{name}");
    }
}

#[test]
fn merged_account_has_a_zero_balance_before_its_first_sub_account_was_opened() {
    let import = imported(
        "2024-01-01 open Equity:Opening\n2024-02-01 open Assets:US:ETrade:Cash\n\
         2024-01-15 open Assets:US:ETrade:ITOT\n2024-03-01 * \"x\"\n  Assets:US:ETrade:Cash  7.00 USD\n  \
         Equity:Opening\n2024-03-02 * \"x\"\n  Assets:US:ETrade:ITOT  1 ITOT {7.00 USD}\n  Assets:US:ETrade:Cash\n",
    );
    assert_eq!(balances(&import, "ETrade"), ["2024-01-14 0", "2024-03-01 700"]);
}

#[test]
fn account_that_held_nothing_has_no_balance() {
    let import = imported("2024-01-01 open Assets:Giro\n2024-01-01 open Assets:Empty\n");
    let snapshots = |record: &Record| matches!(record, Record::BalanceSnapshot(_));
    assert!(!import.records.iter().any(|located| snapshots(&located.record)));
}

#[test]
fn placeholder_account_has_a_zero_balance_on_the_day_before_its_first_row() {
    let import = imported(
        "2024-01-01 open Expenses:Rent\n2024-01-01 open Income:Gifts\n2024-02-01 * \"Aunt\" \"Paid my rent\"\n  \
         Expenses:Rent  5.00 EUR\n  Income:Gifts\n",
    );
    assert_eq!(balances(&import, "No account (EUR)"), ["2024-01-31 0"]);
}

/// Imports the example ledger and returns the history of a person who has only this ledger.
async fn history(records: Vec<Record>, query: &str) -> Value {
    let app = App::start().await;
    app.load([Record::User(user()), super::ledger_record()].into_iter().chain(records)).await;
    let token = app.token(user().user_id).await;
    app.get(&format!("/v1/portfolio/history?{query}"), &token).await.ok()
}

fn bean_example() -> Vec<Record> {
    let file = tests::root().join(BEAN_EXAMPLE);
    let import = import(&file, &user(), "main", TODAY, &AccountMap::built_in(), &|_| {});
    let import = import.expect("the ledger has no faults");
    import.records.into_iter().map(|located| located.record).collect()
}

/// The day of the last `open` directive of an account that can hold money or securities.
fn last_open() -> Date {
    let text = std::fs::read_to_string(tests::root().join(BEAN_EXAMPLE)).expect("the ledger is read");
    let opened = text.lines().filter_map(|line| line.split_once(" open "));
    let own =
        opened.filter(|(_, account)| account.starts_with("Assets") || account.starts_with("Liabilities"));
    own.map(|(day, _)| day.parse::<Date>().expect("a day")).max().expect("an open directive")
}

#[tokio::test]
async fn history_of_a_bean_example_ledger_has_no_partial_point_after_its_last_open() {
    let last_open = last_open();
    let answer = history(bean_example(), "timeRange=all&interval=month").await;
    let points = answer["points"].as_array().expect("points");
    let after: Vec<&Value> = points
        .iter()
        .filter(|point| point["date"].as_str() >= Some(last_open.to_string().as_str()))
        .collect();
    assert!(after.len() > 10 && points.len() > after.len(), "{} of {} points", after.len(), points.len());
    for point in after {
        assert!(point.get("partial").is_none(), "{point}");
    }
    let day = last_open.to_string();
    let days = history(bean_example(), &format!("dateFrom={day}&dateTo={TODAY}&interval=day")).await;
    assert!(days.get("completeFrom").is_none() && days.get("change").is_some(), "{}", days["completeFrom"]);
    // Without the zero balances, accounts that were opened before their first entry would be unknown.
    let without: Vec<Record> = bean_example()
        .into_iter()
        .filter(|record| !matches!(record, Record::BalanceSnapshot(BalanceSnapshot { balance_cents: 0, .. })))
        .collect();
    let incomplete = history(without, &format!("dateFrom={day}&interval=week")).await;
    assert!(incomplete.get("completeFrom").is_some(), "{incomplete}");
}
