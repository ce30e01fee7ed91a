//! Random households: the answers of the ledger in memory agree with each other.

use std::sync::Arc;

use passbook_ledger_kit::{MemoryLedger, OpenLedger, Report, TestGrants, check_agreement, household};

use super::ready;

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
