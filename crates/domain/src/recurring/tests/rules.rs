//! One test for each rule of the detection.

use jiff::ToSpan as _;

use super::*;
use crate::recurring::RecurringPaymentWithTransactions;

#[test]
fn example_of_the_api_contract() {
    let mut payments = monthly("Netflix", date("2024-12-03"), 8, 1_499);
    payments.extend(monthly("Netflix", date("2025-08-03"), 16, 1_599));
    let found = found(&payments, "2026-11-21");
    let [DetectedPayment { payment, transaction_ids, converted_cents, .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(*converted_cents, Some(1_599));
    let with_transactions = RecurringPaymentWithTransactions {
        payment: payment.clone(),
        transaction_ids: transaction_ids.clone(),
    };
    let shown = serde_json::to_value(with_transactions).expect("plain data");
    let newest: Vec<Uuid> = payments.iter().rev().take(12).map(|payment| payment.id).collect();
    let expected = serde_json::json!({
        "id": payment.id, "type": "EXPENSE", "merchant_name": "Netflix", "category": "SUBSCRIPTIONS",
        "cadence": "MONTHLY", "status": "ACTIVE", "amount_cents": 1599, "currency": "EUR", "last_amount_cents": 1599,
        "previous_amount_cents": 1499, "amount_changed_on": "2025-08-03", "average_amount_cents": 1566, "min_amount_cents": 1499, "max_amount_cents": 1599, "amount_varies": false,
        "first_date": "2024-12-03", "last_date": "2026-11-03", "next_expected_date": "2026-12-03",
        "occurrence_count": 24, "missed_count": 0, "confidence": 0.99,
        "reason": "24 payments, 23 of 23 gaps 28-31 days, amount within 7%", "account_name": "Checking",
        "transaction_ids": newest
    });
    assert_eq!(shown, expected);
}

#[test]
fn monthly_status_goes_from_active_to_overdue_to_ended() {
    let payments = monthly("Gym", date("2026-01-10"), 8, 3_490);
    for (as_of, line) in [
        ("2026-08-10", "MONTHLY ACTIVE 3490 2026-09-10"),
        ("2026-09-10", "MONTHLY ACTIVE 3490 2026-09-10"),
        ("2026-09-14", "MONTHLY ACTIVE 3490 2026-09-10"),
        ("2026-09-15", "MONTHLY OVERDUE 3490 2026-09-10"),
        ("2026-10-14", "MONTHLY OVERDUE 3490 2026-09-10"),
        ("2026-10-15", "MONTHLY ENDED 3490 -"),
    ] {
        assert_eq!(lines(&payments, as_of), [line], "{as_of}");
    }
    let missed = |as_of| found(&payments, as_of)[0].payment.missed_count;
    assert_eq!([missed("2026-09-14"), missed("2026-09-15"), missed("2026-10-15")], [0, 1, 0]);
    // A payment that is late is not due again.
    for (as_of, due) in [("2026-09-10", &["2026-09-10", "2026-10-10"][..]), ("2026-09-11", &["2026-10-10"])] {
        let found = found(&payments, as_of);
        let days = found[0].due_days(date(as_of), date("2026-10-31"));
        assert_eq!(days.map(|day| day.to_string()).collect::<Vec<_>>(), due, "{as_of}");
    }
}

#[test]
fn usual_lateness_lengthens_the_time_until_a_payment_is_overdue() {
    let late = [2, 5, 8];
    let mut payments = monthly("Gym", date("2026-01-14"), 10, 3_490);
    for month in late {
        payments[month].date = payments[month].date.saturating_add(3.days());
    }
    for (as_of, status) in [("2026-11-18", "ACTIVE"), ("2026-11-21", "ACTIVE"), ("2026-11-22", "OVERDUE")] {
        assert_eq!(lines(&payments, as_of), [format!("MONTHLY {status} 3490 2026-11-14")], "{as_of}");
    }
}

#[test]
fn annual_payment_ends_92_days_after_missing_payment() {
    let payments = [paid("ADAC", date("2024-03-01"), 5_400), paid("ADAC", date("2025-03-01"), 5_400)]
        .map(|payment| Payment { category: Category::Expense(ExpenseCategory::Insurance), ..payment });
    assert_eq!(lines(&payments, "2026-03-05"), ["ANNUALLY ACTIVE 5400 2026-03-01"]);
    assert_eq!(lines(&payments, "2026-03-06"), ["ANNUALLY OVERDUE 5400 2026-03-01"]);
    assert_eq!(lines(&payments, "2026-06-06"), ["ANNUALLY ENDED 5400 -"]);
}

#[test]
fn missing_payment_is_counted_and_stream_continues() {
    let mut payments = monthly("Gym", date("2025-11-10"), 12, 3_490);
    payments.remove(4);
    let found = found(&payments, "2026-10-20");
    assert_eq!(lines(&payments, "2026-10-20"), ["MONTHLY ACTIVE 3490 2026-11-10"]);
    assert_eq!((found[0].payment.occurrence_count, found[0].payment.missed_count), (11, 1));
    assert_eq!(found[0].payment.reason, "11 payments, 9 of 10 gaps 30-31 days, always the same amount");
}

#[test]
fn two_subscriptions_at_one_merchant_are_two_streams() {
    let mut payments = monthly("Apple", date("2025-11-05"), 13, 299);
    payments.extend(monthly("Apple", date("2025-11-19"), 13, 1_099));
    assert_eq!(
        lines(&payments, "2026-11-20"),
        ["MONTHLY ACTIVE 299 2026-12-05", "MONTHLY ACTIVE 1099 2026-12-19"]
    );
    let ids: Vec<Uuid> = found(&payments, "2026-11-20").iter().map(|found| found.payment.id).collect();
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn payments_in_two_currencies_are_two_streams() {
    let mut payments = monthly("Steam", date("2026-01-05"), 10, 999);
    let dollar = Currency::parse("USD").expect("a currency");
    let dollars = monthly("Steam", date("2026-01-20"), 10, 999).into_iter();
    payments.extend(dollars.map(|payment| Payment { currency: dollar, ..payment }));
    assert_eq!(
        lines(&payments, "2026-10-25"),
        ["MONTHLY ACTIVE 999 2026-11-05", "MONTHLY ACTIVE 999 2026-11-20"]
    );
    let currencies = found(&payments, "2026-10-25").into_iter().map(|found| found.payment.currency);
    assert_eq!(currencies.collect::<Vec<_>>(), [Currency::EUR, dollar]);
}

#[test]
fn payments_are_listed_by_status_then_next_due_date_then_last_date() {
    let mut payments = Vec::new();
    for (name, first, months) in [
        ("A later", "2026-01-25", 10),
        ("B sooner", "2026-01-22", 10),
        ("C overdue", "2026-01-10", 10),
        ("D ended long ago", "2025-06-03", 8),
        ("E ended of late", "2025-10-03", 8),
    ] {
        payments.extend(monthly(name, date(first), months, 999));
    }
    let names = found(&payments, "2026-11-20").into_iter().map(|found| found.payment.merchant_name);
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["B sooner", "A later", "C overdue", "E ended of late", "D ended long ago"]
    );
}

#[test]
fn subscription_is_found_among_purchases_at_same_merchant() {
    let mut payments = monthly("Amazon", date("2025-11-12"), 13, 899);
    let orders =
        [(3, 4_290), (9, 1_249), (25, 8_900), (26, 659), (61, 2_310), (80, 1_799), (84, 12_900), (150, 920)];
    payments.extend(orders.map(|(day, cents)| paid("Amazon", date("2025-11-01") + day.days(), cents)));
    assert_eq!(lines(&payments, "2026-11-20"), ["MONTHLY ACTIVE 899 2026-12-12"]);
    assert_eq!(found(&payments, "2026-11-20")[0].payment.occurrence_count, 13);
}

#[test]
fn first_payment_at_new_price_continues_stream_among_purchases() {
    let mut payments = monthly("Amazon", date("2025-10-12"), 13, 899);
    payments.push(paid("Amazon", date("2026-11-12"), 999));
    payments.extend(
        [(5, 4_290), (9, 1_249), (300, 8_900)]
            .map(|(day, cents)| paid("Amazon", date("2025-11-01") + day.days(), cents)),
    );
    assert_eq!(lines(&payments, "2026-11-20"), ["MONTHLY ACTIVE 999 2026-12-12"]);
}

#[test]
fn habits_cash_withdrawals_and_refunds_are_not_recurring() {
    let eaten = |merchant: &str, days: &[i64], cents: &[i64]| -> Vec<Payment> {
        let mut day = date("2026-03-01");
        let payments = days.iter().zip(cents.iter().cycle()).map(|(later, cents)| {
            day += later.days();
            let category = Category::Expense(ExpenseCategory::Restaurant);
            Payment { category, ..paid(merchant, day, *cents) }
        });
        payments.collect()
    };
    let coffee = eaten("Café", &[1, 1, 2, 1, 3, 1, 1, 1, 4, 2, 1, 1, 3, 1, 2], &[390]);
    let pizza = eaten("Pizza", &[7, 7, 14, 7, 7, 7, 21, 7, 14, 7, 7, 7], &[1_450, 1_650, 1_450, 2_200]);
    let barber = eaten("Barber", &[22, 41, 30, 25, 44, 35, 20], &[2_800]);
    for habit in [coffee, pizza, barber] {
        assert_eq!(lines(&habit, "2026-10-30"), [""; 0], "{}", habit[0].title);
    }
    let never =
        [Category::Expense(ExpenseCategory::CashWithdrawal), Category::Income(IncomeCategory::Refund)];
    for category in never {
        let payments = monthly("ATM", date("2026-01-18"), 10, 6_000).into_iter();
        let payments: Vec<Payment> = payments.map(|row| Payment { category, ..row }).collect();
        assert_eq!(lines(&payments, "2026-10-30"), [""; 0], "{category:?} is never recurring");
    }
}

#[test]
fn merchant_name_that_appears_later_does_not_split_stream() {
    let payments: Vec<Payment> = monthly("Con Edison", date("2026-01-08"), 10, 8_000)
        .into_iter()
        .enumerate()
        .map(|(at, payment)| Payment {
            title: format!("CON ED OF NY CK {at:06}"),
            merchant_name: payment.merchant_name.filter(|_| at >= 5),
            ..payment
        })
        .collect();
    assert_eq!(lines(&payments, "2026-10-20"), ["MONTHLY ACTIVE 8000 2026-11-08"]);
    assert_eq!(found(&payments, "2026-10-20")[0].payment.occurrence_count, 10);
}

#[test]
fn energy_bill_amount_varies_and_median_of_six_is_expected() {
    let mut payments = monthly("Vattenfall", date("2026-01-04"), 8, 0);
    let amounts = [9_800, 9_100, 8_300, 6_600, 5_900, 5_200, 5_400, 6_100];
    for (payment, cents) in payments.iter_mut().zip(amounts) {
        payment.amount_cents = cents;
        payment.converted_cents = Some(cents * 2);
        payment.category = Category::Expense(ExpenseCategory::Energy);
    }
    // On this day the bill is the payment whose amount is nearer to the others.
    payments.push(Payment { category: payments[0].category, ..paid("Vattenfall", date("2026-03-04"), 500) });
    let DetectedPayment { payment: shown, converted_cents, .. } = found(&payments, "2026-08-20").remove(0);
    assert!(shown.amount_varies);
    assert_eq!((shown.previous_amount_cents, shown.amount_changed_on), (None, None));
    // The median of the last six amounts is the third smallest. It is converted like the payment that has this amount.
    assert_eq!((shown.amount_cents, shown.last_amount_cents), (5_900, 6_100));
    assert_eq!(converted_cents, Some(11_800));
    assert_eq!((shown.min_amount_cents, shown.max_amount_cents), (5_200, 9_800));
    assert_eq!(shown.average_amount_cents, 7_050);
}

#[test]
fn last_price_change_has_the_previous_amount_and_the_first_day_of_the_new_one() {
    let prices = |cents: [i64; 8]| {
        let mut payments = monthly("Gym", date("2026-01-10"), 8, 0);
        for (payment, cents) in payments.iter_mut().zip(cents) {
            payment.amount_cents = cents;
        }
        let shown = found(&payments, "2026-08-20").remove(0).payment;
        (shown.previous_amount_cents, shown.amount_changed_on)
    };
    assert_eq!(prices([3_490; 8]), (None, None));
    let raised = prices([3_490, 3_490, 3_490, 3_490, 3_490, 3_990, 3_990, 3_990]);
    assert_eq!(raised, (Some(3_490), Some(date("2026-06-10"))));
    let raised_twice = prices([2_990, 2_990, 2_990, 3_490, 3_490, 3_490, 3_990, 3_990]);
    assert_eq!(raised_twice, (Some(3_490), Some(date("2026-07-10"))));
    let within_one_percent = prices([10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_100]);
    assert_eq!(within_one_percent, (None, None));
}

#[test]
fn merchant_name_is_most_recent_spelling() {
    let mut payments = monthly("Spotify", date("2026-01-14"), 6, 1_099);
    payments[5].merchant_name = Some("  SPOTIFY ".to_owned());
    assert_eq!(found(&payments, "2026-06-20")[0].payment.merchant_name, "SPOTIFY");
    for payment in &mut payments {
        payment.merchant_name = None;
        payment.title = "DAUERAUFTRAG MIETE WHG 12".to_owned();
    }
    assert_eq!(found(&payments, "2026-06-20")[0].payment.merchant_name, "DAUERAUFTRAG MIETE WHG 12");
}

#[test]
fn category_is_of_equally_frequent_ones_the_last() {
    let mut payments = monthly("Spotify", date("2026-01-14"), 6, 1_099);
    let other = Category::Expense(ExpenseCategory::Hobby);
    payments[3..].iter_mut().for_each(|payment| payment.category = other);
    assert_eq!(found(&payments, "2026-06-20")[0].payment.category, other);
}
