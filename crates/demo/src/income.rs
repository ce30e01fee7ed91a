//! The income of the household, and the transfers between its own accounts: savings, the securities plan and card
//! payments.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::category::{ExpenseCategory, IncomeCategory as Received};

use super::accounts::OwnAccount;
use super::calendar::{Generator, business_day_from, in_month, last_business_day, month_number};
use super::ledger::{Ledger, NewTransaction, Transfer};
use super::recurring::years_since_2024;

/// Adds all income except interest on savings, which depends on the balance.
pub(super) fn write_income(ledger: &mut Ledger) {
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
        NewTransaction::income(OwnAccount::Checking, payday, Received::Salary, cents)
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
        NewTransaction::income(OwnAccount::DollarChecking, day, Received::Freelance, hours * 7_500)
            .title(format!("ACH CREDIT BRIGHTLOOM STUDIO LLC INV {}{:02}", day.year(), day.month()))
            .merchant("Brightloom Studio"),
    );
    let last = month.last_of_month();
    ledger.add(
        NewTransaction::income(OwnAccount::DollarChecking, last, Received::Interest, 210 + hours * 12)
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
    ledger.add(NewTransaction::income(OwnAccount::Brokerage, day, Received::Dividend, cents).title(title));
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
    ledger.add(NewTransaction::income(OwnAccount::Checking, day, category, cents).title(title));
}

/// Adds the interest of a savings account at the end of a quarter.
fn write_interest(ledger: &mut Ledger, account: OwnAccount, month: Date) {
    if month.month() % 3 != 0 {
        return;
    }
    let day = month.last_of_month();
    // 0.5 % for the quarter, from a rate of 2 % a year.
    let cents = ledger.balance(account, day) / 200;
    if cents > 0 {
        ledger.add(
            NewTransaction::income(account, day, Received::Interest, cents)
                .title("ZINSGUTSCHRIFT QUARTALSABSCHLUSS"),
        );
    }
}

/// Amount transferred to the securities plan every month.
pub(super) const PLAN_CENTS: i64 = 30_000;

/// Returns the day of the securities plan in a month.
pub(super) fn plan_day(month: Date) -> Date {
    business_day_from(in_month(month, 5))
}

/// Adds every transfer, and the interest on savings, which depends on the transfers.
pub(super) fn write_transfers(ledger: &mut Ledger) {
    for month in ledger.window.months() {
        pay_card(ledger, month);
        ledger.transfer(Transfer {
            from: OwnAccount::Checking,
            to: OwnAccount::Savings,
            date: business_day_from(in_month(month, 3)),
            cents: 50_000,
            out_category: ExpenseCategory::TransferOut,
            out_title: "DAUERAUFTRAG SPAREN TAGESGELD",
            in_title: "GUTSCHRIFT DAUERAUFTRAG SPAREN",
        });
        ledger.transfer(Transfer {
            from: OwnAccount::Checking,
            to: OwnAccount::Brokerage,
            date: plan_day(month),
            cents: PLAN_CENTS,
            out_category: ExpenseCategory::TransferOut,
            out_title: "SPARPLAN DEPOT EINZAHLUNG",
            in_title: "EINZAHLUNG SPARPLAN",
        });
        close_old_savings(ledger, month);
        write_interest(ledger, OwnAccount::Savings, month);
        write_interest(ledger, OwnAccount::OldSavings, month);
        if month.month() == 9 {
            ledger.transfer(Transfer {
                from: OwnAccount::Savings,
                to: OwnAccount::Checking,
                date: business_day_from(in_month(month, 4)),
                cents: 60_000,
                out_category: ExpenseCategory::TransferOut,
                out_title: "UMBUCHUNG URLAUBSKASSE",
                in_title: "UMBUCHUNG VOM TAGESGELD URLAUBSKASSE",
            });
        }
    }
}

/// Pays the balance of both cards at the end of the previous month.
fn pay_card(ledger: &mut Ledger, month: Date) {
    let statement = month - 1.day();
    let mut pay = |from, to, day, out_title, in_title| {
        let cents = -ledger.balance(to, statement);
        if cents > 0 {
            let date = business_day_from(in_month(month, day));
            let out_category = ExpenseCategory::CreditCardPayment;
            ledger.transfer(Transfer { from, to, date, cents, out_category, out_title, in_title });
        }
    };
    pay(
        OwnAccount::Checking,
        OwnAccount::Card,
        8,
        "KREDITKARTENABRECHNUNG HANSE VISA",
        "ZAHLUNG ERHALTEN - VIELEN DANK",
    );
    pay(
        OwnAccount::DollarChecking,
        OwnAccount::TravelCard,
        12,
        "TRAVEL CARD AUTOPAY PPD",
        "AUTOPAY PAYMENT - THANK YOU",
    );
}

/// Transfers the balance of the old savings account to the other one on its closing day.
fn close_old_savings(ledger: &mut Ledger, month: Date) {
    let Some(date) = OwnAccount::OldSavings.closed_on(ledger.window.today) else { return };
    if month_number(date) != month_number(month) {
        return;
    }
    let cents = ledger.balance(OwnAccount::OldSavings, date);
    ledger.transfer(Transfer {
        from: OwnAccount::OldSavings,
        to: OwnAccount::Savings,
        date,
        cents,
        out_category: ExpenseCategory::TransferOut,
        out_title: "AUFLOESUNG SPARBUCH",
        in_title: "GUTSCHRIFT AUFLOESUNG SPARBUCH",
    });
}
