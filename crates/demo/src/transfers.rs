//! Transfers between the household's own accounts: savings, the securities plan and card payments.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::category::ExpenseCategory;

use super::accounts::OwnAccount;
use super::calendar::{business_day_from, in_month, month_number};
use super::income;
use super::ledger::{Ledger, Transfer};

/// Amount transferred to the securities plan every month.
pub(super) const PLAN_CENTS: i64 = 30_000;

/// Returns the day of the securities plan in a month.
pub(super) fn plan_day(month: Date) -> Date {
    business_day_from(in_month(month, 5))
}

/// Adds every transfer, and the interest on savings, which depends on the transfers.
pub(super) fn write(ledger: &mut Ledger) {
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
        income::write_interest(ledger, OwnAccount::Savings, month);
        income::write_interest(ledger, OwnAccount::OldSavings, month);
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
