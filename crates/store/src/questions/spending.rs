//! Expenses by period, refunds, and the expenses of the days before.

use domain::access::Access;
use domain::period::GroupBy;
use domain::ports::{CountedQuery, ReadError, Reading, SpendingTotals};
use domain::transaction::TransactionType;
use jiff::civil::Date;

use crate::error::Error;
use crate::pool::Store;
use crate::question::{SPENDING_BEFORE, SPENDING_PERIODS};
use crate::row::Rows;

pub(crate) async fn ask(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: GroupBy,
) -> Result<Reading<SpendingTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let period = match group_by {
        GroupBy::None => None,
        GroupBy::Month | GroupBy::Week | GroupBy::Day => Some(group_by.as_str()),
    };
    let periods: &[_] =
        &[&user as _, &query.include_pending as _, &query.include_excluded as _, &period as _];
    let asked = [(SPENDING_PERIODS, periods), (SPENDING_BEFORE, &periods[..3])];
    store.read(access, &query.days, &asked, |rows| Ok(map(&rows[0], &rows[1])?)).await
}

fn map(periods: &Rows, before: &Rows) -> Result<SpendingTotals, Error> {
    let mut sums = SpendingTotals { previous: before.map(|row| row.sum())?, ..SpendingTotals::default() };
    let rows = periods.map(|row| {
        let transaction_type = row.word("type", TransactionType::parse)?;
        let counted: (Date, Date) = (row.get("first_counted")?, row.get("last_counted")?);
        Ok((transaction_type, row.get("period")?, row.sum()?, counted))
    })?;
    for (transaction_type, period, sum, (first, last)) in rows {
        sums.counted_days = Some(match sums.counted_days {
            Some((earliest, latest)) => (earliest.min(first), latest.max(last)),
            None => (first, last),
        });
        match transaction_type {
            TransactionType::Expense => sums.expenses.push((period, sum)),
            TransactionType::Income | TransactionType::InternalTransfer => sums.refunds.push(sum),
        }
    }
    Ok(sums)
}
