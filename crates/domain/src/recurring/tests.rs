//! Tests of the detection on small sets of rows, and properties that hold for random rows.

mod everyday;
mod invariance;
mod rules;

use jiff::ToSpan as _;
use jiff::civil::Date;
use uuid::Uuid;

use super::{DetectedPayment, Payment, RecurringStatus, detect_recurring_payments, largest_income};
use crate::category::{Category, ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::person::UserId;
use crate::transaction::TransactionType;

/// Creates a subscription payment to `merchant`, in euros.
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
        account_name: Some("Checking".into()),
        converted_cents: Some(amount_cents),
    }
}

/// Creates payments of one amount in `months` consecutive months from `first` on, on the same day of each month or the
/// last day of a shorter month.
fn monthly(merchant: &str, first: Date, months: i32, cents: i64) -> Vec<Payment> {
    (0..months).map(|month| paid(merchant, first + month.months(), cents)).collect()
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

#[expect(clippy::disallowed_methods, reason = "a test names its user")]
fn found(payments: &[Payment], as_of: &str) -> Vec<DetectedPayment> {
    detect_recurring_payments(UserId::from_authenticated(Uuid::from_u128(7)), payments, date(as_of))
}

/// Returns the detected recurring payments of at least the default confidence, each as a text with cadence, status,
/// amount and next date.
fn lines(payments: &[Payment], as_of: &str) -> Vec<String> {
    found(payments, as_of)
        .into_iter()
        .filter(|found| found.payment.confidence.share() >= 0.6)
        .map(|DetectedPayment { payment, .. }| {
            let next = payment.next_expected_date.map_or_else(|| "-".to_owned(), |next| next.to_string());
            format!("{} {} {} {next}", payment.cadence, payment.status, payment.amount_cents)
        })
        .collect()
}

fn of_category(rows: Vec<Payment>, category: ExpenseCategory) -> Vec<Payment> {
    rows.into_iter().map(|row| Payment { category: Category::Expense(category), ..row }).collect()
}
