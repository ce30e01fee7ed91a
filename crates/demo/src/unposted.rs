//! Pending payments of the last two days. One of them has been posted since, with another amount.

use jiff::ToSpan as _;
use passbook_domain::category::ExpenseCategory as Spent;

use super::accounts::OwnAccount;
use super::ledger::{Entry, Ledger};

/// Adds the payments. The posted row links to the pending row that it replaces, which then no longer counts.
pub(super) fn write(ledger: &mut Ledger) {
    let today = ledger.window.today;
    let yesterday = today - 1.day();
    let dinner = |date, cents, title| {
        Entry::expense(OwnAccount::Card, date, Spent::Restaurant, cents)
            .title(title)
            .merchant("Trattoria da Enzo")
    };
    let reserved = ledger.add(dinner(yesterday, 4_200, "VORGEMERKT TRATTORIA DA ENZO").pending());
    if let Some(reserved) = reserved {
        ledger.add(dinner(today, 4_620, "TRATTORIA DA ENZO//HAMBURG/DE").linked(reserved));
    }
    ledger.add(
        Entry::expense(OwnAccount::Card, today, Spent::Groceries, 2_318)
            .title("VORGEMERKT REWE MARKT ALTONA")
            .merchant("REWE")
            .pending(),
    );
    ledger.add(
        Entry::expense(OwnAccount::Checking, yesterday, Spent::Coffee, 480)
            .title("VORGEMERKT CAFE MUELLER GIROCARD")
            .merchant("Café Müller")
            .pending(),
    );
}
