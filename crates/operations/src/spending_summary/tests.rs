//! Unit tests of the spending summary.

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_test_support::{InMemoryLedger, expense, income};
use serde_json::{Value, json};

use super::SpendingSummary;
use crate::harness::{cents, each, faults, rest, result};

fn spent(rows: &[(&str, i64)]) -> InMemoryLedger {
    let row = |(day, cents): &(&str, i64)| expense(day, ExpenseCategory::Groceries, *cents);
    InMemoryLedger::new().with_rows(rows.iter().map(row))
}

#[test]
fn refunds_reduce_net_spending_and_not_gross_spending() {
    let ledger = spent(&[("2026-11-01", 300)]).with_rows([
        income("2026-11-02", IncomeCategory::Refund, 400),
        income("2026-11-02", IncomeCategory::Salary, 9_999),
    ]);
    let summary = result::<SpendingSummary>(ledger, &[]);
    assert_eq!(cents(&summary["totalExpense"]), 300);
    assert_eq!(cents(&summary["totalRefunds"]), 400);
    assert_eq!(cents(&summary["netSpending"]), -100);
    assert_eq!(summary["transactionCount"], 1);
}

#[test]
fn average_per_day_counts_both_ends_and_rounds_half_away_from_zero() {
    for (last, total, average) in [("2026-11-02", 5, 3), ("2026-11-02", 4, 2), ("2026-11-03", 4, 1)] {
        let range = [("dateFrom", "2026-11-01"), ("dateTo", last)];
        let summary = result::<SpendingSummary>(spent(&[("2026-11-01", total)]), &range);
        assert_eq!(cents(&summary["averagePerDay"]), average, "{total} up to {last}");
    }
}

#[test]
fn open_range_starts_at_the_first_counted_row_and_ends_today_or_later() {
    // Today is 2026-11-21.
    let summary = result::<SpendingSummary>(spent(&[("2026-11-12", 100)]), &[]);
    assert_eq!(cents(&summary["averagePerDay"]), 10);
    let summary = result::<SpendingSummary>(spent(&[("2026-11-12", 50), ("2026-12-01", 50)]), &[]);
    assert_eq!(cents(&summary["averagePerDay"]), 5);
    assert_eq!(each(&summary["periods"], "period"), ["2026-11", "2026-12"]);
    assert!(summary.get("dateFrom").is_none() && summary.get("previousPeriod").is_none());
}

#[test]
fn range_without_rows_has_zero_totals_and_no_periods() {
    let summary = result::<SpendingSummary>(InMemoryLedger::new(), &[]);
    assert_eq!(cents(&summary["averagePerDay"]), 0);
    assert_eq!(summary["periods"], json!([]));
    let november = [("dateFrom", "2026-11-01"), ("dateTo", "2026-11-30")];
    let summary = result::<SpendingSummary>(InMemoryLedger::new(), &november);
    assert_eq!(cents(&summary["totalExpense"]), 0);
    assert_eq!(each(&summary["periods"], "transactionCount"), [0]);
    assert_eq!(cents(&summary["previousPeriod"]["totalExpense"]), 0);
    assert!(summary["previousPeriod"].get("changePercent").is_none());
}

#[test]
fn previous_period_has_the_same_number_of_days_directly_before() {
    let rows = [("2026-10-31", 7_000), ("2026-11-01", 100), ("2026-11-10", 200), ("2026-11-11", 200)];
    let range = [("dateFrom", "2026-11-11"), ("dateTo", "2026-11-20")];
    let previous = result::<SpendingSummary>(spent(&rows), &range)["previousPeriod"].clone();
    assert_eq!((&previous["dateFrom"], &previous["dateTo"]), (&json!("2026-11-01"), &json!("2026-11-10")));
    assert_eq!(cents(&previous["totalExpense"]), 300);
    assert_eq!(previous["changePercent"], -33.33);
}

