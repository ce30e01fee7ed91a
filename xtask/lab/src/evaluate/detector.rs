//! Runs the service's detector on a household.

use passbook_domain::category::Category;
use passbook_domain::recurring::{Payment, Stream, detect_streams};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};

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
    let transaction_type = match row.category {
        Category::Income(_) => TransactionType::Income,
        Category::Expense(_) => TransactionType::Expense,
    };
    let amount = Money::new(row.amount_cents, Currency::parse(row.currency).expect("a currency code"));
    let title = row.title.clone();
    let mut transaction = Transaction::new(row.id, row.date, transaction_type, row.category, amount, title);
    transaction.merchant_name = row.merchant_name.clone();
    transaction.account_name = Some(row.account.clone().into());
    Payment::new(transaction, None)
}
