//! Everyday examples: recurring payments, and habits that only look like them.

use jiff::ToSpan as _;

use super::*;
use crate::category::IncomeCategory;

/// Creates a payment on day `first` and one after each gap; `gaps` are in days. The amounts in `cents` are used in
/// rotation.
fn after(merchant: &str, first: &str, gaps: &[i64], cents: &[i64]) -> Vec<Payment> {
    let mut day = date(first);
    let mut rows = vec![paid(merchant, day, cents[0])];
    for (gap, cents) in gaps.iter().zip(cents.iter().cycle().skip(1)) {
        day += gap.days();
        rows.push(paid(merchant, day, *cents));
    }
    rows
}

fn earned(dates: &[&str]) -> Vec<Payment> {
    let row = |day: &&str| Payment {
        transaction_type: TransactionType::Income,
        category: Category::Income(IncomeCategory::Salary),
        ..paid("Acme", date(day), 312_000)
    };
    dates.iter().map(row).collect()
}

#[test]
fn weekly_shopping_is_not_recurring() {
    let amounts = [8_213, 6_450, 9_911, 7_290, 5_544, 12_030, 8_800, 7_715, 10_340, 6_905, 9_120];
    let weekly = [7; 40];
    let early_or_late = [7, 6, 8, 7, 7, 8, 6, 7, 7, 6, 8, 7, 7, 7, 8, 6, 7, 7, 7, 8, 6];
    for gaps in [&weekly[..], &early_or_late] {
        let rows = of_category(after("REWE", "2025-11-01", gaps, &amounts), ExpenseCategory::Groceries);
        assert_eq!(lines(&rows, "2026-08-10"), [""; 0]);
    }
}

#[test]
fn weekly_fixed_price_is_recurring_for_groceries_but_not_for_restaurants() {
    let fridays = |category| of_category(after("Roma", "2025-11-07", &[7; 40], &[1_450]), category);
    assert_eq!(lines(&fridays(ExpenseCategory::Restaurant), "2026-08-16"), [""; 0]);
    assert_eq!(lines(&fridays(ExpenseCategory::Groceries), "2026-08-16"), ["WEEKLY ACTIVE 1450 2026-08-21"]);
}

#[test]
fn salary_on_last_banking_day_is_due_at_end_of_month() {
    let mut salary =
        earned(&["2025-11-28", "2025-12-31", "2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30"]);
    assert_eq!(lines(&salary, "2026-05-10"), ["MONTHLY ACTIVE 312000 2026-05-31"]);
    // An additional Christmas salary.
    salary.extend(earned(&["2025-12-12"]));
    assert_eq!(lines(&salary, "2026-05-10"), ["MONTHLY ACTIVE 312000 2026-05-31"]);
    let twice = ["2026-01-15", "2026-01-30", "2026-02-13", "2026-02-27", "2026-03-13", "2026-03-31"];
    assert_eq!(lines(&earned(&twice), "2026-04-05"), ["SEMI_MONTHLY ACTIVE 312000 2026-04-15"]);
}

#[test]
fn largest_income_may_be_overdue_but_not_have_ended() {
    let salary =
        earned(&["2026-01-25", "2026-02-25", "2026-03-25", "2026-04-25", "2026-05-25", "2026-06-25"]);
    for (as_of, status) in [
        ("2026-07-01", RecurringStatus::Active),
        ("2026-08-10", RecurringStatus::Overdue),
        ("2026-12-01", RecurringStatus::Ended),
    ] {
        let found = found(&salary, as_of);
        assert_eq!(found[0].payment.status, status, "{as_of}");
        let largest = largest_income(&found).expect("the amounts are small");
        assert_eq!(largest.is_some(), status != RecurringStatus::Ended, "{as_of}");
    }
    // A bonus of a quarter exceeds the salary of a month, but not per month.
    let mut both = earned(&["2025-09-30", "2025-12-31", "2026-03-31", "2026-06-30"]);
    for bonus in &mut both {
        (bonus.merchant_name, bonus.converted_cents) = (Some("Bonus".to_owned()), Some(600_000));
    }
    both.extend(salary);
    let both = found(&both, "2026-07-01");
    let largest = largest_income(&both).expect("the amounts are small").expect("a salary");
    assert_eq!((both.len(), largest.merchant_name.as_str()), (2, "Acme"));
    let mut fees = earned(&["2026-03-10", "2026-09-04"]);
    fees.iter_mut().for_each(|fee| fee.category = Category::Income(IncomeCategory::Freelance));
    fees[1].amount_cents = 400_000;
    let unlikely = found(&fees, "2026-11-21");
    assert!(!unlikely.is_empty());
    assert_eq!(largest_income(&unlikely).expect("the amounts are small"), None);
}

#[test]
fn payments_without_a_day_of_the_month_end_two_periods_after_the_last() {
    // Every 34 days: no day of the month fits, so the period decides both due days.
    let rows = after("Gym", "2025-07-15", &[34; 5], &[2_500]);
    assert_eq!(found(&rows, "2026-03-06")[0].payment.status, RecurringStatus::Overdue);
    assert_eq!(found(&rows, "2026-03-07")[0].payment.status, RecurringStatus::Ended);
}

#[test]
fn rent_with_changing_amount_and_late_payments_is_monthly() {
    let gaps = [31, 30, 33, 28, 31, 34, 27, 31, 30, 31, 30, 31];
    let rows = after("Landlord", "2025-01-02", &gaps, &[95_000, 95_000, 97_500, 101_200]);
    assert_eq!(
        lines(&of_category(rows, ExpenseCategory::Rent), "2026-01-10"),
        ["MONTHLY ACTIVE 95000 2026-02-04"]
    );
}

