//! Functions of the database: conversion rounds once, half away from zero, and has a largest amount; the days of a
//! query are those of the domain; the planned rows of a year, and the largest merchants of several years; and the three
//! keys of a merchant's name, side by side. PostgreSQL groups totals by `merchant_key` and searches by `fold`; recurring
//! payments are grouped by the payee key.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::fold::fold;
use passbook_domain::month_start::MonthStart;
use passbook_domain::range::{DateRange, Days, NamedPeriod, TimeRange};
use passbook_domain::recurring::payee_key;
use passbook_domain::{Currency, Money};
use passbook_ledger_kit::Rates;
use proptest::prelude::*;
use tests::app::{App, TODAY};
use tests::database::{Database, one};
use tests::household::{Household, parse_currency};

/// The conversion of the ledger in memory. Rates are in hundred-thousandths.
fn reference(amount: i64, from: i64, to: i64) -> Option<i64> {
    let units = |rate: i64| format!("{}.{:05}", rate / 100_000, rate % 100_000);
    let (usd, chf) = (parse_currency("USD"), parse_currency("CHF"));
    let mut rates = Rates::new(Currency::EUR);
    for (currency, rate) in [(usd, from), (chf, to)] {
        rates.insert(currency, TODAY, &units(rate)).expect("a positive number");
    }
    rates.convert(Money::new(amount, usd), chf, TODAY)
}

#[test]
fn random_amounts_are_converted_exactly() {
    let runtime = tests::runtime();
    let client = runtime.block_on(async { Database::fresh().await.connect("passbook_reader").await });
    let statement = "select passbook_read.convert_cents($1, ($2::bigint / 100000.0)::numeric, ($3::bigint / 100000.0)::numeric)";
    let amounts = -9_000_000_000_000_i64..9_000_000_000_000;
    let near_half =
        (1_i64..2_000_000, 1_i64..400).prop_map(|(amount, rate)| (amount, rate * 200_000, rate * 100_000));
    let anything = (amounts, 1_i64..20_000_000, 1_i64..20_000_000);
    tests::check_property(512, &prop_oneof![anything, near_half], async |(amount, from, to)| {
        let row = client.query_one(statement, &[&amount, &from, &to]).await.expect("the conversion succeeds");
        prop_assert_eq!(row.get::<_, Option<i64>>(0), reference(amount, from, to));
        Ok(())
    });
}

#[tokio::test]
async fn conversion_rounds_half_away_from_zero_once_and_has_no_result_beyond_the_largest_amount() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    for (amount, from, to, expected) in [
        (1_i64, "2", "1", Some(1_i64)),
        (-1, "2", "1", Some(-1)),
        (3, "2", "1", Some(2)),
        (5, "4", "1", Some(1)),
        // Slightly less than one half. Dividing with limited precision first would give exactly one half.
        (1, "2.0000000000000000000000001", "1", Some(0)),
        (9_000_000_000_000_000, "3", "1", Some(3_000_000_000_000_000)),
        (8_999_999_999_999_999, "2", "1", Some(4_500_000_000_000_000)),
        (100, "1.1", "157.61", Some(14_328)),
        (4_500_000_000_000_000, "1", "2", Some(9_000_000_000_000_000)),
        (-4_500_000_000_000_000, "1", "2", Some(-9_000_000_000_000_000)),
        (4_500_000_000_000_001, "1", "2", None),
        (-4_500_000_000_000_001, "1", "2", None),
        (9_000_000_000_000_000, "0.000000001", "1000000000", None),
    ] {
        let query = format!("select passbook_read.convert_cents({amount}, {from}, {to})");
        assert_eq!(one::<Option<i64>>(&client, &query).await, expected, "{amount} × {to} / {from}");
    }
}

/// The days of a leap year and of the year after it.
fn days() -> impl Iterator<Item = Date> {
    date(2024, 1, 1).series(1.day()).take_while(|day| *day < date(2026, 1, 1))
}

#[tokio::test]
async fn database_resolves_ranges_like_the_domain() {
    let reader = Database::fresh().await.connect("passbook_reader").await;
    let query = "select first, passbook_read.resolve_last_day(today, $2, $3, first, start) \
                 from unnest($1::date[], $5::integer[]) with ordinality as given (today, start, place) \
                 cross join lateral (\
                   select passbook_read.resolve_first_day(today, $2, $3, 2025, $4, start) as first) as resolved \
                 order by place";
    let given: Vec<(Date, i16)> = days().zip((0..29).cycle()).chain(days().map(|day| (day, 1))).collect();
    let (today, starts): (Vec<Date>, Vec<i32>) =
        given.iter().map(|(day, start)| (*day, i32::from(*start))).unzip();
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
        let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
            [&today, &from, &word, &month.map(i32::from), &starts];
        let rows = reader.query(query, &parameters).await.expect("the query runs");
        assert_eq!(rows.len(), given.len());
        for ((today, number), row) in given.iter().zip(rows) {
            let start = MonthStart::from_number(*number).expect("a start");
            let expected = requested.resolve(*today, start);
            let found: (Option<Date>, Option<Date>) = (row.get(0), row.get(1));
            assert_eq!(found, (expected.first, expected.last), "{today} {start} {requested:?}");
        }
    }
}

