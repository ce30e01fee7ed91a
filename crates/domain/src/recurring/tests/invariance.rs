//! Properties of the detection on random rows: the result does not depend on the order of rows, other payees, accounts
//! or later rows.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use proptest::prelude::*;

use super::*;

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
            .map(|row| Payment { account_name: (row.date < replaced).then(|| "Old card".to_owned()), ..row })
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
