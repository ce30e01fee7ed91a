//! The income of the household: salary, freelance work, interest, dividends and yearly payments.

use jiff::civil::Date;
use passbook_domain::category::IncomeCategory as Received;

use super::accounts::OwnAccount;
use super::calendar::{business_day_from, in_month, last_business_day};
use super::generator::Generator;
use super::ledger::{Entry, Ledger};
use super::schedule::years_since_2024;

/// Adds all income except interest on savings, which depends on the balance.
pub(super) fn write(ledger: &mut Ledger) {
    for month in ledger.window.months() {
        salary(ledger, month);
        freelance(ledger, month);
        dividends(ledger, month);
        once_a_year(ledger, month);
    }
}

/// Adds the salary on the last business day, with half a month's extra pay in November.
fn salary(ledger: &mut Ledger, month: Date) {
    let payday = last_business_day(month);
    let cents = 352_050 + 4_200 * years_since_2024(payday);
    let paid = |cents, title| {
        Entry::income(OwnAccount::Checking, payday, Received::Salary, cents)
            .title(title)
            .merchant("Nordlicht Software GmbH")
    };
    ledger.add(paid(cents, "NORDLICHT SOFTWARE GMBH LOHN/GEHALT"));
    if month.month() == 11 {
        ledger.add(paid(cents / 2, "NORDLICHT SOFTWARE GMBH WEIHNACHTSGELD"));
    }
}

/// Adds the hourly pay of an American client, and the interest of the dollar account.
fn freelance(ledger: &mut Ledger, month: Date) {
    let day = business_day_from(in_month(month, 6));
    let hours = Generator::for_day("freelance", month).between(2..=5);
    ledger.add(
        Entry::income(OwnAccount::DollarChecking, day, Received::Freelance, hours * 7_500)
            .title(format!("ACH CREDIT BRIGHTLOOM STUDIO LLC INV {}{:02}", day.year(), day.month()))
            .merchant("Brightloom Studio"),
    );
    let last = month.last_of_month();
    ledger.add(
        Entry::income(OwnAccount::DollarChecking, last, Received::Interest, 210 + hours * 12)
            .title("INTEREST PAYMENT"),
    );
}

fn dividends(ledger: &mut Ledger, month: Date) {
    if month.month() % 3 != 0 {
        return;
    }
    let day = business_day_from(in_month(month, 24));
    let cents = Generator::for_day("dividend", month).between(2_850..=4_420);
    let title = "ERTRAEGNISGUTSCHRIFT AUSL. FONDS IE00B3RBWM25";
    ledger.add(Entry::income(OwnAccount::Brokerage, day, Received::Dividend, cents).title(title));
}

/// Adds yearly payments: a tax refund, a gift, a refund by the energy supplier, money returned by a friend, a private
/// sale.
fn once_a_year(ledger: &mut Ledger, month: Date) {
    let mut random = Generator::for_day("once a year", month);
    let (day, category, cents, title) = match month.month() {
        1 => (22, Received::Refund, random.between(4_200..=9_900), "VATTENFALL JAHRESABRECHNUNG GUTHABEN"),
        3 => (17, Received::Gift, 10_000, "GUTSCHRIFT OMA INGRID ALLES LIEBE"),
        5 => (8, Received::TransferIn, random.between(1_800..=5_200), "PAYPAL *LVOGT GELD ZURUECK"),
        7 => (
            9,
            Received::OtherIncome,
            random.between(38_000..=61_000),
            "FINANZAMT HAMBURG-ALTONA STEUERERSTATTUNG",
        ),
        10 => (13, Received::OtherIncome, random.between(4_000..=12_000), "KLEINANZEIGEN SICHER BEZAHLEN"),
        _ => return,
    };
    let day = business_day_from(in_month(month, day));
    ledger.add(Entry::income(OwnAccount::Checking, day, category, cents).title(title));
}

/// Adds the interest of a savings account at the end of a quarter.
pub(super) fn write_interest(ledger: &mut Ledger, account: OwnAccount, month: Date) {
    if month.month() % 3 != 0 {
        return;
    }
    let day = month.last_of_month();
    // 0.5 % for the quarter, from a rate of 2 % a year.
    let cents = ledger.balance(account, day) / 200;
    if cents > 0 {
        ledger.add(
            Entry::income(account, day, Received::Interest, cents).title("ZINSGUTSCHRIFT QUARTALSABSCHLUSS"),
        );
    }
}
