//! Days of the history: range, interval, grid, and maximum number of points.

use serde_json::{Value, json};

use super::{account, days, history, request};

/// First day, last day, interval and points of an empty portfolio.
async fn grid(query: &str) -> (String, String, String, Vec<String>) {
    let answer = history(query, |_| {}).await;
    let word = |name: &str| answer[name].as_str().expect("text").to_owned();
    (word("dateFrom"), word("dateTo"), word("interval"), days(&answer))
}

#[tokio::test]
async fn points_are_the_ends_of_intervals_and_of_the_range() {
    for (query, interval, expected) in [
        ("dateFrom=2026-11-19&dateTo=2026-11-21", "day", &["2026-11-19", "2026-11-20", "2026-11-21"][..]),
        ("dateFrom=2026-11-21&dateTo=2026-11-21", "day", &["2026-11-21"]),
        ("dateFrom=2026-11-21&dateTo=2026-11-21&interval=week", "week", &["2026-11-21"]),
        ("dateFrom=2026-11-21&dateTo=2026-11-21&interval=month", "month", &["2026-11-21"]),
        // A week ends on Sunday.
        ("dateFrom=2026-11-15&dateTo=2026-11-16&interval=week", "week", &["2026-11-15", "2026-11-16"]),
        ("dateFrom=2026-11-16&dateTo=2026-11-22&interval=week", "week", &["2026-11-22"]),
        // The 53rd week of 2026 ends in 2027.
        (
            "dateFrom=2026-12-26&dateTo=2027-01-05&interval=week",
            "week",
            &["2026-12-27", "2027-01-03", "2027-01-05"],
        ),
        // The ends of months, including a leap day. The first and the last month are incomplete.
        (
            "dateFrom=2024-01-31&dateTo=2024-04-30&interval=month",
            "month",
            &["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"],
        ),
        (
            "dateFrom=2025-01-20&dateTo=2025-03-01&interval=month",
            "month",
            &["2025-01-31", "2025-02-28", "2025-03-01"],
        ),
        ("dateFrom=2025-12-31&dateTo=2026-01-01&interval=month", "month", &["2025-12-31", "2026-01-01"]),
    ] {
        let (_, _, found, points) = grid(&format!("?{query}")).await;
        assert_eq!(
            (found.as_str(), points),
            (interval, expected.iter().map(|day| (*day).to_owned()).collect()),
            "{query}"
        );
    }
}

#[tokio::test]
async fn auto_interval_is_day_up_to_92_days_week_up_to_two_years_then_month() {
    for (query, interval, count) in [
        ("dateFrom=2026-08-01&dateTo=2026-10-31", "day", 92),
        ("dateFrom=2026-07-31&dateTo=2026-10-31", "week", 14),
        ("dateFrom=2024-11-22&dateTo=2026-11-21", "week", 105),
        ("dateFrom=2024-11-21&dateTo=2026-11-21", "month", 25),
        ("dateFrom=2024-02-29&dateTo=2026-02-27", "week", 105),
        ("dateFrom=2024-02-29&dateTo=2026-02-28", "month", 25),
        ("timeRange=1m", "day", 31),
        ("timeRange=3m", "day", 92),
        ("timeRange=6m", "week", 27),
        ("interval=auto", "week", 53),
    ] {
        let (_, _, found, points) = grid(&format!("?{query}")).await;
        assert_eq!((found.as_str(), points.len()), (interval, count), "{query}");
    }
}

#[tokio::test]
async fn default_range_is_one_year_and_open_end_is_today() {
    let year = grid("").await;
    assert_eq!((year.0.as_str(), year.1.as_str()), ("2025-11-22", "2026-11-21"));
    assert_eq!(grid("?timeRange=1y").await, year);
    assert_eq!((year.3[0].as_str(), year.3[52].as_str()), ("2025-11-23", "2026-11-21"));
    // An explicit day disables the default range.
    let (first, last, ..) = grid("?dateFrom=2026-11-01").await;
    assert_eq!((first.as_str(), last.as_str()), ("2026-11-01", "2026-11-21"));
    let (first, last, _, points) = grid("?dateFrom=2027-01-05").await;
    assert_eq!((first.as_str(), last.as_str(), points.len()), ("2027-01-05", "2027-01-05", 1));
}