#[test]
fn quarterly_semi_annual_and_annual_bills_are_detected() {
    let rows = after("Wasser", "2025-02-15", &[89, 92, 92, 92, 90, 89], &[5_400, 5_400, 5_900]);
    let found = lines(&of_category(rows, ExpenseCategory::Water), "2026-10-01");
    assert_eq!(found, ["QUARTERLY ACTIVE 5400 2026-11-15"]);
    let rows = after("Allianz", "2024-11-14", &[181, 184, 181], &[31_000, 31_000, 33_900]);
    let found = lines(&of_category(rows, ExpenseCategory::Insurance), "2026-07-01");
    assert_eq!(found, ["SEMI_ANNUALLY ACTIVE 31000 2026-11-14"]);
    let rows = after("Allianz", "2025-02-14", &[367], &[31_000, 33_900]);
    let found = lines(&of_category(rows, ExpenseCategory::Insurance), "2026-11-20");
    assert_eq!(found, ["ANNUALLY ACTIVE 33900 2027-02-14"]);
    for category in [ExpenseCategory::Lodging, ExpenseCategory::Clothing, ExpenseCategory::Restaurant] {
        let rows = after("Adler", "2025-02-14", &[365], &[13_100]);
        assert_eq!(
            lines(&of_category(rows, category), "2026-11-20"),
            [""; 0],
            "two purchases a year apart are chance"
        );
    }
}

#[test]
fn due_day_of_month_is_restored_after_february() {
    for (first, next) in
        [("2025-01-31", "2026-03-31"), ("2025-01-30", "2026-03-30"), ("2025-01-29", "2026-03-29")]
    {
        let rows = monthly("Gym", date(first), 14, 3_000);
        assert_eq!(lines(&rows, "2026-03-01"), [format!("MONTHLY ACTIVE 3000 {next}")], "{first}");
    }
    let rows = monthly("Gym", date("2025-01-31"), 20, 3_000);
    assert_eq!(lines(&rows, "2026-09-01"), ["MONTHLY ACTIVE 3000 2026-09-30"]);
    let yearly = ["2024-02-29", "2025-02-28"].map(|day| paid("ADAC", date(day), 5_400));
    let yearly = of_category(yearly.to_vec(), ExpenseCategory::Insurance);
    assert_eq!(lines(&yearly, "2025-11-20"), ["ANNUALLY ACTIVE 5400 2026-02-28"]);
}

#[test]
fn subscriptions_at_one_merchant_are_separated_by_price_or_due_day() {
    for (day, cents, expected) in [
        ("2025-11-05", 1_799, ["MONTHLY ACTIVE 1299 2026-12-05", "MONTHLY ACTIVE 1799 2026-12-05"]),
        ("2025-11-07", 1_799, ["MONTHLY ACTIVE 1299 2026-12-05", "MONTHLY ACTIVE 1799 2026-12-07"]),
        ("2025-11-15", 1_299, ["MONTHLY ACTIVE 1299 2026-12-05", "MONTHLY ACTIVE 1299 2026-12-15"]),
        ("2025-11-29", 1_299, ["MONTHLY ACTIVE 1299 2026-11-29", "MONTHLY ACTIVE 1299 2026-12-05"]),
    ] {
        let mut rows = monthly("Netflix", date("2025-11-05"), 13, 1_299);
        rows.extend(monthly("Netflix", date(day), 12 + i32::from(day < "2025-11-20"), cents));
        let mut found = lines(&rows, "2026-11-20");
        found.sort();
        assert_eq!(found, expected, "{day} {cents}");
    }
    // One of them is paid at the end of a month or on the first day of the next.
    let mut rows = monthly("Netflix", date("2025-11-10"), 13, 1_299);
    rows.extend(after("Netflix", "2025-12-01", &[31, 30, 28, 32, 30, 30, 30, 32, 31, 29, 31], &[1_299]));
    let expected = ["MONTHLY ACTIVE 1299 2026-12-01", "MONTHLY ACTIVE 1299 2026-12-10"];
    assert_eq!(lines(&rows, "2026-11-11"), expected);
}

#[test]
fn annual_policies_three_months_apart_are_not_quarterly() {
    let policies =
        [("2025-01-01", 33_000), ("2025-04-01", 30_000), ("2026-01-01", 33_000), ("2026-04-01", 36_000)];
    let rows = policies.map(|(day, cents)| paid("HUK-COBURG", date(day), cents));
    let found = lines(&of_category(rows.to_vec(), ExpenseCategory::Insurance), "2026-05-22");
    assert_eq!(found, ["ANNUALLY ACTIVE 33000 2027-01-01", "ANNUALLY ACTIVE 36000 2027-04-01"]);
}

#[test]
fn trial_price_and_tripled_price_belong_to_one_stream() {
    let mut rows = monthly("Tool", date("2025-11-03"), 6, 999);
    rows.extend(monthly("Tool", date("2026-05-03"), 6, 2_999));
    rows.push(paid("Tool", date("2025-10-03"), 100));
    let found = found(&rows, "2026-10-20");
    assert_eq!((found.len(), found[0].payment.occurrence_count), (1, 13));
    assert!(!found[0].payment.amount_varies, "a price that changed twice does not vary");
}
