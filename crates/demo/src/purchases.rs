//! Larger purchases and their refunds. A refund links to its purchase.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::category::{ExpenseCategory as Spent, IncomeCategory as Received};

use super::accounts::OwnAccount;
use super::calendar::in_month;
use super::generator::Generator;
use super::ledger::{Entry, Ledger};

/// Adds clothes, furniture and devices, and the refunds.
pub(super) fn write(ledger: &mut Ledger) {
    for month in ledger.window.months() {
        clothes(ledger, month);
        match month.month() {
            1 => furniture(ledger, in_month(month, 10)),
            6 | 12 => device(ledger, in_month(month, 5)),
            _ => {}
        }
    }
}

/// Adds a monthly purchase of clothes. In every other month a part or all of it is refunded.
fn clothes(ledger: &mut Ledger, month: Date) {
    let mut random = Generator::for_day("clothes", month);
    let day = in_month(month, 8) + random.between(0..=6).days();
    let cents = random.between(30..=140) * 100 + 95;
    let bought = Entry::expense(OwnAccount::Card, day, Spent::Clothing, cents)
        .title("ZALANDO PAYMENTS GMBH 10105238817")
        .merchant(random.pick(&["Zalando", "Zalando", "ZALANDO"]));
    let Some(purchase) = ledger.add(bought) else { return };
    if month.month() % 2 == 1 {
        return;
    }
    let share = if random.chance(40) { cents } else { random.between(20..=70) * cents / 100 };
    let back = day + random.between(9..=13).days();
    ledger.add(
        Entry::income(OwnAccount::Card, back, Received::Refund, share)
            .title("ZALANDO PAYMENTS GMBH RETOURE 10105238817")
            .merchant("Zalando")
            .linked(purchase),
    );
}

fn device(ledger: &mut Ledger, day: Date) {
    let cents = Generator::for_day("device", day).between(79..=249) * 100 + 99;
    ledger.add(
        Entry::expense(OwnAccount::Card, day, Spent::Electronics, cents)
            .title("MEDIAMARKT HAMBURG-ALTONA//HAMBURG/DE")
            .merchant("MediaMarkt"),
    );
}

fn furniture(ledger: &mut Ledger, day: Date) {
    let cents = Generator::for_day("furniture", day).between(60..=240) * 100 - 1;
    ledger.add(
        Entry::expense(OwnAccount::Card, day, Spent::Furniture, cents)
            .title("IKEA DEUTSCHLAND FIL 338 ALTONA")
            .merchant("IKEA"),
    );
}
