//! Tests that the identifier of a stream stays the same while the stream continues.

use jiff::ToSpan as _;

use super::*;
use crate::recurring::WINDOW_MONTHS;

#[test]
fn identifier_is_stable_while_stream_lives() {
    let mut payments = monthly("Netflix", date("2025-01-29"), 9, 1_299);
    let id = |payments: &[Payment], as_of: &str| {
        let found = found(payments, as_of);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].payment.id
    };
    let first = id(&payments, "2025-10-10");
    // Changes: time passes, the price rises twice, the card is replaced, the spelling changes, a payment is late, and
    // the first rows leave the window.
    payments.extend(monthly("NETFLIX", date("2025-10-29"), 5, 1_399));
    payments.extend(monthly("Netflix", date("2026-03-31"), 7, 1_599));
    payments[12].account_name = Some("New card".to_owned());
    assert_eq!(id(&payments, "2026-09-30"), first);
    assert_eq!(id(&payments[5..], "2026-09-30"), first);
    // Another payee has another identifier.
    let other = monthly("Hulu", date("2025-01-29"), 9, 1_299);
    assert_ne!(id(&other, "2025-10-10"), first);
}

#[test]
fn resumed_stream_gets_identifier_of_ended_stream() {
    let ended = monthly("Netflix", date("2025-01-03"), 6, 1_299);
    let mut payments = ended.clone();
    payments.extend(monthly("Netflix", date("2026-04-17"), 7, 1_599));
    let alone = found(&ended, "2025-06-10")[0].payment.id;
    let now = found(&payments, "2026-10-20");
    let alive: Vec<Uuid> = now
        .iter()
        .filter(|found| found.payment.next_expected_date.is_some())
        .map(|found| found.payment.id)
        .collect();
    assert_eq!(alive, [alone], "{now:?}");
}

/// Returns the identifiers of the stream whose last amount is one of `cents`, detected on the 22nd of each month of
/// 2025 and 2026. Each detection gets only the rows that a request on that day would read. Months without such a stream
/// are left out.
fn month_by_month(payments: &[Payment], cents: &[i64]) -> Vec<Uuid> {
    let days = (0..24).map(|month| date("2025-01-22") + month.months());
    let ids = days.filter_map(|as_of| {
        let seen = |row: &&Payment| row.date > as_of - WINDOW_MONTHS.months();
        let rows: Vec<Payment> = payments.iter().filter(seen).cloned().collect();
        let found = found(&rows, &as_of.to_string());
        let mut one = found.iter().filter(|found| cents.contains(&found.payment.last_amount_cents));
        Some(one.next()?.payment.id)
    });
    ids.collect()
}

/// Returns the number of identifiers after consecutive duplicates are removed: 1 if the identifier never changes.
fn distinct(mut ids: Vec<Uuid>) -> usize {
    ids.dedup();
    ids.len()
}

#[test]
fn second_subscription_does_not_change_identifiers() {
    // The first subscription runs from June 2022 to June 2026, the second from May 2025 on.
    let mut payments = monthly("Apple", date("2022-06-05"), 49, 299);
    payments.extend(monthly("Apple", date("2025-05-19"), 20, 1_099));
    let (first, second) = (month_by_month(&payments, &[299]), month_by_month(&payments, &[1_099]));
    assert_eq!((first.len(), distinct(first.clone())), (24, 1));
    assert_eq!((second.len(), distinct(second.clone())), (18, 1));
    assert_ne!(first[0], second[0]);
}

#[test]
fn streams_that_began_before_the_window_keep_identifiers() {
    let mut payments = monthly("Apple", date("2022-06-05"), 55, 299);
    payments.extend(monthly("Apple", date("2022-06-19"), 55, 1_099));
    for cents in [299, 1_099] {
        let ids = month_by_month(&payments, &[cents]);
        assert_eq!((ids.len(), distinct(ids)), (24, 1), "{cents}");
    }
}

#[test]
fn annual_streams_on_same_day_of_different_months_have_stable_identifiers() {
    let policy = |first: &str, cents: [i64; 4]| -> Vec<Payment> {
        let first = date(first);
        let years = cents.iter().zip(0..);
        let row = |(cents, year): (&i64, i32)| Payment {
            category: Category::Expense(ExpenseCategory::Insurance),
            ..paid("HUK-COBURG", first + year.years(), *cents)
        };
        years.map(row).collect()
    };
    // The car policy costs more at first, and the home policy costs more at the end. The order of amounts must not
    // matter.
    let (car, home) = ([33_000; 4], [30_000, 30_000, 30_000, 36_000]);
    let mut payments = policy("2023-01-01", car);
    payments.extend(policy("2023-04-01", home));
    for cents in [car, home] {
        let ids = month_by_month(&payments, &cents);
        assert!(ids.len() >= 18, "{ids:?}");
        assert_eq!(distinct(ids), 1, "{cents:?}");
    }
}
