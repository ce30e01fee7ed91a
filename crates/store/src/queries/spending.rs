//! Queries expenses by period, refunds, and the expenses before the range and after today.

use passbook_domain::access::Access;
use passbook_domain::period::GroupBy;
use passbook_domain::ports::{CountedQuery, ReadError, Reading, SpendingTotals};

use super::counted::{CountedParameters, TotalsQuery, borrowed, period, planned};
use super::refunds::{self, REFUNDS};
use crate::error::Error;
use crate::query::{SPENDING_BEFORE, SPENDING_BEFORE_STORED, SPENDING_PERIODS, SPENDING_PERIODS_STORED};
use crate::row::Rows;
use crate::store::Store;

const PERIODS: TotalsQuery = TotalsQuery { stored: SPENDING_PERIODS_STORED, matching: SPENDING_PERIODS };
const BEFORE: TotalsQuery = TotalsQuery { stored: SPENDING_BEFORE_STORED, matching: SPENDING_BEFORE };

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: GroupBy,
) -> Result<Reading<SpendingTotals>, ReadError> {
    let (counted, period) = (CountedParameters::new(access, query), period(group_by));
    let no_income = Some(Vec::new());
    let mut bound = vec![
        counted.bind_totals(&PERIODS, &[&period]),
        counted.bind_totals(&BEFORE, &[]),
        counted.bind_totals(&REFUNDS, &[]),
    ];
    bound.extend(counted.bind_days(&no_income));
    let planned_at = bound.len();
    bound.extend(counted.bind_planned(&false));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0], &rows[1])?;
        totals.refunds = refunds::map(&rows[2])?.into_iter().map(|(_, sum)| sum).collect();
        totals.counted_days = counted.counted_days(&rows[0], rows.get(3))?;
        totals.planned = planned(rows.get(planned_at))?;
        Ok(totals)
    };
    store.read(access, &query.days, &borrowed(&bound), read).await
}

fn map(periods: &Rows, before: &Rows) -> Result<SpendingTotals, Error> {
    let mut sums = SpendingTotals::default();
    for (is_before, sum) in before.map(|row| Ok((row.get("is_before")?, row.sum()?)))? {
        if is_before { &mut sums.previous } else { &mut sums.after_today }.push(sum);
    }
    sums.expenses = periods.map(|row| Ok((row.get("period")?, row.sum()?)))?;
    Ok(sums)
}
