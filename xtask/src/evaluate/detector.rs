//! Runs the service's detector on a household.

use domain::Currency;
use domain::category::Category;
use domain::recurring::{Payment, Stream, detect_streams};
use domain::transaction::TransactionType;

use super::household::Household;
use super::rows::Row;
use super::score::Found;

pub(super) fn streams(household: &Household) -> Vec<Stream> {
    detect_streams(&payments(household), household.today)
}

pub(super) fn find(household: &Household) -> Vec<Found> {
    streams(household).iter().map(found).collect()
}

pub(super) fn found(stream: &Stream) -> Found {
    Found {
        rows: stream.payments.clone(),
        cadence: stream.cadence,
        status: stream.status,
        confidence: stream.confidence.share(),
    }
}

pub(super) fn payments(household: &Household) -> Vec<Payment> {
    household.rows.iter().map(payment).collect()
}

fn payment(row: &Row) -> Payment {
    Payment {
        id: row.id,
        date: row.date,
        transaction_type: match row.category {
            Category::Income(_) => TransactionType::Income,
            Category::Expense(_) => TransactionType::Expense,
        },
        category: row.category,
        amount_cents: row.amount_cents,
        currency: Currency::parse(row.currency).expect("a currency code"),
        title: row.title.clone(),
        merchant_name: row.merchant_name.clone(),
        account_name: Some(row.account.clone()),
        converted_cents: None,
    }
}
