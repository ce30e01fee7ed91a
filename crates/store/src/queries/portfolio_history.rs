//! Queries the value of the portfolio at the end of each day of a portfolio history.

use std::collections::BTreeMap;

use passbook_domain::access::Access;
use passbook_domain::period::PERIODS_MAX;
use passbook_domain::portfolio::{
    HistoryDay, HistoryTotals, Interval, IntervalChoice, SeriesChoice, SeriesKey, SeriesTotals, SeriesType,
};
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DaySpan, Days};
use passbook_domain::tally::CurrencyTotal;
use passbook_domain::{Currency, Money};

use crate::error::Error;
use crate::query::{PORTFOLIO_HISTORY, PORTFOLIO_HISTORY_SPAN};
use crate::row::{Row, Rows};
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    days: &Days,
    interval: IntervalChoice,
    by: SeriesChoice,
) -> Result<Reading<HistoryTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let (interval, by) = (interval.as_str(), by.as_str());
    let points_max = i32::try_from(PERIODS_MAX).unwrap_or(i32::MAX);
    let parameters: &[_] = &[&user as _, &interval as _, &points_max as _, &by as _];
    let queries = [(PORTFOLIO_HISTORY_SPAN, &parameters[..2]), (PORTFOLIO_HISTORY, parameters)];
    store
        .read(access, days, &queries, |rows| {
            // The query returns one row for an existing person, and the session has already found the person.
            Ok(history(rows[0].only()?, &rows[1])?)
        })
        .await
}

/// Combines the first and last day of the history (`span`) with the totals of its days, in all and by part. `sums` is
/// sorted by day.
fn history(span: Row<'_>, sums: &Rows) -> Result<HistoryTotals, Error> {
    let mut days: Vec<HistoryDay> = Vec::new();
    let mut series: BTreeMap<SeriesKey, SeriesTotals> = BTreeMap::new();
    for (day, part) in sums.map(|row| Ok((day(row)?, part(row)?)))? {
        if let Some((key, name)) = part {
            let series = series.entry(key).or_insert_with(|| SeriesTotals::new(key, name));
            add(&mut series.days_with_totals, day.clone());
        }
        add(&mut days, day);
    }
    let range = DaySpan { first: span.get("first_day")?, last: span.get("last_day")? };
    let mut history = HistoryTotals::new(range, span.parsed("unit", Interval::parse)?);
    history.points_count = span.get("points")?;
    history.complete_from = span.get("complete_from")?;
    history.days_with_totals = days;
    history.series = series.into_values().collect();
    Ok(history)
}

/// Adds the totals of a day. Consecutive totals with the same date are one day.
fn add(days: &mut Vec<HistoryDay>, day: HistoryDay) {
    match days.last_mut().filter(|last| last.date == day.date) {
        Some(last) => {
            last.partial |= day.partial;
            last.totals.extend(day.totals);
        }
        None => days.push(day),
    }
}

fn day(row: Row<'_>) -> Result<HistoryDay, Error> {
    let mut day = HistoryDay::new(row.get("day")?);
    day.is_point = row.get("is_point")?;
    day.partial = row.get("partial")?;
    day.totals.extend(sum(row)?);
    Ok(day)
}

/// Returns the part of the portfolio to which the row belongs, and the part's name; `None` for rows of everything.
fn part(row: Row<'_>) -> Result<Option<(SeriesKey, String)>, Error> {
    if let Some(id) = row.get("part_id")? {
        return Ok(Some((SeriesKey::Id(id), row.get("part_name")?)));
    }
    let Some(_) = row.get::<Option<&str>>("part_type")? else { return Ok(None) };
    let part_type = row.parsed("part_type", SeriesType::parse)?;
    Ok(Some((SeriesKey::Type(part_type), part_type.label().to_owned())))
}

/// Returns the total of the row's currency; `None` if the value is unknown, or nothing existed on that day.
fn sum(row: Row<'_>) -> Result<Option<CurrencyTotal>, Error> {
    let Some(amount_cents) = row.get("amount_cents")? else { return Ok(None) };
    let amount = Money::new(amount_cents, row.parsed("currency", Currency::parse)?);
    // No transactions are counted.
    Ok(Some(CurrencyTotal::new(amount, 0, row.get("converted_cents")?)))
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use tokio_postgres::types::Type;
    use uuid::Uuid;

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
            .with("part_id", &Type::UUID, None::<Uuid>)
            .with("part_type", &Type::TEXT, None::<&str>)
            .with("part_name", &Type::TEXT, None::<&str>)
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
    fn rows_with_a_part_are_in_its_series_and_in_the_total() {
        let day = date(2026, 11, 1);
        let of_type =
            |part: &'static str| row(day, "EUR", Some(5), false).with("part_type", &Type::TEXT, part);
        let rows = vec![of_type("credit"), of_type("depository"), of_type("depository")];
        let history = read(span(), rows).expect("a history");
        assert_eq!(history.days_with_totals[0].totals.len(), 3);
        let series = |series: &SeriesTotals| (series.name.clone(), series.days_with_totals[0].totals.len());
        let expected = [("Bank accounts".to_owned(), 2), ("Credit cards".to_owned(), 1)];
        assert_eq!(history.series.iter().map(series).collect::<Vec<_>>(), expected);
        let account = row(day, "EUR", Some(5), false).with("part_id", &Type::UUID, Uuid::from_u128(7));
        let history = read(span(), vec![account.with("part_name", &Type::TEXT, "Depot")]).expect("a history");
        assert_eq!(history.series[0].key, SeriesKey::Id(Uuid::from_u128(7)));
        let error = read(span(), vec![of_type("boat")]).expect_err("no such type");
        assert_eq!(fault(&error).0, "portfolio_history.part_type");
    }

    #[test]
    fn unknown_interval_names_query_and_column() {
        let error = read(span().with("unit", &Type::TEXT, "year"), Vec::new()).expect_err("no such interval");
        assert_eq!(fault(&error).0, "portfolio_history_span.unit");
    }
}