#[tokio::test]
async fn open_start_is_the_first_day_with_a_stored_value() {
    for (query, balance_from, wallet_from, expected) in [
        ("timeRange=all", Some("2026-09-01"), None, ("2026-09-01", "2026-11-21")),
        ("timeRange=all", Some("2026-09-01"), Some("2026-08-15"), ("2026-08-15", "2026-11-21")),
        ("timeRange=all", None, Some("2026-08-15"), ("2026-08-15", "2026-11-21")),
        ("timeRange=all", None, None, ("2026-11-21", "2026-11-21")),
        ("timeRange=all", Some("2027-01-01"), None, ("2026-11-21", "2026-11-21")),
        ("dateTo=2026-10-01", Some("2026-09-01"), None, ("2026-09-01", "2026-10-01")),
        ("dateTo=2026-08-01", Some("2026-09-01"), None, ("2026-08-01", "2026-08-01")),
    ] {
        let answer = history(&format!("?{query}"), |assets| {
            let of_account: Vec<_> = balance_from.into_iter().map(|date| (date, 1)).collect();
            account(assets, "Checking", "EUR", 1, &of_account);
            if let Some(date) = wallet_from {
                let coin =
                    assets.security("BTC", passbook_domain::portfolio::SecurityType::Cryptocurrency, "EUR");
                let wallet = assets.wallet("Cold wallet");
                assets.wallet_holding(wallet, coin, date, "1");
            }
        })
        .await;
        let found = (answer["dateFrom"].as_str(), answer["dateTo"].as_str());
        assert_eq!(found, (Some(expected.0), Some(expected.1)), "{query} {balance_from:?} {wallet_from:?}");
    }
}

#[tokio::test]
async fn more_than_1200_points_are_rejected_with_the_rule() {
    for (query, count) in [
        ("dateFrom=2023-08-10&dateTo=2026-11-21&interval=day", 1_200),
        ("dateFrom=2003-11-24&dateTo=2026-11-21&interval=week", 1_200),
        ("dateFrom=2000-01-01&dateTo=2099-12-31&interval=month", 1_200),
        ("dateFrom=2000-01-01&dateTo=2099-12-31", 1_200),
    ] {
        let (.., points) = grid(&format!("?{query}")).await;
        assert_eq!(points.len(), count, "{query}");
    }
    for (query, rule) in [
        (
            "dateFrom=2023-08-09&dateTo=2026-11-21&interval=day",
            "one for each day from 2023-08-09 to 2026-11-21 would be 1201: use weeks or months",
        ),
        (
            "dateFrom=2003-11-23&dateTo=2026-11-21&interval=week",
            "one for each week from 2003-11-23 to 2026-11-21 would be 1201: use months",
        ),
        (
            "dateFrom=2000-01-01&dateTo=2100-01-01&interval=month",
            "one for each month from 2000-01-01 to 2100-01-01 would be 1201: use a shorter range",
        ),
        ("dateFrom=1900-01-01&dateTo=2200-12-31", "would be 3612: use a shorter range"),
        ("dateFrom=1900-01-01&dateTo=2200-12-31&interval=day", "would be 109938: use weeks or months"),
    ] {
        let reply = request(&format!("?{query}"), |_| {}).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, "INVALID_REQUEST"), "{query}");
        let fault: Value = reply.json()["error"]["details"][0].clone();
        assert_eq!(fault["parameter"], "interval", "{query}");
        let message = fault["message"].as_str().expect("text");
        assert!(
            message.starts_with("must give at most 1200 points; ") && message.contains(rule),
            "{query}: {message}"
        );
    }
}

#[tokio::test]
async fn empty_history_is_zero_and_complete() {
    let answer = history("?timeRange=1m", |_| {}).await;
    assert_eq!(
        answer["points"][0],
        json!({"date": "2026-10-22", "total": {"amount_cents": 0, "currency": "EUR"}})
    );
    assert_eq!(answer["change"], json!({"amount": {"amount_cents": 0, "currency": "EUR"}}));
    assert!(answer.get("completeFrom").is_none());
}
