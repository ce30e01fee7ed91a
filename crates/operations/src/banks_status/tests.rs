//! Unit tests of the operation `banks_status`.

use passbook_domain::bank::BankStatus;
use passbook_test_support::{InMemoryLedger, bank};

use super::BanksStatus;
use crate::harness::{each, result};

#[test]
fn broken_disconnected_and_stale_banks_need_attention() {
    let mut stale = bank(5, "E", BankStatus::Connected);
    stale.days_since_update = Some(4);
    let ledger = InMemoryLedger::new()
        .with_bank(bank(1, "A", BankStatus::Connected))
        .with_bank(bank(2, "B", BankStatus::NeedsUpdate))
        .with_bank(bank(3, "C", BankStatus::Disconnected))
        .with_bank(bank(4, "D", BankStatus::Manual))
        .with_bank(stale);
    let status = result::<BanksStatus>(ledger, &[]);
    assert_eq!(status["needsAttention"], 3);
    assert_eq!(each(&status["banks"], "bank_name"), ["A", "B", "C", "D", "E"]);
    assert_eq!(each(&status["banks"], "stale"), [false, false, false, false, true]);
}

#[test]
fn user_without_banks_has_an_empty_list() {
    let status = result::<BanksStatus>(InMemoryLedger::new(), &[]);
    assert_eq!(
        (status["needsAttention"].as_i64(), status["banks"].as_array().map(Vec::len)),
        (Some(0), Some(0))
    );
}
