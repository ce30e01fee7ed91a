//! The operation `portfolio_history`: the total of accounts and wallets over time.

use std::collections::HashMap;

use jiff::civil::Date;
use passbook_domain::percent::Percent;
use passbook_domain::period::PERIODS_MAX;
use passbook_domain::portfolio::{
    History, HistoryChange, HistoryDay, HistoryPoint, HistorySeries, HistoryTotals, Interval, IntervalChoice,
    SeriesChoice, SeriesKey, SeriesTotals,
};
use passbook_domain::range::{DateRange, Days, TimeRange};
use passbook_domain::scope::Scope;
use passbook_domain::tally::{Overflow, Tally};
use passbook_domain::{Currency, Money};

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::date_range_or_last_year;

/// The total of accounts and wallets over time.
#[derive(Debug)]
pub struct PortfolioHistory;

/// Maximum number of points in the result of the tool, those of the series included.
const TOOL_POINTS_MAX: usize = 200;

/// The range of days and the distance between the points of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Params {
    /// Range of days of the history.
    pub days: Days,
    /// Distance between the points of the history; `auto` chooses it from the length of the range.
    pub interval: IntervalChoice,
    /// The parts of the portfolio that the history shows beside the total.
    pub by: SeriesChoice,
}

impl Default for Params {
    fn default() -> Params {
        let year = DateRange::new(None, None, Some(TimeRange::OneYear)).unwrap_or_default();
        Params { days: year.into(), interval: IntervalChoice::Auto, by: SeriesChoice::Total }
    }
}

impl Params {
    /// Returns the parameters for the history of `days`, and the defaults of the others.
    pub fn new(days: impl Into<Days>) -> Params {
        Params { days: days.into(), ..Params::default() }
    }

    /// Sets the distance between the points.
    #[must_use]
    pub fn with_interval(self, interval: IntervalChoice) -> Params {
        Params { interval, ..self }
    }

    /// Adds the parts of the portfolio to the history.
    #[must_use]
    pub fn with_by(self, by: SeriesChoice) -> Params {
        Params { by, ..self }
    }
}

impl Operation for PortfolioHistory {
    const SPEC: Spec = Spec {
        id: "portfolio_history",
        path: "/v1/portfolio/history",
        tool: Some(Tool {
            name: "get_portfolio_history",
            title: "Portfolio history",
            description: "Total value of accounts and wallets over a range: one total per day, ISO week or month in the preferred currency, and the change from start to end, deposits and withdrawals included; by adds each account or type. Shows how wealth or one depot developed; get_portfolio_snapshot has its parts today. Without a range, the last year. A point marked partial leaves something out.",
        }),
        scope: Some(Scope::PortfolioRead),
        summary: "Portfolio value over time",
        description: "Total value of accounts and wallets at the end of each day, ISO week or month of a range, in the user's preferred currency at the rates of that day. The balance of an account on a day is the stated balance nearest before it and the transactions since; a balance that no later one confirms is marked estimated. Quantities and prices of wallets are carried forward; a closed account counts until it was closed. Today's point equals the total of /v1/portfolio; later points carry it forward, at the rates that are stored for them. On request, the same for each account and wallet or for each type.",
    };
    type Params = Params;
    type Output = History;
    type ToolOutput = History;

