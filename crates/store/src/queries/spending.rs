//! Queries expenses by period, refunds, and the expenses before the range and after today.

use passbook_domain::access::Access;
use passbook_domain::period::GroupBy;
use passbook_domain::ports::{CountedQuery, MonthTotals, ReadError, Reading, SpendingTotals};
use passbook_domain::transaction::TransactionType;

use super::counted::{CountedParameters, TotalsQuery, borrowed, stored_months};
use crate::error::Error;
use crate::query::{
    SPENDING_BEFORE, SPENDING_BEFORE_STORED, SPENDING_BEFORE_UNFILTERED, SPENDING_PERIODS,
    SPENDING_PERIODS_STORED, SPENDING_PERIODS_UNFILTERED,
};
use crate::row::Rows;
use crate::store::Store;

const PERIODS: TotalsQuery = TotalsQuery {
    unfiltered: SPENDING_PERIODS_UNFILTERED,
    stored: SPENDING_PERIODS_STORED,
    matching: SPENDING_PERIODS,
};
const BEFORE: TotalsQuery = TotalsQuery {
    unfiltered: SPENDING_BEFORE_UNFILTERED,
    stored: SPENDING_BEFORE_STORED,
    matching: SPENDING_BEFORE,
};

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    group_by: GroupBy,
) -> Result<Reading<SpendingTotals>, ReadError> {
    let counted = CountedParameters::new(access, query);
    let period = counted.period(group_by);
    let no_income = Some(Vec::new());
    let mut bound = vec![counted.bind(&PERIODS, &[&period]), counted.bind(&BEFORE, &[])];
    bound.extend(counted.bind_months(&no_income));
    let read = |rows: Vec<Rows>| {
        let mut totals = map(&rows[0], &rows[1])?;
        totals.counted_days = counted.counted_days(&rows[0], rows.get(2))?;
        totals.months = rows.get(2).map(stored_months).transpose()?.flatten();
        Ok(totals)
    };
    let (mut reading, facts) = store.read_with_facts(access, &query.days, &borrowed(&bound), read).await?;
    if counted.adds_up_months() {
        let data = &mut reading.data;
        let expenses = data.expenses.iter().filter_map(|(day, sum)| Some(((*day)?, sum)));
        data.months = MonthTotals::select(reading.days, data.counted_days, &reading.person, [], expenses);
        for (day, _) in &mut data.expenses {
            *day = day
                .filter(|_| group_by != GroupBy::None)
                .map(|day| group_by.start_of(day, reading.person.month_start));
        }
    }
    let types = [TransactionType::Expense];
    reading.data.planned = counted.planned(store, access, &query.days, facts, &types).await?;
    Ok(reading)
}

fn map(periods: &Rows, before: &Rows) -> Result<SpendingTotals, Error> {
    let mut sums = SpendingTotals::default();
    for (is_before, sum) in before.map(|row| Ok((row.get("is_before")?, row.sum()?)))? {
        if is_before { &mut sums.previous } else { &mut sums.after_today }.push(sum);
    }
    for row in periods.map(Ok)? {
        let period = row.get("period")?;
        sums.expenses.extend(row.expenses()?.map(|sum| (period, sum)));
        sums.refunds.extend(row.refunds()?);
    }
    Ok(sums)
}
