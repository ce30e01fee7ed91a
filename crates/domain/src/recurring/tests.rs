//! What is found in rows that each show one rule, and what no order, account or later day may change.

mod everyday;
mod identifiers;
mod rules;
mod steadiness;

use jiff::ToSpan as _;
use jiff::civil::Date;
use uuid::Uuid;

use super::{Found, Payment, find};
use crate::category::{Category, ExpenseCategory};
use crate::currency::Currency;
use crate::person::UserId;
use crate::transaction::TransactionType;

/// A payment to somebody, on a day.
fn paid(merchant: &str, date: Date, amount_cents: i64) -> Payment {
    Payment {
        id: Uuid::new_v5(&Uuid::nil(), format!("{merchant} {date} {amount_cents}").as_bytes()),
        date,
        transaction_type: TransactionType::Expense,
        category: Category::Expense(ExpenseCategory::Subscriptions),
        amount_cents,
        currency: Currency::EUR,
        title: merchant.to_uppercase(),
        merchant_name: Some(merchant.to_owned()),
        account_name: Some("Checking".to_owned()),
        converted_cents: Some(amount_cents),
    }
}

/// Payments of one amount so many months in a row, from a day on; the day is clamped to short months.
fn monthly(merchant: &str, first: Date, months: i32, cents: i64) -> Vec<Payment> {
    (0..months).map(|month| paid(merchant, first + month.months(), cents)).collect()
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

#[expect(clippy::disallowed_methods, reason = "a test names its user")]
fn found(payments: &[Payment], as_of: &str) -> Vec<Found> {
    find(UserId::from_authenticated(Uuid::from_u128(7)), payments, date(as_of))
}

/// Those that are believed, as "cadence status amount next".
fn lines(payments: &[Payment], as_of: &str) -> Vec<String> {
    found(payments, as_of)
        .into_iter()
        .filter(|found| found.payment.confidence.share() >= 0.6)
        .map(|Found { payment, .. }| {
            let next = payment.next_expected_date.map_or_else(|| "-".to_owned(), |next| next.to_string());
            format!("{} {} {} {next}", payment.cadence, payment.status, payment.amount_cents)
        })
        .collect()
}

fn of_category(rows: Vec<Payment>, category: ExpenseCategory) -> Vec<Payment> {
    rows.into_iter().map(|row| Payment { category: Category::Expense(category), ..row }).collect()
}
