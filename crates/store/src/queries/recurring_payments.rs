//! Queries the transactions in which recurring payments are detected.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::recurring::{Payment, WINDOW_MONTHS};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};

use super::transactions::Names;
use crate::error::Error;
use crate::query::{PAGE_NAMES, RECURRING_PAYMENTS};
use crate::row::{Row, Rows};
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    as_of: Option<Date>,
) -> Result<Reading<Vec<Payment>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _, &as_of as _, &WINDOW_MONTHS as _];
    let days = Days::Range(DateRange::EVERYTHING);
    let names: &[_] = &[&user as _];
    let queries = [(RECURRING_PAYMENTS, parameters), (PAGE_NAMES, names)];
    let map = |mut rows: Vec<Rows>| Ok(payments(rows.swap_remove(0), &rows[0])?);
    store.read(access, &days, &queries, map).await
}

fn payments(payments: Rows, names: &Rows) -> Result<Vec<Payment>, Error> {
    let names = Names::new(names)?;
    payments.into_map(|row| payment(row, &names))
}

fn payment(row: Row<'_>, names: &Names<'_>) -> Result<Payment, Error> {
    let account = row.get("account_id")?;
    let (id, date) = (row.get("transaction_id")?, row.get("date")?);
    let r#type = row.parsed("type", TransactionType::parse)?;
    let category = row.category()?;
    let amount_cents = row.get("amount_cents")?;
    let amount = Money::new(amount_cents, row.parsed("currency", Currency::parse)?);
    let title: String = row.get("title")?;
    let mut transaction = Transaction::new(id, date, r#type, category, amount, title);
    transaction.merchant_name = row.get("merchant_name")?;
    transaction.account_name = names.account(account).map(|(account, _)| account.to_owned());
    Ok(Payment::new(transaction, row.get("converted_cents")?))
}

#[cfg(test)]
mod tests {
    use passbook_domain::recurring::ANALYSED_PAYMENTS_MAX;

    use super::*;

    #[test]
    fn query_reads_at_most_one_row_more_than_are_analysed() {
        let limit = format!("limit {}\n", ANALYSED_PAYMENTS_MAX + 1);
        assert!(RECURRING_PAYMENTS.sql.contains(&limit), "{}", RECURRING_PAYMENTS.sql);
    }
}
