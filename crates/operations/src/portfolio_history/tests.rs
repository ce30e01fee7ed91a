//! Unit tests of the portfolio history.

use std::sync::Arc;

use domain::Currency;
use domain::portfolio::{HistoryDay, HistoryTotals, Interval};
use domain::range::DaySpan;
use domain::scope::Surface;
use domain::tally::CurrencyTotal;
use serde_json::json;
use test_support::{InMemoryLedger, credential, date};

use super::PortfolioHistory;
use crate::entry::Entry;
use crate::harness::{cents, each, execute, faults, rest, result};

fn sum(cents: i64, converted: bool) -> CurrencyTotal {
    CurrencyTotal {
        currency: Currency::EUR,
        count: 1,
        amount_cents: cents,
        converted_cents: converted.then_some(cents),
    }
}

fn day(text: &str, cents: i64) -> HistoryDay {
    HistoryDay { date: date(text), is_point: true, partial: false, totals: vec![sum(cents, true)] }
}

fn ledger(days: Vec<HistoryDay>) -> InMemoryLedger {
    let first = days.first().map_or(date("2026-11-01"), |day| day.date);
    InMemoryLedger::new().with_history(HistoryTotals {
        days: DaySpan { first, last: days.last().map_or(first, |day| day.date) },
        interval: Interval::Day,
        points_count: i64::try_from(days.len()).expect("few days"),
        complete_from: None,
        days_with_totals: days,
    })
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
    let first = HistoryDay { is_point: false, ..day("2026-11-04", 100) };
    let history = result::<PortfolioHistory>(ledger(vec![first, day("2026-11-08", 150)]), &[]);
    assert_eq!(each(&history["points"], "date"), ["2026-11-08"]);
    assert_eq!(cents(&history["change"]["amount"]), 50);
}

#[test]
fn change_is_absent_if_either_end_leaves_something_out() {
    let partial = |text| HistoryDay { partial: true, ..day(text, 100) };
    let unconverted = |text| HistoryDay { totals: vec![sum(100, false)], ..day(text, 0) };
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
    let days = vec![HistoryDay { totals: vec![sum(7, false)], ..day("2026-11-01", 0) }];
    let history = result::<PortfolioHistory>(ledger(days), &[]);
    assert_eq!(history["points"][0]["unconverted"], json!([{ "currency": "EUR", "amount_cents": 7 }]));
}

#[test]
fn at_most_1200_points_are_returned() {
    let points = |count, interval| {
        rest::<PortfolioHistory>(
            InMemoryLedger::new().with_history(HistoryTotals {
                days: DaySpan { first: date("2020-01-01"), last: date("2026-11-21") },
                interval,
                points_count: count,
                complete_from: None,
                days_with_totals: Vec::new(),
            }),
            &[],
        )
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

#[test]
fn complete_from_is_absent_if_it_is_the_first_day() {
    let history = |complete_from| {
        let ledger = InMemoryLedger::new().with_history(HistoryTotals {
            days: DaySpan { first: date("2026-11-01"), last: date("2026-11-02") },
            interval: Interval::Day,
            points_count: 0,
            complete_from: Some(date(complete_from)),
            days_with_totals: Vec::new(),
        });
        result::<PortfolioHistory>(ledger, &[])
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
    assert_eq!(defaults, ["1y", "auto"]);
}

#[test]
fn missing_start_is_open_if_only_the_last_day_is_given() {
    let ledger = Arc::new(InMemoryLedger::new());
    let received = crate::harness::texts(&[("dateTo", "2026-11-02")]);
    let history = execute::<PortfolioHistory>(ledger, &credential(), &received).expect("a history");
    assert_eq!(history["dateTo"], "2026-11-02");
}