    fn read(form: &mut Form<'_>) -> Params {
        Params {
            days: date_range_or_last_year(form).into(),
            interval: form.or_default(
                "interval",
                "Distance of the points (weeks are ISO weeks, which end on Sunday): auto is days up to 92 days, weeks up to two years, else months. At most 1,200 points; a tool: 200 with those of the series.",
                IntervalChoice::Auto,
            ),
            by: form.or_default(
                "by",
                "account adds a series for each account and wallet, type for each type; they add up to the total.",
                SeriesChoice::Total,
            ),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<History, Error> {
        let mut interval = params.interval;
        loop {
            let ledger = context.ledger();
            let reading =
                ledger.portfolio_history(context.access(), &params.days, interval, params.by).await?;
            let history = history(reading.data, params.by, reading.person.preferred_currency)?;
            let series_count = history.series.as_deref().unwrap_or_default().len();
            if !context.is_tool() || history.points.len() * (series_count + 1) <= TOOL_POINTS_MAX {
                return Ok(history);
            }
            // `auto` chooses the next longer interval, which another query has to read.
            interval = match (params.interval, interval, history.interval) {
                (IntervalChoice::Auto, IntervalChoice::Auto, Interval::Day) => IntervalChoice::Week,
                (IntervalChoice::Auto, IntervalChoice::Auto, Interval::Week)
                | (IntervalChoice::Auto, IntervalChoice::Week, _) => IntervalChoice::Month,
                _ => return Err(too_many_points_for_tool(&history, series_count)),
            };
        }
    }
}

fn history(totals: HistoryTotals, by: SeriesChoice, currency: Currency) -> Result<History, Error> {
    if usize::try_from(totals.points_count).map_or(true, |count| count > PERIODS_MAX) {
        return Err(too_many_points(&totals));
    }
    let (opening, points) = opening_and_points(totals.days_with_totals, currency)?;
    let series = match by {
        SeriesChoice::Total => None,
        SeriesChoice::Account | SeriesChoice::Type => {
            Some(all_series(totals.series, opening.as_ref(), &points, currency)?)
        }
    };
    // The start of an open range is the first complete point.
    let start = opening.as_ref().or_else(|| points.iter().find(|point| is_complete(point)));
    Ok(History {
        days: totals.days,
        interval: totals.interval,
        complete_from: totals.complete_from.filter(|day| *day > totals.days.first),
        change: match (start, points.last()) {
            (Some(start), Some(end)) => change(start, end)?,
            _ => None,
        },
        opening,
        points,
        series,
    })
}

/// Returns the total of the day before the range, if the days have it, and the points.
fn opening_and_points(
    days: Vec<HistoryDay>,
    currency: Currency,
) -> Result<(Option<HistoryPoint>, Vec<HistoryPoint>), Overflow> {
    let (mut opening, mut points) = (None, Vec::new());
    for day in days {
        if day.is_point {
            points.push(point(day, currency)?);
        } else {
            opening = Some(point(day, currency)?);
        }
    }
    Ok((opening, points))
}

/// Returns the series that have a value at the opening or at a point, sorted by the last total, largest first, then by name.
fn all_series(
    totals: Vec<SeriesTotals>,
    opening: Option<&HistoryPoint>,
    points: &[HistoryPoint],
    currency: Currency,
) -> Result<Vec<HistorySeries>, Overflow> {
    let mut found = Vec::with_capacity(totals.len());
    for totals in totals {
        found.push(series(totals, opening, points, currency)?);
    }
    found.sort_by(|one, other| {
        let last = |series: &HistorySeries| series.points.last().map(|point| point.total.amount_cents);
        last(other).cmp(&last(one)).then_with(|| (&one.name, one.id).cmp(&(&other.name, other.id)))
    });
    Ok(found)
}

/// Returns one series with a point for each of `points`, and an opening if the history has one. On a day without a value the
/// total is 0.
fn series(
    totals: SeriesTotals,
    opening: Option<&HistoryPoint>,
    points: &[HistoryPoint],
    currency: Currency,
) -> Result<HistorySeries, Overflow> {
    let mut days: HashMap<Date, HistoryDay> =
        totals.days_with_totals.into_iter().map(|day| (day.date, day)).collect();
    let mut of_series = |total: &HistoryPoint| {
        let day = days.remove(&total.date).unwrap_or_else(|| HistoryDay::new(total.date));
        point(day, currency)
    };
    let opening = opening.map(&mut of_series).transpose()?;
    let points = points.iter().map(of_series).collect::<Result<_, _>>()?;
    let (id, r#type) = match totals.key {
        SeriesKey::Id(id) => (Some(id), None),
        SeriesKey::Type(part_type) => (None, Some(part_type)),
    };
    Ok(HistorySeries { id, r#type, name: totals.name, opening, points })
}

fn too_many_points_for_tool(history: &History, series_count: usize) -> Error {
    let points = history.points.len();
    let remedy = match history.interval {
        Interval::Month => "use a shorter range",
        Interval::Day | Interval::Week => "use a longer interval or a shorter range",
    };
    Error::invalid_parameter(
        "interval",
        format!(
            "must give at most {TOOL_POINTS_MAX} points in a tool, those of the series included; {points} for the total and for each of {series_count} series would be {}: {remedy}",
            points * (series_count + 1)
        ),
    )
}

fn too_many_points(sums: &HistoryTotals) -> Error {
    let longer = match sums.interval {
        Interval::Day => "use weeks or months, or a shorter range",
        Interval::Week => "use months, or a shorter range",
        Interval::Month => "use a shorter range",
    };
    Error::invalid_parameter(
        "interval",
        format!(
            "must give at most {PERIODS_MAX} points; one for each {} from {} to {} would be {}: {longer}",
            sums.interval, sums.days.first, sums.days.last, sums.points_count
        ),
    )
}

fn point(day: HistoryDay, currency: Currency) -> Result<HistoryPoint, Overflow> {
    let tally = Tally::from_totals(&day.totals)?;
    Ok(HistoryPoint {
        date: day.date,
        total: Money::new(tally.cents, currency),
        partial: day.partial,
        estimated: day.estimated,
        unconverted: tally.unconverted_without_counts(),
    })
}

/// Returns the difference of two totals; `None` if either total leaves something out. Otherwise an asset whose value
/// becomes known between the two days would appear as a change.
fn change(start: &HistoryPoint, end: &HistoryPoint) -> Result<Option<HistoryChange>, Overflow> {
    if !is_complete(start) || !is_complete(end) {
        return Ok(None);
    }
    let (before, now) = (start.total.amount_cents, end.total.amount_cents);
    let amount = now.checked_sub(before).ok_or(Overflow)?;
    Ok(Some(HistoryChange {
        amount: Money::new(amount, end.total.currency),
        percent: Percent::change(before, now),
        estimated: start.estimated || end.estimated,
    }))
}

/// Returns true if a total leaves nothing out.
fn is_complete(point: &HistoryPoint) -> bool {
    !point.partial && point.unconverted.is_empty()
}
