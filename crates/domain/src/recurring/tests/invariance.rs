//! Properties of the detection on random rows: the result does not depend on the order of rows, other payees, accounts or
//! later rows; and the identifier of a stream stays the same while the stream continues.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use proptest::prelude::*;

use super::*;
use crate::recurring::WINDOW_MONTHS;

/// Generates random rows of a household: streams of a few payees, some payees with two streams, and purchases between
/// the payments.
fn rows() -> impl Strategy<Value = Vec<Payment>> {
    let stream =
        (0..4_usize, 0..3_usize, 0..60_i64, 3..14_i64, 200..9_000_i64, prop::collection::vec(-1..3_i64, 14));
    let purchase = (0..6_usize, 0..420_i64, 100..9_000_i64);
    let streams = prop::collection::vec(stream, 1..5);
    (streams, prop::collection::vec(purchase, 0..40)).prop_map(|(streams, purchases)| {
        let payees = ["Netflix", "Apple", "Amazon", "Gym", "REWE", "Kiosk"];
        let start = date("2025-09-01");
        let mut rows = Vec::new();
        for (payee, every, offset, count, cents, late) in streams {
            let days = [7, 14, 30][every];
            for (time, late) in (0..count).zip(late) {
                rows.push(paid(payees[payee], start + (offset + time * days + late).days(), cents));
            }
        }
        for (payee, day, cents) in purchases {
            rows.push(paid(payees[payee], start + day.days(), cents));
        }
        // Rows that are equal in all other fields have different identifiers.
        for (at, row) in rows.iter_mut().enumerate() {
            row.id = Uuid::from_u64_pair(9, u64::try_from(at).expect("few rows").wrapping_mul(0x9e37_79b9));
        }
        rows
    })
}

/// Returns the debug text of each recurring payment without its account, by the identifier of the recurring payment.
fn by_id(payments: &[Payment], as_of: Date) -> BTreeMap<Uuid, String> {
    let shown = |found: DetectedPayment| {
        let payment = super::super::RecurringPayment { account_name: None, ..found.payment };
        (payment.id, format!("{payment:?}"))
    };
    let found = found(payments, &as_of.to_string());
    let count = found.len();
    let by_id: BTreeMap<Uuid, String> = found.into_iter().map(shown).collect();
    assert_eq!(by_id.len(), count, "identifiers are unique");
    by_id
}

proptest! {
    #[test]
    fn result_does_not_depend_on_row_order(rows in rows(), seed in any::<u64>()) {
        let as_of = date("2026-10-20");
        let mut shuffled = rows.clone();
        shuffled.sort_by_key(|row| Uuid::new_v5(&row.id, &seed.to_be_bytes()));
        prop_assert_eq!(by_id(&rows, as_of), by_id(&shuffled, as_of));
    }

    #[test]
    fn result_does_not_depend_on_rows_of_other_payees(rows in rows(), days in prop::collection::vec(0..420_i64, 1..30)) {
        let as_of = date("2026-10-20");
        let before = by_id(&rows, as_of);
        let mut more = rows;
        more.extend(days.iter().map(|day| paid("Somebody else", date("2025-09-01") + day.days(), 777)));
        let after = by_id(&more, as_of);
        prop_assert!(before.iter().all(|(id, shown)| after.get(id) == Some(shown)));
    }

    #[test]
    fn result_does_not_depend_on_accounts(rows in rows(), cut in 0..420_i64) {
        let as_of = date("2026-10-20");
        let before = by_id(&rows, as_of);
        let replaced = date("2025-09-01") + cut.days();
        let split: Vec<Payment> = rows
            .into_iter()
            .map(|row| Payment { account_name: (row.date < replaced).then(|| "Old card".into()), ..row })
            .collect();
        prop_assert_eq!(before, by_id(&split, as_of));
    }

    #[test]
    fn rows_after_as_of_are_ignored(rows in rows(), day in 0..500_i64) {
        let as_of = date("2025-09-01") + day.days();
        let until: Vec<Payment> = rows.iter().filter(|row| row.date <= as_of).cloned().collect();
        prop_assert_eq!(by_id(&rows, as_of), by_id(&until, as_of));
    }

    #[test]
    fn fields_of_a_recurring_payment_are_consistent(rows in rows()) {
        for DetectedPayment { payment, transaction_ids, .. } in found(&rows, "2026-10-20") {
            let Payment { date, amount_cents, .. } =
                rows.iter().find(|row| row.id == transaction_ids[0]).expect("a row");
            prop_assert_eq!((payment.last_date, payment.last_amount_cents), (*date, *amount_cents));
            prop_assert_eq!(payment.previous_amount_cents.is_some(), payment.amount_changed_on.is_some());
            prop_assert!(payment.amount_changed_on.is_none_or(|day| payment.first_date < day && day <= payment.last_date));
            prop_assert!(payment.min_amount_cents <= payment.average_amount_cents);
            prop_assert!(payment.average_amount_cents <= payment.max_amount_cents);
            prop_assert!(payment.next_expected_date.is_none_or(|next| next > payment.last_date));
            prop_assert_eq!(payment.next_expected_date.is_none(), payment.status == super::super::RecurringStatus::Ended);
        }
    }
}

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
    payments[12].account_name = Some("New card".into());
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
