//! Unit tests of the recurring payments: which are listed, and how many. `domain` tests the detection.

use std::cell::Cell;
use std::sync::Arc;

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_domain::recurring::ANALYSED_PAYMENTS_MAX;
use passbook_domain::scope::Surface;
use passbook_test_support::{InMemoryLedger, Row, credential, expense, income};
use serde_json::{Value, json};

use super::{INLINE_TRANSACTIONS_MAX, Params, RecurringPayments};
use crate::Service;
use crate::entry::Entry;
use crate::harness::{cents, each, faults, rest, result, tool};

/// Creates twelve monthly payments up to November 2026, each on day `day` of the month. The next payment is due in
/// December.
fn monthly(merchant: &str, day: u32, cents: i64) -> Vec<Row> {
    let month = |number: u32| {
        let (year, month) = if number == 0 { (2025, 12) } else { (2026, number) };
        expense(&format!("{year}-{month:02}-{day:02}"), ExpenseCategory::Subscriptions, cents)
            .merchant(merchant)
    };
    (0..12).map(month).collect()
}

fn salary() -> Vec<Row> {
    let month = |month: u32| {
        income(&format!("2026-{month:02}-01"), IncomeCategory::Salary, 300_000).merchant("Employer")
    };
    (1..12).map(month).collect()
}

fn names(result: &Value) -> Vec<&str> {
    each(&result["recurringPayments"], "merchant_name").into_iter().filter_map(Value::as_str).collect()
}

fn ledger(count: usize) -> InMemoryLedger {
    let payments = (0..count).flat_map(|number| {
        let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).expect("a letter"));
        let name = format!("{}{}{} streaming", letter(number / 26), letter(number), letter(number * 7));
        monthly(&name, 3, 1_000 + i64::try_from(number).expect("small") * 10)
    });
    InMemoryLedger::new().with_rows(payments)
}

#[test]
fn active_and_overdue_expenses_are_listed_by_default() {
    let rows = || {
        let ended: Vec<Row> = monthly("Ended", 3, 500).into_iter().take(5).collect();
        let overdue: Vec<Row> = monthly("Overdue", 3, 700).into_iter().take(11).collect();
        InMemoryLedger::new()
            .with_rows(monthly("Video", 3, 1_599))
            .with_rows(salary())
            .with_rows(ended)
            .with_rows(overdue)
    };
    let result_of = |parameters: &[(&str, &str)]| result::<RecurringPayments>(rows(), parameters);
    let usual = result_of(&[]);
    assert_eq!(names(&usual), ["Video", "Overdue"]);
    assert_eq!(cents(&usual["monthlyTotal"]), 1_599);
    assert_eq!(names(&result_of(&[("types", "INCOME")])), ["Employer"]);
    assert_eq!(names(&result_of(&[("status", "ENDED")])), ["Ended"]);
    // Only minConfidence and asOf change the monthly total.
    assert_eq!(cents(&result_of(&[("status", "ENDED"), ("types", "INCOME")])["monthlyTotal"]), 1_599);
}

#[test]
fn upcoming_within_days_includes_the_last_day() {
    // Today is 2026-11-21, so 2026-12-03 is 12 days ahead.
    let within = |days| {
        let ledger = InMemoryLedger::new().with_rows(monthly("Video", 3, 1_599));
        names(&result::<RecurringPayments>(ledger, &[("upcomingWithinDays", days)])).len()
    };
    assert_eq!((within("11"), within("12")), (0, 1));
}

#[test]
fn as_of_may_be_today_but_not_later() {
    let as_of = |day| rest::<RecurringPayments>(InMemoryLedger::new(), &[("asOf", day)]);
    assert_eq!(as_of("2026-11-21").expect("today")["asOf"], "2026-11-21");
    let rejected = faults(as_of("2026-11-22"));
    assert_eq!(rejected, ["asOf must not be after today, 2026-11-21; upcomingWithinDays looks ahead"]);
}

#[test]
fn list_has_100_payments_over_rest_and_25_as_a_tool_by_default() {
    let all = result::<RecurringPayments>(ledger(110), &[]);
    assert_eq!(names(&all).len(), 100);
    assert_eq!(names(&result::<RecurringPayments>(ledger(110), &[("limit", "200")])).len(), 110);
    let listed = |arguments| names(&tool::<RecurringPayments>(ledger(60), &arguments).expect("a list")).len();
    assert_eq!((listed(json!({})), listed(json!({ "limit": 50 }))), (25, 50));
    let rejected = faults(tool::<RecurringPayments>(InMemoryLedger::new(), &json!({ "limit": 51 })));
    assert_eq!(rejected, ["limit must be a whole number from 1 to 50; received 51"]);
    assert_eq!(faults(rest::<RecurringPayments>(InMemoryLedger::new(), &[("limit", "201")])).len(), 1);
}