#[test]
fn change_percent_has_two_decimals_rounded_half_away_from_zero() {
    for (before, now, percent) in
        [(100, 150, 50.0), (3, 5, 66.67), (20_000, 20_001, 0.01), (20_000, 19_999, -0.01), (100, 0, -100.0)]
    {
        let rows = [("2026-11-01", before), ("2026-11-02", now)];
        let range = [("dateFrom", "2026-11-02"), ("dateTo", "2026-11-02")];
        let summary = result::<SpendingSummary>(spent(&rows), &range);
        assert_eq!(summary["previousPeriod"]["changePercent"], percent, "{before} {now}");
    }
}

fn labels(group_by: &str, from: &str, to: &str) -> Vec<Value> {
    let parameters = [("groupBy", group_by), ("dateFrom", from), ("dateTo", to)];
    let summary = result::<SpendingSummary>(spent(&[("2026-11-04", 5)]), &parameters);
    let total: i64 = each(&summary["periods"], "totalExpense").into_iter().map(cents).sum();
    assert!(total == 5 || group_by == "none", "{summary}");
    let label = |period: &Value| json!([period["period"], period["dateFrom"], period["dateTo"]]);
    summary["periods"].as_array().expect("a list").iter().map(label).collect()
}

#[test]
fn periods_are_cut_to_the_range_and_empty_ones_are_listed() {
    assert_eq!(
        labels("month", "2026-10-30", "2026-11-04"),
        [json!(["2026-10", "2026-10-30", "2026-10-31"]), json!(["2026-11", "2026-11-01", "2026-11-04"])]
    );
    assert_eq!(
        labels("week", "2026-11-01", "2026-11-09"),
        [
            json!(["2026-W44", "2026-11-01", "2026-11-01"]),
            json!(["2026-W45", "2026-11-02", "2026-11-08"]),
            json!(["2026-W46", "2026-11-09", "2026-11-09"]),
        ]
    );
    assert_eq!(labels("day", "2026-11-03", "2026-11-04").len(), 2);
    assert_eq!(labels("none", "2026-11-03", "2026-11-04").len(), 0);
}

#[test]
fn periods_are_months_by_default() {
    let range = [("dateFrom", "2026-11-03"), ("dateTo", "2026-11-04")];
    let summary = result::<SpendingSummary>(InMemoryLedger::new(), &range);
    assert_eq!(each(&summary["periods"], "period"), ["2026-11"]);
}

#[test]
fn at_most_1200_periods_are_returned() {
    let days = |last| {
        let range = [("groupBy", "day"), ("dateFrom", "2020-01-01"), ("dateTo", last)];
        rest::<SpendingSummary>(InMemoryLedger::new(), &range)
    };
    let longest = days("2023-04-14").expect("1,200 days");
    assert_eq!(longest["periods"].as_array().map(Vec::len), Some(1_200));
    let rejected = faults(days("2023-04-15"));
    assert!(
        rejected[0].starts_with("groupBy would cut this range into more than 1200 periods"),
        "{rejected:?}"
    );
}

#[test]
fn excluded_categories_are_named_only_if_they_were_left_out() {
    let ledger = || InMemoryLedger::new().with_excluded(ExpenseCategory::Vacation);
    let summary = result::<SpendingSummary>(ledger(), &[]);
    assert_eq!(summary["excludedCategories"], json!(["VACATION"]));
    let summary = result::<SpendingSummary>(ledger(), &[("includeExcluded", "true")]);
    assert_eq!(summary["excludedCategories"], json!([]));
}

#[test]
fn expenses_and_refunds_without_a_rate_are_reported_apart() {
    let ledger = InMemoryLedger::new().with_rows([
        expense("2026-11-01", ExpenseCategory::Books, 300).currency("JPY"),
        income("2026-11-01", IncomeCategory::Refund, 100).currency("JPY"),
    ]);
    let summary = result::<SpendingSummary>(ledger, &[]);
    assert_eq!(each(&summary["unconverted"], "type"), ["EXPENSE", "INCOME"]);
    assert_eq!(each(&summary["unconverted"], "amount_cents"), [300, 100]);
    assert_eq!(each(&summary["periods"][0]["unconverted"], "amount_cents"), [300]);
    assert_eq!(summary["transactionCount"], 0);
}
