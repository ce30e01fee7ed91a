//! The operation `portfolio_history`: the total of accounts and wallets over time.

#[cfg(test)]
mod tests;

use domain::percent::Percent;
use domain::period::PERIODS_MAX;
use domain::portfolio::{
    History, HistoryChange, HistoryDay, HistoryPoint, HistoryTotals, Interval, IntervalChoice,
};
use domain::range::{DateRange, Days, TimeRange};
use domain::scope::Scope;
use domain::tally::{Overflow, Tally};
use domain::{Currency, Money};

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::date_range_or_last_year;

/// The total of accounts and wallets over time.
#[derive(Debug)]
pub struct PortfolioHistory;

/// The range of days and the distance between the points of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Range of days of the history.
    pub days: Days,
    /// Distance between the points of the history; `auto` chooses it from the length of the range.
    pub interval: IntervalChoice,
}

impl Default for Params {
    fn default() -> Params {
        let year = DateRange::new(None, None, Some(TimeRange::OneYear)).unwrap_or_default();
        Params { days: year.into(), interval: IntervalChoice::Auto }
    }
}

impl Operation for PortfolioHistory {
    const SPEC: Spec = Spec {
        id: "portfolio_history",
        path: "/v1/portfolio/history",
        tool: Some(Tool {
            name: "get_portfolio_history",
            title: "Portfolio history",
            description: "Total value of accounts and wallets over a range: one total per day, ISO week or month in the preferred currency, and the change from start to end. Shows how wealth developed; get_portfolio_snapshot has its parts today, get_cashflow_summary income and spending. Without a range, the last year. A point marked partial leaves something out.",
            wrapper: None,
        }),
        scope: Some(Scope::PortfolioRead),
        summary: "Portfolio value over time",
        description: "Total value of accounts and wallets at the end of each day, ISO week or month of a range, in the user's preferred currency at the rates of that day. Stored balances are used, never today's holdings; days without a stored value carry the last value forward; a closed account counts until it was closed. Today's point equals the total of /v1/portfolio; later points carry it forward, at the rates that are stored for them.",
    };
    type Params = Params;
    type Output = History;

    fn read(form: &mut Form<'_>) -> Params {
        Params {
            days: date_range_or_last_year(form).into(),
            interval: form.or_default(
                "interval",
                "Distance of the points (weeks are ISO weeks, which end on Sunday): auto is days up to 92 days, weeks up to two years, else months. At most 1,200 points.",
                IntervalChoice::Auto,
            ),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<History, Error> {
        let reading =
            context.ledger().portfolio_history(context.access(), &params.days, params.interval).await?;
        history(reading.data, reading.person.preferred_currency)
    }
}

fn history(sums: HistoryTotals, currency: Currency) -> Result<History, Error> {
    if usize::try_from(sums.points_count).map_or(true, |count| count > PERIODS_MAX) {
        return Err(too_many_points(&sums));
    }
    let mut start = None;
    let mut points = Vec::new();
    for day in sums.days_with_totals {
        let is_point = day.is_point;
        let point = point(day, currency)?;
        if point.date == sums.days.first {
            start = Some(point.clone());
        }
        points.extend(is_point.then_some(point));
    }
    Ok(History {
        days: sums.days,
        interval: sums.interval,
        complete_from: sums.complete_from.filter(|day| *day > sums.days.first),
        change: match (start, points.last()) {
            (Some(start), Some(end)) => change(&start, end)?,
            _ => None,
        },
        points,
    })
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
        unconverted: tally.unconverted_without_counts(),
    })
}

/// Returns the difference of two totals; `None` if either total leaves something out. Otherwise an asset whose value
/// becomes known between the two days would appear as a change.
fn change(start: &HistoryPoint, end: &HistoryPoint) -> Result<Option<HistoryChange>, Overflow> {
    let complete = |point: &HistoryPoint| !point.partial && point.unconverted.is_empty();
    if !complete(start) || !complete(end) {
        return Ok(None);
    }
    let (before, now) = (start.total.amount_cents, end.total.amount_cents);
    let amount = now.checked_sub(before).ok_or(Overflow)?;
    Ok(Some(HistoryChange {
        amount: Money::new(amount, end.total.currency),
        percent: Percent::change(before, now),
    }))
}