#[tokio::test]
async fn bounds_of_years_leave_out_neither_planned_rows_nor_the_largest_merchant() {
    let app = App::start().await;
    let mut household = Household::new();
    for (day, first) in [("2025-03-01", 'a'), ("2026-03-01", 'b')] {
        household.expense(day, ExpenseCategory::Books, 60, "EUR").merchant_name = Some("Both".to_owned());
        for second in 'a'..='y' {
            let row = household.expense(day, ExpenseCategory::Books, 100, "EUR");
            row.merchant_name = Some(format!("Shop {first}{second}"));
        }
    }
    for day in ["2026-12-31", "2027-01-01"] {
        household.expense(day, ExpenseCategory::Books, 100, "EUR");
    }
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    // Larger in both years than the others, but not in one.
    let top = app.get("/v1/spending/merchants/top?limit=1&dateFrom=2025-01-01", &token).await.ok();
    assert_eq!(top["merchants"][0]["merchant"], "Both", "{top}");
    app.write("update passbook.users set month_start = 25").await;
    let summary = app.get("/v1/cashflow/summary?period=this-year", &token).await.ok();
    assert_eq!(summary["planned"]["transactionCount"], 1, "{summary}");
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

#[tokio::test]
async fn merchant_key_fold_and_payee_key_normalise_spellings_as_documented() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    let statement =
        "select passbook_read.merchant_key($1), passbook_read.search_text($1), passbook_read.payee_key($1)";
    let of_title = client.query_one(statement, &[&"Mai  Miete MÄRZ Mai 2026"]).await.expect("the query runs");
    assert_eq!(of_title.get::<_, String>(2), "mai  miete");
    for (text, merchant_key, folded, payee) in [
        ("Café Müller", "café müller", "cafe muller", "cafe muller"),
        ("CAFÉ MÜLLER ", "café müller", "cafe muller ", "cafe muller"),
        ("Cafe\u{301} Muller", "cafe\u{301} muller", "cafe muller", "cafe muller"),
        ("Smørrebrød Kælder", "smørrebrød kælder", "smorrebrod kaelder", "smorrebrod kaelder"),
        ("Straßencafé", "straßencafé", "strassencafe", "strassencafe"),
        ("İstanbul Kebap", "i\u{307}stanbul kebap", "istanbul kebap", "istanbul kebap"),
        ("NETFLIX.COM", "netflix.com", "netflix.com", "netflix"),
        ("Netflix", "netflix", "netflix", "netflix"),
        ("SQ *BLUE BOTTLE COFFEE", "sq *blue bottle coffee", "sq *blue bottle coffee", "blue bottle coffee"),
        ("STARBUCKS STORE 04412", "starbucks store", "starbucks store 04412", "starbucks store"),
        ("REWE  #12 Köln T44B1 5", "rewe köln", "rewe  #12 koln t44b1 5", "rewe koln"),
        ("7-Eleven O2 1&1", "7-eleven o2", "7-eleven o2 1&1", "eleven o2"),
        ("\u{a0}1&1\t", "1&1", " 1&1\t", "1 1"),
        ("ﬁnance ①", "ﬁnance ①", "finance 1", "finance"),
    ] {
        let row = client.query_one(statement, &[&text]).await.expect("the query runs");
        let found: (String, String) = (row.get(0), row.get(1));
        assert_eq!(found, (merchant_key.to_owned(), folded.to_owned()), "{text:?}");
        assert_eq!(fold(text), folded, "{text:?}");
        assert_eq!(payee_key(text), payee, "{text:?}");
    }
}

/// Latin, Greek and Cyrillic letters, and characters with a compatibility decomposition.
const LETTERS: [std::ops::RangeInclusive<u32>; 4] =
    [0x20..=0x24f, 0x370..=0x52f, 0x1e00..=0x1fff, 0xfb00..=0xff5e];

#[tokio::test]
async fn fold_of_domain_equals_fold_of_the_database() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    let texts: Vec<String> = LETTERS
        .into_iter()
        .flatten()
        .filter_map(char::from_u32)
        .map(|letter| format!("a{letter}b"))
        .collect();
    let statement = "select passbook_read.search_text(text) from unnest($1::text[]) with ordinality as t (text, at) order by at";
    let rows = client.query(statement, &[&texts]).await.expect("the query runs");
    let differ: Vec<(&String, String, String)> = texts
        .iter()
        .zip(&rows)
        .map(|(text, row)| (text, fold(text), row.get::<_, String>(0)))
        .filter(|(_, ours, theirs)| ours != theirs)
        .collect();
    assert_eq!(differ, []);
}
