//! The balance of every account at the end of each day on which it changed, computed from the opening balance and the
//! transactions.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::accounts::OwnAccount;
use super::depot;
use super::ledger::{Ledger, signed};
use super::person::USER_ID;
use passbook_records::record::BalanceSnapshot;

/// Returns the snapshots of an account, oldest first. The first is always the opening balance on the day before the
/// window.
pub(super) fn snapshots(ledger: &Ledger, account: OwnAccount) -> Vec<BalanceSnapshot> {
    let balances = match account {
        OwnAccount::Brokerage => depot::values(ledger),
        _ => running(ledger, account),
    };
    let mut snapshots: Vec<BalanceSnapshot> = Vec::new();
    for (as_of, balance_cents) in balances {
        if snapshots.last().is_none_or(|last| last.balance_cents != balance_cents) {
            snapshots.push(BalanceSnapshot {
                user_id: USER_ID,
                account_id: account.account_id(),
                as_of,
                balance_cents,
            });
        }
    }
    snapshots
}

fn running(ledger: &Ledger, account: OwnAccount) -> Vec<(Date, i64)> {
    let mut moved: BTreeMap<Date, i64> = BTreeMap::new();
    for row in ledger.posted(account) {
        *moved.entry(row.date).or_insert(0) += signed(row);
    }
    let mut balance = account.facts().opening_cents;
    let mut balances = vec![(ledger.window.eve(), balance)];
    for (day, cents) in moved {
        balance += cents;
        balances.push((day, balance));
    }
    balances
}
