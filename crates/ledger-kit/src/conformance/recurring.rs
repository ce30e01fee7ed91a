//! Rules about the rows in which recurring payments are detected.

use jiff::civil::{Date, date};
use passbook_domain::access::Access;
use passbook_domain::scope::Scope;

use crate::conformance::report::{Report, Rule};
use crate::conformance::subject::{Grant, OpenLedger, Subject};
use crate::sample::transaction_id;

const WINDOW: Rule<'static> = Rule {
    name: "recurring-payments-read-25-months",
    sentence: "Recurring payments are detected in the income and expenses of the 25 months up to a day, with excluded categories, converted at the rates of that day.",
};

/// The numbers of the rows up to a day, and the converted cents of row 2, which is in US dollars.
const EXPECTED: [(Date, &[u128], Option<i64>); 2] = [
    (date(2026, 3, 31), &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 16, 17, 18, 20, 21, 22, 24], None),
    (date(2026, 3, 30), &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 16, 17, 20, 21, 22, 24], Some(781)),
];

pub(crate) async fn check(subject: &dyn Subject, report: &mut Report) {
    let open = subject.open("ada", Grant::Full).expect("every person has a full grant");
    for (day, numbers, cents) in EXPECTED {
        let call = format!("ada: Ledger::recurring_payments up to {day}");
        report.record(WINDOW, call, rows(&open, day, numbers, cents).await);
    }
}

#[expect(clippy::disallowed_methods, reason = "the kit calls the ledger in place of the service")]
async fn rows(open: &OpenLedger, day: Date, numbers: &[u128], cents: Option<i64>) -> Result<(), String> {
    let access = Access::for_operation(&open.credential, Some(Scope::RecurringPaymentsRead));
    let reading = open.ledger.recurring_payments(&access, Some(day)).await;
    let mut payments = reading.map_err(|error| passbook_domain::error_chain(&error))?.data;
    payments.sort_by_key(|payment| payment.id);
    let found: Vec<u128> = payments.iter().map(|payment| payment.id.as_u128()).collect();
    if found != numbers {
        return Err(format!("expected the rows {numbers:?}, found {found:?}"));
    }
    let dollars = payments.iter().find(|payment| payment.id == transaction_id(2));
    let found = dollars.and_then(|payment| payment.converted_cents);
    if found == cents { Ok(()) } else { Err(format!("row 2: expected {cents:?} cents, found {found:?}")) }
}
