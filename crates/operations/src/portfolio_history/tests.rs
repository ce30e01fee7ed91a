//! Unit tests of the portfolio history.

use std::sync::Arc;

use jiff::ToSpan as _;
use passbook_domain::portfolio::{HistoryDay, HistoryTotals, Interval, SeriesKey, SeriesTotals};
use passbook_domain::range::DaySpan;
use passbook_domain::scope::Surface;
use passbook_domain::tally::CurrencyTotal;
use passbook_domain::{Currency, Money};
use passbook_test_support::{InMemoryLedger, credential, date};
use serde_json::json;
use uuid::Uuid;

use super::PortfolioHistory;
use crate::entry::Entry;
use crate::harness::{cents, each, execute, faults, rest, result, tool};

fn sum(cents: i64, converted: bool) -> CurrencyTotal {
    CurrencyTotal::new(Money::new(cents, Currency::EUR), 1, converted.then_some(cents))
}

fn day(text: &str, cents: i64) -> HistoryDay {
    let mut day = HistoryDay::new(date(text));
    day.totals.push(sum(cents, true));
    day
}

/// The same day as no point of the history.
fn no_point(mut day: HistoryDay) -> HistoryDay {
    day.is_point = false;
    day
}

/// The same day with other totals.
fn with_totals(mut day: HistoryDay, totals: Vec<CurrencyTotal>) -> HistoryDay {
    day.totals = totals;
    day
}

fn ledger(days: Vec<HistoryDay>) -> InMemoryLedger {
    let first = days.first().map_or(date("2026-11-01"), |day| day.date);
    let last = days.last().map_or(first, |day| day.date);
    let mut totals = HistoryTotals::new(DaySpan { first, last }, Interval::Day);
    totals.points_count = i64::try_from(days.len()).expect("few days");
    totals.days_with_totals = days;
    InMemoryLedger::new().with_history(totals)
}

#[test]
fn change_is_the_last_total_minus_the_first() {
    for (first, last, amount, percent) in [
        (300, 200, -100, json!(-33.33)),
        (200, 300, 100, json!(50.0)),
        (0, 5, 5, json!(null)),
        (-10, 5, 15, json!(null)),
    ] {
        let history =
            result::<PortfolioHistory>(ledger(vec![day("2026-11-01", first), day("2026-11-02", last)]), &[]);
        assert_eq!(cents(&history["change"]["amount"]), amount);
        assert_eq!(history["change"]["percent"], percent, "{first} {last}");
    }
}

#[test]
fn first_day_that_is_no_point_counts_for_the_change_only() {
    let first = no_point(day("2026-11-04", 100));
    let history = result::<PortfolioHistory>(ledger(vec![first, day("2026-11-08", 150)]), &[]);
    assert_eq!(each(&history["points"], "date"), ["2026-11-08"]);
    assert_eq!(cents(&history["change"]["amount"]), 50);
}

#[test]
fn change_is_absent_if_either_end_leaves_something_out() {
    let partial = |text| {
        let mut day = day(text, 100);
        day.partial = true;
        day
    };
    let unconverted = |text| with_totals(day(text, 0), vec![sum(100, false)]);
    for days in [
        vec![partial("2026-11-01"), day("2026-11-02", 100)],
        vec![day("2026-11-01", 100), partial("2026-11-02")],
        vec![unconverted("2026-11-01"), day("2026-11-02", 100)],
        vec![day("2026-11-01", 100), unconverted("2026-11-02")],
    ] {
        assert!(result::<PortfolioHistory>(ledger(days), &[]).get("change").is_none());
    }
}

#[test]
fn amounts_without_a_rate_are_reported_without_a_count() {
    let days = vec![with_totals(day("2026-11-01", 0), vec![sum(7, false)])];
    let history = result::<PortfolioHistory>(ledger(days), &[]);
    assert_eq!(history["points"][0]["unconverted"], json!([{ "currency": "EUR", "amount_cents": 7 }]));
}

#[test]
fn at_most_1200_points_are_returned() {
    let points = |count, interval| {
        let range = DaySpan { first: date("2020-01-01"), last: date("2026-11-21") };
        let mut totals = HistoryTotals::new(range, interval);
        totals.points_count = count;
        rest::<PortfolioHistory>(InMemoryLedger::new().with_history(totals), &[])
    };
    assert!(points(1_200, Interval::Day).is_ok());
    for (interval, advice) in [
        (Interval::Day, "use weeks or months, or a shorter range"),
        (Interval::Week, "use months, or a shorter range"),
        (Interval::Month, "use a shorter range"),
    ] {
        let rejected = faults(points(1_201, interval));
        assert!(rejected[0].starts_with("interval must give at most 1200 points;"), "{rejected:?}");
        assert!(rejected[0].ends_with(&format!("would be 1201: {advice}")), "{rejected:?}");
    }
}