#[test]
fn transactions_are_identified_over_rest_only() {
    let over_rest = result::<RecurringPayments>(ledger(40), &[]);
    let ids = each(&over_rest["recurringPayments"], "transaction_ids");
    assert!(ids.iter().all(|ids| ids.as_array().map(Vec::len) == Some(12)));
    let in_tool = tool::<RecurringPayments>(ledger(1), &json!({})).expect("a list");
    assert_eq!(names(&in_tool).len(), 1);
    assert!(in_tool["recurringPayments"][0].get("transaction_ids").is_none());
}

#[test]
fn total_count_includes_payments_beyond_the_limit() {
    let count = |parameters: &[(&str, &str)]| {
        let result = result::<RecurringPayments>(ledger(7), parameters);
        (names(&result).len(), result["totalCount"].clone())
    };
    assert_eq!(count(&[("limit", "3")]), (3, json!(7)));
    assert_eq!(count(&[("types", "INCOME")]), (0, json!(0)));
}

#[test]
fn monthly_income_is_the_active_income_whatever_is_listed() {
    let ledger = || InMemoryLedger::new().with_rows(monthly("Video", 3, 1_599)).with_rows(salary());
    for parameters in [&[][..], &[("types", "INCOME")], &[("status", "ENDED")]] {
        let result = result::<RecurringPayments>(ledger(), parameters);
        assert_eq!((cents(&result["monthlyIncome"]), cents(&result["monthlyTotal"])), (300_000, 1_599));
    }
    let dollars = InMemoryLedger::new()
        .with_rows(salary().into_iter().map(|row| row.currency("USD")))
        .with_rows(monthly("Video", 3, 1_599).into_iter().map(|row| row.currency("USD")));
    assert_eq!(
        result::<RecurringPayments>(dollars, &[])["unconverted"],
        json!([
            { "type": "EXPENSE", "currency": "USD", "amount_cents": 1_599 },
            { "type": "INCOME", "currency": "USD", "amount_cents": 300_000 },
        ])
    );
}

#[test]
fn minimum_confidence_is_0_6_by_default_and_at_most_1() {
    let declared = Entry::new::<RecurringPayments>().declarations(Surface::Rest);
    let confidence = declared.iter().find(|declared| declared.name == "minConfidence").expect("declared");
    assert_eq!(confidence.default, Some(json!(0.6)));
    let certain = || InMemoryLedger::new().with_rows(monthly("Video", 3, 1_599));
    let nothing = result::<RecurringPayments>(certain(), &[("minConfidence", "1")]);
    assert_eq!((names(&nothing).len(), cents(&nothing["monthlyTotal"])), (0, 0));
    for value in [json!(1.01), json!(-0.1), json!("0.6")] {
        assert_eq!(faults(tool::<RecurringPayments>(certain(), &json!({ "minConfidence": value }))).len(), 1);
    }
    assert!(tool::<RecurringPayments>(certain(), &json!({ "minConfidence": 0.5 })).is_ok());
}

#[test]
fn more_payments_than_can_be_analysed_are_an_error() {
    let payment = expense("2026-11-01", ExpenseCategory::Coffee, 300);
    let ledger = InMemoryLedger::new().with_rows(vec![payment; ANALYSED_PAYMENTS_MAX + 1]);
    let rejected = faults(rest::<RecurringPayments>(ledger, &[]));
    assert_eq!(
        rejected,
        [
            "asOf must be a day with at most 250000 income and expense transactions in the 25 months up to it; there are more up to 2026-11-21"
        ]
    );
}

/// Returns true if the analysis of `count` payments ends before another task of the runtime runs. The only thread for
/// blocking work is occupied until the other task runs.
fn is_analysed_before_other_tasks(count: usize) -> bool {
    let payment = expense("2026-11-01", ExpenseCategory::Coffee, 300);
    let service = Service::new(Arc::new(InMemoryLedger::new().with_rows(vec![payment; count])));
    let credential = credential().through(Surface::Rest);
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
