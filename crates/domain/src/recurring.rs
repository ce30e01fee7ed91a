//! Detection of recurring payments: subscriptions, bills and salaries among a person's transactions.
//!
//! [`detect_recurring_payments`] is a pure function of the transactions and the day `as_of`. The algorithm:
//!
//! 1. **Select** (`detect.rs`, `payment.rs`): take the income and expenses up to `as_of`. Leave out internal transfers,
//!    cash withdrawals, refunds and rows without an amount. Sort the rows by day.
//! 2. **Group** (`payee_key.rs`): put rows of the same direction, currency and payee key together. All following steps
//!    work on the rows of one payee.
//! 3. **Fit a cadence** (`cadence.rs`, `cadence_fit.rs`): count how many gaps between payments are one period of each
//!    of the seven cadences. Choose the cadence with the best weighted mean of regularity and tightness.
//! 4. **Find the due schedule** (`due_schedule.rs`, `calendar.rs`): choose the due days of the cadence that are
//!    nearest to the payments: a day of the month, two days of the month, or every so many days.
//! 5. **Form candidate streams** (`price_streams.rs`): treat the payee as one stream, or split its rows by price
//!    and by due day. Keep the hypothesis that explains more payments.
//! 6. **Score** (`evidence.rs`): reject habits and chance, then compute a calibrated confidence for each candidate.
//! 7. **Determine the state**: predict the next due day (`cadence_fit.rs`, `due_schedule.rs`); the stream is active, overdue
//!    or ended (`stream.rs`).
//! 8. **Identify and describe** (`stream.rs`, `detect.rs`): give each stream a stable identifier, its name,
//!    expected amount and reason.
//!
//! `recurring_payment.rs` adds up the active expenses and the active income. `docs/figures.md` explains the method with
//! its evaluation. The thresholds were chosen on tuning households and are judged on others: `cargo lab evaluate
//! recurring`.

mod cadence;
mod cadence_fit;
mod calendar;
mod confidence;
mod detect;
mod due_schedule;
mod evidence;
mod payee_key;
mod payment;
mod price_streams;
mod recurring_payment;
mod stream;
#[cfg(test)]
mod tests;

pub use cadence::Cadence;
pub use confidence::{Confidence, ConfidenceMin};
pub use detect::{detect_recurring_payments, detect_streams};
pub use evidence::Evidence;
pub use payee_key::payee_key;
pub use payment::{ANALYSED_PAYMENTS_MAX, Payment, WINDOW_MONTHS};
pub use recurring_payment::{
    DetectedPayment, Occurrence, Occurrences, RecurringPayment, RecurringPaymentList,
    RecurringPaymentWithTransactions, largest_income, monthly_total,
};
pub use stream::{Gaps, RecurringStatus, Stream};
