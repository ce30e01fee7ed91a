//! Queries the value of the portfolio at the end of each day of a portfolio history.

use domain::Currency;
use domain::access::Access;
use domain::period::PERIODS_MAX;
use domain::portfolio::{HistoryDay, HistoryTotals, Interval, IntervalChoice};
use domain::ports::{ReadError, Reading};
use domain::range::{DaySpan, Days};
use domain::tally::CurrencyTotal;

use crate::error::Error;
use crate::pool::Store;
use crate::query::{PORTFOLIO_HISTORY, PORTFOLIO_HISTORY_SPAN};
use crate::row::{Row, Rows};

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    days: &Days,
    interval: IntervalChoice,
) -> Result<Reading<HistoryTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let interval = interval.as_str();
    let points_max = i32::try_from(PERIODS_MAX).unwrap_or(i32::MAX);
    let parameters: &[_] = &[&user as _, &interval as _, &points_max as _];
    let queries = [(PORTFOLIO_HISTORY_SPAN, &parameters[..2]), (PORTFOLIO_HISTORY, parameters)];
    store
        .read(access, days, &queries, |rows| {
            // The query returns one row for an existing person, and the session has already found the person.
            let span = rows[0].first().ok_or(ReadError::Revoked)?;
            Ok(history(span, &rows[1])?)
        })
        .await
}

/// Combines the first and last day of the history (`span`) with the totals of its days. Consecutive rows of `sums` with
/// the same date are one day.
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
        interval: span.parsed("unit", Interval::parse)?,
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

/// Returns the total of the row's currency; `None` if the value is unknown, or nothing existed on that day.
fn sum(row: Row<'_>) -> Result<Option<CurrencyTotal>, Error> {
    let Some(amount_cents) = row.get("amount_cents")? else { return Ok(None) };
    Ok(Some(CurrencyTotal {
        currency: row.parsed("currency", Currency::parse)?,
        count: 0,
        amount_cents,
        converted_cents: row.get("converted_cents")?,
    }))
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    fn span() -> Fixture {
        Fixture::new()
            .with("first_day", &Type::DATE, date(2026, 11, 1))
            .with("last_day", &Type::DATE, date(2026, 11, 2))
            .with("unit", &Type::TEXT, "day")
            .with("points", &Type::INT8, 2_i64)
            .with("complete_from", &Type::DATE, None::<Date>)
    }

    fn row(day: Date, currency: &str, cents: Option<i64>, partial: bool) -> Fixture {
        Fixture::new()
            .with("day", &Type::DATE, day)
            .with("is_point", &Type::BOOL, true)
            .with("partial", &Type::BOOL, partial)
            .with("currency", &Type::TEXT, currency)
            .with("amount_cents", &Type::INT8, cents)
            .with("converted_cents", &Type::INT8, cents)
    }

    fn read(span: Fixture, rows: Vec<Fixture>) -> Result<HistoryTotals, Error> {
        let span = Rows::new(&PORTFOLIO_HISTORY_SPAN, [span]);
        history(span.first().expect("one row"), &Rows::new(&PORTFOLIO_HISTORY, rows))
    }

    #[test]
    fn rows_of_one_day_are_combined() {
        let (first, second) = (date(2026, 11, 1), date(2026, 11, 2));
        let rows = vec![
            row(first, "EUR", Some(5), false),
            row(first, "USD", None, true),
            row(second, "EUR", Some(6), false),
        ];
        let history = read(span(), rows).expect("a history");
        let days: Vec<(Date, usize, bool)> =
            history.days_with_totals.iter().map(|day| (day.date, day.totals.len(), day.partial)).collect();
        assert_eq!(days, [(first, 1, true), (second, 1, false)]);
    }

    #[test]
    fn unknown_interval_names_query_and_column() {
        let error = read(span().with("unit", &Type::TEXT, "year"), Vec::new()).expect_err("no such interval");
        assert_eq!(fault(&error).0, "portfolio_history_span.unit");
    }
}
