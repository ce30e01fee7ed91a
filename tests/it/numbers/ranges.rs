//! Days of a query, as the database and the domain resolve them.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::range::{DateRange, Days, TimeRange};
use tests::database::Database;

/// The days of a leap year and of the year after it.
fn days() -> impl Iterator<Item = Date> {
    date(2024, 1, 1).series(1.day()).take_while(|day| *day < date(2026, 1, 1))
}

#[tokio::test]
async fn database_resolves_ranges_like_the_domain() {
    let reader = Database::fresh().await.connect("passbook_reader").await;
    let query = "select passbook_read.resolve_first_day($1, null, $2, null, null), \
                   passbook_read.resolve_last_day($1, null, null, null)";
    for word in ["1m", "3m", "6m", "1y", "all"] {
        let range = DateRange::new(None, None, TimeRange::parse(word).ok()).expect("a range");
        for today in days() {
            let row = reader.query_one(query, &[&today, &word]).await.expect("the query runs");
            let expected = Days::Range(range).resolve(today);
            let found: (Option<Date>, Option<Date>) = (row.get(0), row.get(1));
            assert_eq!(found, (expected.first, expected.last), "{today} {word}");
        }
    }
    let query = "select passbook_read.resolve_first_day($1, $2, null, 2025, $3), \
                   passbook_read.resolve_last_day($1, $2, 2025, $3)";
    for (from, month) in [(Some(date(2025, 2, 1)), None), (None, None), (None, Some(2_i8))] {
        let range = Days::Range(DateRange::new(from, None, None).expect("a range"));
        let requested = if month.is_some() { Days::Month { year: Some(2025), month } } else { range };
        for today in days() {
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 3] =
                [&today, &from, &month.map(i32::from)];
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
