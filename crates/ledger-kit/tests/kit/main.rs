//! The ledger in memory obeys every rule, and the kit names the broken rule of each wrong ledger.

mod defects;
mod households;
mod limits;
mod service;
mod subject;

use passbook_ledger_kit::{Report, Subject, check, check_rules};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

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
