//! Unit tests of the preferences.

use passbook_domain::category::ExpenseCategory;
use passbook_test_support::InMemoryLedger;
use serde_json::json;

use super::Preferences;
use crate::harness::{faults, rest, result};

#[test]
fn settings_and_the_current_day_are_returned() {
    let ledger = InMemoryLedger::new()
        .with_excluded(ExpenseCategory::Vacation)
        .with_excluded(ExpenseCategory::Gambling);
    assert_eq!(
        result::<Preferences>(ledger, &[]),
        json!({
            "excluded_categories": ["GAMBLING", "VACATION"], "preferredCurrency": "EUR",
            "timeZone": "Europe/Berlin", "today": "2026-11-21"
        })
    );
}

#[test]
fn parameters_are_rejected() {
    let rejected = faults(rest::<Preferences>(InMemoryLedger::new(), &[("limit", "1")]));
    assert_eq!(rejected, ["limit is not known: there are no parameters here"]);
}
