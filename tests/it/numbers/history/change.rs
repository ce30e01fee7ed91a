//! Change of the history: from the end of the first day to the end of the last, only between complete totals.

use serde_json::{Value, json};
use tests::household::rate;

use super::{account, history, lines};

async fn change(query: &str, snapshots: &[(&str, i64)]) -> Value {
    let answer = history(query, |assets| {
        account(assets, "Checking", "EUR", 1_117, snapshots);
    })
    .await;
    answer["change"].clone()
}

fn by(cents: i64, percent: Option<f64>) -> Value {
    let mut change = json!({"amount": {"amount_cents": cents, "currency": "EUR"}});
    if let Some(percent) = percent {
        change["percent"] = json!(percent);
    }
    change
}

#[tokio::test]
async fn change_starts_at_the_end_of_the_first_day() {
    // The range starts on Wednesday, 2026-11-04; the first point is Sunday, 2026-11-08.
    let snapshots = [("2026-11-01", 900), ("2026-11-04", 1_000), ("2026-11-05", 400)];
    let query = "?dateFrom=2026-11-04&interval=week";
    assert_eq!(change(query, &snapshots).await, by(117, Some(11.7)));
    let points = history(query, |assets| {
        account(assets, "Checking", "EUR", 1_117, &snapshots);
    })
    .await;
    assert_eq!(lines(&points), ["2026-11-08 400", "2026-11-15 400", "2026-11-21 1117"]);
}

#[tokio::test]
async fn percentage_requires_a_positive_start() {
    for (start, expected) in [
        (1_000, by(117, Some(11.7))),
        (3_000, by(-1_883, Some(-62.77))),
        (1_117, by(0, Some(0.0))),
        (1, by(1_116, Some(111_600.0))),
        (0, by(1_117, None)),
        (-500, by(1_617, None)),
    ] {
        assert_eq!(change("?timeRange=1m", &[("2026-10-01", start)]).await, expected, "from {start}");
    }
}

#[tokio::test]
async fn change_on_a_single_day_is_zero() {
    let snapshots = [("2026-10-01", 40)];
    assert_eq!(change("?dateFrom=2026-11-21", &snapshots).await, by(0, Some(0.0)));
    assert_eq!(change("?dateFrom=2026-11-20&dateTo=2026-11-20", &snapshots).await, by(0, Some(0.0)));
}

#[tokio::test]
async fn change_is_absent_if_the_first_or_last_total_is_incomplete() {
    for (query, present) in [
        // Partial at the start; complete at both ends.
        ("?dateFrom=2026-10-31&dateTo=2026-11-10", false),
        ("?dateFrom=2026-11-01&dateTo=2026-11-10", true),
        // No rate at the end, at the start, and at both; no rate in between only.
        ("?dateFrom=2026-11-01&dateTo=2026-11-12", false),
        ("?dateFrom=2026-11-12&dateTo=2026-11-15", false),
        ("?dateFrom=2026-11-12&dateTo=2026-11-13", false),
        ("?dateFrom=2026-11-10&dateTo=2026-11-15", true),
        // The first day is not a point, but its total is incomplete.
        ("?dateFrom=2026-10-30&dateTo=2026-11-10&interval=month", false),
    ] {
        let answer = history(query, |assets| {
            account(assets, "Checking", "EUR", 100, &[("2026-10-01", 100)]);
            account(assets, "Dollars", "USD", 500, &[("2026-11-01", 500)]);
            assets.records.push(rate("2026-10-10", "USD", "1"));
            assets.records.push(rate("2026-11-14", "USD", "1"));
        })
        .await;
        assert_eq!(answer.get("change").is_some(), present, "{query}: {answer}");
    }
}
