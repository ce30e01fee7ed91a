//! The rows in which recurring payments are detected.

use domain::recurring::{Payment, WINDOW_MONTHS};
use domain::transaction::{Transaction, TransactionType};
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::rows::sum;

/// Returns income and expenses of the [`WINDOW_MONTHS`] months up to a day.
pub(crate) fn payments(rows: &[Transaction], as_of: Date) -> Vec<Payment> {
    let before = as_of.saturating_sub(WINDOW_MONTHS.months());
    let listed = |row: &&Transaction| {
        row.r#type != TransactionType::InternalTransfer && row.date > before && row.date <= as_of
    };
    rows.iter().filter(listed).map(payment).collect()
}

fn payment(row: &Transaction) -> Payment {
    Payment {
        id: row.id,
        date: row.date,
        transaction_type: row.r#type,
        category: row.category,
        amount_cents: row.amount_cents,
        currency: row.currency,
        title: row.title.clone(),
        merchant_name: row.merchant_name.clone(),
        account_name: row.account_name.clone(),
        converted_cents: sum(row).converted_cents,
    }
}
