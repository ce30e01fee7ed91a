//! The ledger in memory obeys every rule and agrees with itself about random households, and the kit names the broken rule of
//! each wrong ledger.

mod defects;
mod limits;
mod service;
mod subject;

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use passbook_domain::month_start::MonthStart;
use passbook_ledger_kit::{
    Grant, MemoryLedger, OpenLedger, Report, Subject, TestGrants, answer_tool, check, check_agreement,
    check_rules, household,
};
use serde_json::json;

use subject::InMemory;

/// The rules of operations, whatever the ledger: limits, errors and the answers of tools.
const OPERATIONS: &str = include_str!("../operations.json");

/// Runs a future that never waits, as every future of the ledger in memory does.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

fn report(subject: &dyn Subject) -> Report {
    ready(check(subject))
}

#[test]
fn ledger_in_memory_conforms() {
    let report = report(&InMemory::new());
    assert!(report.is_conforming(), "{report}");
    assert!(report.checks_count > 300, "{report}");
    assert_eq!(report.skipped, ["snapshot-answers-like-the-ledger"]);
}

#[test]
fn operations_check_parameters_and_limit_their_answers() {
    let report = ready(check_rules(&InMemory::new(), OPERATIONS));
    assert!(report.is_conforming(), "{report}");
}

#[test]
fn budgets_name_the_month_as_the_person_does() {
    // The last day of March, a Tuesday, is the first day of this person's April.
    let subject = InMemory::storing(|data| data.people[0].month_start = MonthStart::LAST_WORKING_DAY);
    let open = subject.open("ada", Grant::Full).expect("every person has a full grant");
    let budgets = ready(answer_tool(&open, "budget_summary", &json!({})));
    assert_eq!((&budgets["month"], &budgets["year"]), (&json!(4), &json!(2026)));
}

/// Number of random households.
const CASES: u64 = 12;

#[test]
fn answers_of_random_households_agree() {
    for seed in 0..CASES {
        let data = household(seed);
        let credential = TestGrants::credential(data.people[0].id);
        let open = OpenLedger { ledger: Arc::new(MemoryLedger::for_tests(data)), credential };
        let mut report = Report::default();
        ready(check_agreement(&open, &format!("household({seed})"), &mut report));
        assert!(report.is_conforming(), "{report}");
    }
}

#[test]
fn households_have_every_kind_of_row() {
    let households: Vec<_> = (0..CASES).map(household).collect();
    let count = |count: fn(&passbook_ledger_kit::StoredPerson) -> usize| -> usize {
        households.iter().map(|data| count(&data.people[0])).sum()
    };
    let counts = [
        count(|person| person.transactions.iter().filter(|row| row.linked_transaction_id.is_some()).count()),
        count(|person| person.transactions.iter().filter(|row| row.pending).count()),
        count(|person| person.excluded_categories.len()),
        count(|person| person.targets.len() + person.budgeted_income.len()),
        count(|person| person.assets.accounts.iter().filter(|account| account.closed_on.is_some()).count()),
        count(|person| person.assets.wallets.iter().map(|wallet| wallet.quantities.len()).sum()),
        count(|person| person.assets.paper_positions.len()),
    ];
    assert!(counts.iter().all(|count| *count >= 5), "{counts:?}");
    assert_eq!(format!("{:?}", household(7)), format!("{:?}", household(7)));
}
