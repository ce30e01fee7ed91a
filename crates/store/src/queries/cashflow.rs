//! Queries the totals of income and expenses by currency.

use domain::access::Access;
use domain::ports::{CountedQuery, ReadError, Reading};
use domain::tally::CurrencyTotal;
use domain::transaction::TransactionType;

use crate::pool::Store;
use crate::query::CASHFLOW;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
) -> Result<Reading<Vec<(TransactionType, CurrencyTotal)>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let bound = (CASHFLOW, &[&user as _, &query.include_pending as _, &query.include_excluded as _][..]);
    store
        .read(access, &query.days, &[bound], |rows| {
            let sums = rows[0].map(|row| Ok((row.parsed("type", TransactionType::parse)?, row.sum()?)))?;
            Ok(sums)
        })
        .await
}
