//! What there was at the end of each day of a history.

use domain::Currency;
use domain::access::Access;
use domain::period::PERIODS_MAX;
use domain::portfolio::{HistoryDay, HistoryTotals, Interval, IntervalChoice};
use domain::ports::{ReadError, Reading};
use domain::range::{DaySpan, Days};
use domain::tally::CurrencyTotal;

use crate::error::Error;
use crate::pool::Store;
use crate::question::{PORTFOLIO_HISTORY, PORTFOLIO_HISTORY_SPAN};
use crate::row::{Row, Rows};

pub(crate) async fn ask(
    store: &Store,
    access: &Access<'_>,
    days: &Days,
    interval: IntervalChoice,
) -> Result<Reading<HistoryTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let interval = interval.as_str();
    let points_max = i32::try_from(PERIODS_MAX).unwrap_or(i32::MAX);
    let parameters: &[_] = &[&user as _, &interval as _, &points_max as _];
    let asked = [(PORTFOLIO_HISTORY_SPAN, &parameters[..2]), (PORTFOLIO_HISTORY, parameters)];
    store
        .read(access, days, &asked, |rows| {
            // There is one row per person, and the session has found the person.
            let span = rows[0].first().ok_or(ReadError::Revoked)?;
            Ok(history(span, &rows[1])?)
        })
        .await
}

fn history(span: Row<'_>, sums: &Rows) -> Result<HistoryTotals, Error> {
    let mut days: Vec<HistoryDay> = Vec::new();
    for (day, sum) in sums.map(|row| Ok((day(row)?, sum(row)?)))? {
        match days.last_mut().filter(|last| last.date == day.date) {
            Some(last) => {
                last.partial |= day.partial;
                last.totals.extend(sum);
            }
            None => days.push(HistoryDay { totals: sum.into_iter().collect(), ..day }),
        }
    }
    Ok(HistoryTotals {
        days: DaySpan { first: span.get("first_day")?, last: span.get("last_day")? },
        interval: span.word("unit", Interval::parse)?,
        points_count: span.get("points")?,
        complete_from: span.get("complete_from")?,
        days_with_totals: days,
    })
}

fn day(row: Row<'_>) -> Result<HistoryDay, Error> {
    Ok(HistoryDay {
        date: row.get("day")?,
        is_point: row.get("is_point")?,
        partial: row.get("partial")?,
        totals: Vec::new(),
    })
}

/// What is known of one currency; none where nothing is, and on a day on which there was nothing at all.
fn sum(row: Row<'_>) -> Result<Option<CurrencyTotal>, Error> {
    let Some(amount_cents) = row.get("amount_cents")? else { return Ok(None) };
    Ok(Some(CurrencyTotal {
        currency: row.word("currency", Currency::parse)?,
        count: 0,
        amount_cents,
        converted_cents: row.get("converted_cents")?,
    }))
}