fn with_series(days: Vec<HistoryDay>, series: Vec<SeriesTotals>) -> InMemoryLedger {
    let range = DaySpan { first: days[0].date, last: days[days.len() - 1].date };
    let mut totals = HistoryTotals::new(range, Interval::Day);
    totals.points_count = i64::try_from(days.len()).expect("few days");
    totals.days_with_totals = days;
    totals.series = series;
    InMemoryLedger::new().with_history(totals)
}

fn account(id: u128, name: &str, days: Vec<HistoryDay>) -> SeriesTotals {
    let mut series = SeriesTotals::new(SeriesKey::Id(Uuid::from_u128(id)), name);
    series.days_with_totals = days;
    series
}

#[test]
fn series_have_every_point_and_are_sorted_by_the_last_total() {
    let series = || {
        vec![
            account(1, "Closed", vec![day("2026-11-01", 5)]),
            account(2, "Depot", vec![day("2026-11-01", 10), day("2026-11-02", 12)]),
            account(3, "Card", vec![day("2026-11-02", -3)]),
            account(4, "Before", vec![no_point(day("2026-10-31", 7))]),
        ]
    };
    let days = || {
        let first = no_point(day("2026-10-31", 7));
        vec![first, day("2026-11-01", 15), day("2026-11-02", 9)]
    };
    let history = result::<PortfolioHistory>(with_series(days(), series()), &[("by", "account")]);
    assert_eq!(each(&history["series"], "name"), ["Depot", "Closed", "Card"]);
    let totals = |series: &serde_json::Value| -> Vec<i64> {
        each(&series["points"], "total").into_iter().map(cents).collect()
    };
    let found: Vec<Vec<i64>> = history["series"].as_array().expect("series").iter().map(totals).collect();
    assert_eq!(found, [[10, 12], [5, 0], [0, -3]]);
    assert_eq!(history["series"][0]["id"], json!(Uuid::from_u128(2)));
    assert!(history["series"][0].get("type").is_none());
    assert!(result::<PortfolioHistory>(with_series(days(), series()), &[]).get("series").is_none());
}

#[test]
fn tool_returns_at_most_200_points_with_those_of_the_series() {
    let days = |count: i32| {
        let first = date("2026-01-01");
        let day = |number: i32| with_totals(HistoryDay::new(first + number.days()), vec![sum(1, true)]);
        (0..count).map(day).collect()
    };
    let call = |points: i32, series: u128, arguments: serde_json::Value| {
        let series = (0..series).map(|id| account(id, "Account", days(points))).collect();
        tool::<PortfolioHistory>(with_series(days(points), series), &arguments)
    };
    assert!(call(200, 0, json!({})).is_ok());
    assert!(call(50, 3, json!({ "by": "account" })).is_ok());
    for (points, series, arguments, count) in [
        (201, 0, json!({ "interval": "day" }), 201),
        (67, 2, json!({ "by": "account", "interval": "day" }), 201),
        // The interval of this ledger never changes, so every interval that `auto` tries has too many points.
        (67, 2, json!({ "by": "account" }), 201),
    ] {
        let rejected = faults(call(points, series, arguments));
        assert!(rejected[0].starts_with("interval must give at most 200 points in a tool"), "{rejected:?}");
        let expected = format!("would be {count}: use a longer interval or a shorter range");
        assert!(rejected[0].ends_with(&expected), "{rejected:?}");
    }
    let over_rest = with_series(days(67), vec![account(1, "A", days(67)), account(2, "B", days(67))]);
    assert!(rest::<PortfolioHistory>(over_rest, &[("by", "account")]).is_ok());
}

#[test]
fn complete_from_is_absent_if_it_is_the_first_day() {
    let history = |complete_from| {
        let range = DaySpan { first: date("2026-11-01"), last: date("2026-11-02") };
        let mut totals = HistoryTotals::new(range, Interval::Day);
        totals.complete_from = Some(date(complete_from));
        result::<PortfolioHistory>(InMemoryLedger::new().with_history(totals), &[])
    };
    assert!(history("2026-11-01").get("completeFrom").is_none());
    assert_eq!(history("2026-11-02")["completeFrom"], "2026-11-02");
}

#[test]
fn range_is_the_last_year_by_default() {
    let history = result::<PortfolioHistory>(InMemoryLedger::new(), &[]);
    assert_eq!((&history["dateFrom"], &history["dateTo"]), (&json!("2025-11-22"), &json!("2026-11-21")));
    let declared = Entry::new::<PortfolioHistory>().declarations(Surface::Rest);
    let defaults: Vec<_> = declared.iter().filter_map(|declared| declared.default.clone()).collect();
    assert_eq!(defaults, ["1y", "auto", "total"]);
}

#[test]
fn missing_start_is_open_if_only_the_last_day_is_given() {
    let ledger = Arc::new(InMemoryLedger::new());
    let received = crate::harness::texts(&[("dateTo", "2026-11-02")]);
    let history = execute::<PortfolioHistory>(ledger, &credential(), &received).expect("a history");
    assert_eq!(history["dateTo"], "2026-11-02");
}
