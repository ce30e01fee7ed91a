//! Queries the transactions in which recurring payments are detected.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::person::Person;
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::recurring::{Payment, WINDOW_MONTHS};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};

use crate::error::Error;
use crate::query::RECURRING_PAYMENTS;
use crate::row::{Row, Rows};
use crate::session::Names;
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    as_of: Option<Date>,
) -> Result<Reading<Vec<Payment>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _, &as_of as _, &WINDOW_MONTHS as _];
    let days = Days::Range(DateRange::EVERYTHING);
    let map = |mut rows: Vec<Rows>, names: &Names, _: &Person| {
        Ok(rows.swap_remove(0).into_map(|row| payment(row, names))?)
    };
    Ok(store.read_with_names(access, &days, &[(RECURRING_PAYMENTS, parameters)], map).await?.0)
}

fn payment(row: Row<'_>, names: &Names) -> Result<Payment, Error> {
    let account = row.get("account_id")?;
    let (id, date) = (row.get("transaction_id")?, row.get("date")?);
    let r#type = row.parsed("type", TransactionType::parse)?;
    let category = row.category()?;
    let amount_cents = row.get("amount_cents")?;
    let amount = Money::new(amount_cents, row.parsed("currency", Currency::parse)?);
    let title: String = row.get("title")?;
    let mut transaction = Transaction::new(id, date, r#type, category, amount, title);
    transaction.merchant_name = row.get("merchant_name")?;
    transaction.account_name = names.account(account).map(|(account, _)| account.clone());
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
