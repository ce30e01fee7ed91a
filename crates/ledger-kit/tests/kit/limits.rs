//! Limits that only many rows or large amounts reach.

use std::cell::Cell;
use std::sync::Arc;

use jiff::ToSpan as _;
use jiff::civil::date;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::portfolio::{Account, AccountType};
use passbook_domain::recurring::ANALYSED_PAYMENTS_MAX;
use passbook_domain::timestamp::UtcTimestamp;
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};
use passbook_ledger_kit::assets::StoredAccount;
use passbook_ledger_kit::{
    LedgerData, MemoryLedger, OpenLedger, StoredPerson, TestGrants, answer, answer_tool,
};
use passbook_operations::Service;
use passbook_operations::recurring_payments::{Params, RecurringPayments};
use serde_json::{Value, json};
use uuid::Uuid;

use super::ready;

/// Largest number of payments that are analysed on the thread of the request.
const INLINE_TRANSACTIONS_MAX: usize = 500;

fn open(change: impl FnOnce(&mut StoredPerson)) -> OpenLedger {
    let mut person = StoredPerson::new(Uuid::from_u128(1), "many");
    change(&mut person);
    let mut data = LedgerData::new(date(2026, 11, 21));
    data.people.push(person);
    let credential = TestGrants::credential(Uuid::from_u128(1));
    OpenLedger { ledger: Arc::new(MemoryLedger::for_tests(data)), credential }
}

fn expense(number: usize, cents: i64) -> Transaction {
    let amount = Money::new(cents, Currency::EUR);
    let category = Category::Expense(ExpenseCategory::Coffee);
    let id = Uuid::from_u128(number as u128 + 1);
    Transaction::new(id, date(2026, 11, 1), TransactionType::Expense, category, amount, "Title")
}

fn expenses(count: usize) -> OpenLedger {
    open(|person| person.transactions = (0..count).map(|number| expense(number, 100)).collect())
}

/// Rows of `count` merchants, each paid in twelve months up to November 2026.
fn merchants(count: usize) -> OpenLedger {
    open(|person| {
        for number in 0..count {
            let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).expect("a letter"));
            let name = format!("{}{}{} streaming", letter(number / 26), letter(number), letter(number * 7));
            for month in 0..12 {
                let mut row =
                    expense(number * 12 + month, 1_000 + i64::try_from(number).expect("small") * 10);
                row.date = date(2026, 11, 3) - i32::try_from(month).expect("small").months();
                row.merchant_name = Some(name.clone());
                person.transactions.push(row);
            }
        }
    })
}

fn length(answer: &Value, list: &str) -> usize {
    answer[list].as_array().unwrap_or_else(|| panic!("expected {list}, found {answer}")).len()
}

fn rest(open: &OpenLedger, operation: &str, parameters: &[(&str, &str)]) -> Value {
    ready(answer(open, operation, parameters))
}

#[test]
fn lists_have_default_and_largest_lengths() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let _guard = runtime.enter();
    let (rows, payees, few) = (expenses(201), merchants(110), merchants(60));
    for (open, operation, list, usual, name, largest) in [
        (&rows, "transactions", "transactions", 50, "pageSize", 200),
        (&payees, "top_merchants", "merchants", 10, "limit", 100),
    ] {
        assert_eq!(length(&rest(open, operation, &[]), list), usual, "{operation}");
        let found = rest(open, operation, &[(name, &largest.to_string())]);
        assert_eq!(length(&found, list), largest, "{operation}");
    }
    let tool = |open: &OpenLedger, operation, list, arguments: Value| {
        length(&runtime.block_on(answer_tool(open, operation, &arguments)), list)
    };
    assert_eq!(tool(&rows, "transactions", "transactions", json!({})), 25);
    assert_eq!(tool(&rows, "transactions", "transactions", json!({ "pageSize": 100 })), 100);
    let list = "recurringPayments";
    let all = runtime.block_on(answer(&payees, "recurring_payments", &[]));
    assert_eq!((length(&all, list), &all["totalCount"]), (100, &json!(110)));
    let all = runtime.block_on(answer(&payees, "recurring_payments", &[("limit", "200")]));
    assert_eq!(length(&all, list), 110);
    assert_eq!(tool(&few, "recurring_payments", list, json!({})), 25);
    assert_eq!(tool(&few, "recurring_payments", list, json!({ "limit": 50 })), 50);
}

#[test]
fn at_most_1200_periods_and_points_are_returned() {
    let open = expenses(1);
    for (operation, list, parameter) in [
        ("spending_summary", "periods", ("groupBy", "day")),
        ("portfolio_history", "points", ("interval", "day")),
    ] {
        let range = [parameter, ("dateFrom", "2020-01-01"), ("dateTo", "2023-04-14")];
        assert_eq!(length(&rest(&open, operation, &range), list), 1_200);
    }
}

#[test]
fn total_beyond_64_bits_is_an_internal_error() {
    let rows = open(|person| person.transactions = vec![expense(1, i64::MAX), expense(2, i64::MAX)]);
    assert_eq!(rest(&rows, "cashflow_summary", &[])["error"], "INTERNAL");
    let accounts = open(|person| {
        let account = |id| {
            let updated = UtcTimestamp::from(jiff::Timestamp::UNIX_EPOCH);
            let account =
                Account::new(Uuid::from_u128(id), "Account", AccountType::Depository, Currency::EUR)
                    .with_balance(i64::MAX, updated);
            StoredAccount::new(Uuid::nil(), account)
        };
        person.assets.accounts = vec![account(1), account(2)];
    });
    assert_eq!(rest(&accounts, "portfolio_history", &[])["error"], "INTERNAL");
}

#[test]
fn more_payments_than_can_be_analysed_are_an_error() {
    let rows = expenses(ANALYSED_PAYMENTS_MAX + 1);
    assert_eq!(
        rest(&rows, "recurring_payments", &[])["faults"],
        json!([
            "asOf must be a day with at most 250000 income and expense transactions in the 25 months up to it; there are more up to 2026-11-21"
        ])
    );
}

/// Returns true if the analysis of `count` payments ends before another task of the runtime runs. The only thread for
/// blocking work is occupied until the other task runs.
fn is_analysed_before_other_tasks(count: usize) -> bool {
    let OpenLedger { ledger, credential } = expenses(count);
    let service = Service::new(ledger);
    let runtime =
        tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().expect("a runtime");
    let (release, released) = std::sync::mpsc::channel::<()>();
    let is_analysed = Cell::new(false);
    runtime.block_on(async {
        let occupied = tokio::task::spawn_blocking(move || released.recv());
        let request = async {
            let params = Params::default();
            service.call::<RecurringPayments>(&credential, params).await.expect("a result");
            is_analysed.set(true);
        };
        let other = async {
            let before = is_analysed.get();
            release.send(()).expect("the thread waits");
            before
        };
        let ((), before, occupied) = tokio::join!(biased; request, other, occupied);
        occupied.expect("no panic").expect("the sender is still there");
        before
    })
}

#[test]
fn many_payments_are_analysed_on_a_thread_for_blocking_work() {
    assert!(is_analysed_before_other_tasks(INLINE_TRANSACTIONS_MAX));
    assert!(!is_analysed_before_other_tasks(INLINE_TRANSACTIONS_MAX + 1));
}
