//! Bills and subscriptions as transactions.

use super::bills::BILLS;
use super::ledger::{Entry, Ledger};
use super::subscriptions::SUBSCRIPTIONS;

/// Adds every bill and every subscription payment.
pub(super) fn write(ledger: &mut Ledger) {
    for payment in BILLS.iter().chain(SUBSCRIPTIONS) {
        for due in payment.cadence.due_days(ledger.window) {
            let entry = Entry::expense(
                payment.account,
                due,
                payment.category,
                payment.amount.cents_on(payment.title, due),
            )
            .title(payment.title);
            ledger.add(match payment.merchant {
                Some(name) => entry.merchant(name),
                None => entry,
            });
        }
    }
}
