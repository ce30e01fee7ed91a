//! Days of a query, as the database and the domain resolve them.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::range::{DateRange, Days, NamedPeriod, TimeRange};
use tests::database::Database;

/// The days of a leap year and of the year after it.
fn days() -> impl Iterator<Item = Date> {
    date(2024, 1, 1).series(1.day()).take_while(|day| *day < date(2026, 1, 1))
}

#[tokio::test]
async fn database_resolves_ranges_like_the_domain() {
    let reader = Database::fresh().await.connect("passbook_reader").await;
    let query = "select first, passbook_read.resolve_last_day($1, $2, $3, first) \
                 from (select passbook_read.resolve_first_day($1, $2, $3, 2025, $4) as first) as resolved";
    let words = ["1m", "3m", "6m", "1y", "all"].map(|word| (Some(word), None, None));
    let others =
        [(None, Some(date(2025, 2, 1)), None), (None, None, None), (Some("month"), None, Some(2_i8))];
    let periods = NamedPeriod::ALL.iter().map(|period| (Some(period.as_str()), None, None));
    for (word, from, month) in words.into_iter().chain(others).chain(periods) {
        let period = word.and_then(|word| NamedPeriod::parse(word).ok());
        let named = word.and_then(|word| TimeRange::parse(word).ok());
        let range = DateRange::new(from, None, named).expect("a range");
        let range = Days::Range(period.map_or(range, DateRange::named));
        let requested = if month.is_some() { Days::Month { year: Some(2025), month } } else { range };
        for today in days() {
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                [&today, &from, &word, &month.map(i32::from)];
            let row = reader.query_one(query, &parameters).await.expect("the query runs");
            let expected = requested.resolve(today);
            let found: (Option<Date>, Option<Date>) = (row.get(0), row.get(1));
            assert_eq!(found, (expected.first, expected.last), "{today} {requested:?}");
        }
    }
}

#[tokio::test]
async fn today_is_the_day_in_the_time_zone_of_the_user() {
    let reader = Database::fresh().await.connect("passbook_reader").await;
    let query = "select passbook_read.today_in($1) = (now() at time zone $1)::date, \
                 passbook_read.today_in($1) - (now() at time zone 'UTC')::date";
    for zone in ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"] {
        let row = reader.query_one(query, &[&zone]).await.expect("the query runs");
        assert!(row.get::<_, bool>(0), "{zone}");
        assert!((-1..=1).contains(&row.get::<_, i32>(1)), "{zone}");
    }
}
