//! Queries the transactions in which recurring payments are detected.

use domain::Currency;
use domain::access::Access;
use domain::ports::{ReadError, Reading};
use domain::range::{DateRange, Days};
use domain::recurring::{Payment, WINDOW_MONTHS};
use domain::transaction::TransactionType;
use jiff::civil::Date;

use crate::error::Error;
use crate::pool::Store;
use crate::query::RECURRING_PAYMENTS;
use crate::row::Row;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    as_of: Option<Date>,
) -> Result<Reading<Vec<Payment>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _, &as_of as _, &WINDOW_MONTHS as _];
    let days = Days::Range(DateRange::EVERYTHING);
    store.read(access, &days, &[(RECURRING_PAYMENTS, parameters)], |rows| Ok(rows[0].map(payment)?)).await
}

fn payment(row: Row<'_>) -> Result<Payment, Error> {
    Ok(Payment {
        id: row.get("transaction_id")?,
        date: row.get("date")?,
        transaction_type: row.parsed("type", TransactionType::parse)?,
        category: row.category()?,
        amount_cents: row.get("amount_cents")?,
        currency: row.parsed("currency", Currency::parse)?,
        title: row.get("title")?,
        merchant_name: row.get("merchant_name")?,
        account_name: row.get("account_name")?,
        converted_cents: row.get("converted_cents")?,
    })
}
