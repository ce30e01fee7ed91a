//! Unit tests of the budget summary.

use passbook_domain::category::ExpenseCategory;
use passbook_domain::ports::Target;
use passbook_domain::{Currency, Money};
use passbook_test_support::{InMemoryLedger, expense};
use serde_json::json;

use super::BudgetSummary;
use crate::harness::{cents, each, faults, rest, result, tool};

fn target(code: &str, amount_cents: i64, converted_cents: Option<i64>) -> Target {
    let currency = Currency::parse(code).expect("a code");
    Target::new(Money::new(amount_cents, currency), converted_cents)
}

fn ledger() -> InMemoryLedger {
    InMemoryLedger::new().with_rows([
        expense("2026-10-31", ExpenseCategory::Rent, 1_000),
        expense("2026-11-01", ExpenseCategory::Rent, 20),
        expense("2026-11-30", ExpenseCategory::Rent, 3),
        expense("2026-12-01", ExpenseCategory::Rent, 40_000),
        expense("2026-11-10", ExpenseCategory::Coffee, 7),
    ])
}

#[test]
fn categories_with_spending_or_a_target_are_listed_by_name() {
    let ledger = ledger()
        .with_target(ExpenseCategory::Rent, target("EUR", 500, Some(500)))
        .with_target(ExpenseCategory::Music, target("USD", 100, Some(90)));
    let result = result::<BudgetSummary>(ledger, &[]);
    assert_eq!(each(&result, "category"), ["COFFEE", "MUSIC", "RENT"]);
    let totals: Vec<i64> = each(&result, "total").into_iter().map(cents).collect();
    assert_eq!(totals, [7, 0, 23]);
    assert!(result[0].get("target").is_none());
    assert_eq!((cents(&result[1]["target"]), cents(&result[2]["target"])), (90, 500));
}

#[test]
fn target_without_a_rate_is_reported_as_unconverted_without_a_count() {
    let ledger = InMemoryLedger::new().with_target(ExpenseCategory::Music, target("JPY", 1_000, None));
    let result = result::<BudgetSummary>(ledger, &[]);
    assert!(result[0].get("target").is_none());
    assert_eq!(result[0]["unconverted"], json!([{ "currency": "JPY", "amount_cents": 1_000 }]));
}

#[test]
fn month_and_year_default_to_the_current_ones() {
    for (parameters, rent) in [
        (&[][..], 23),
        (&[("month", "10")], 1_000),
        (&[("month", "12"), ("year", "2026")], 40_000),
        (&[("year", "2026")], 23),
    ] {
        let result = result::<BudgetSummary>(ledger(), parameters);
        let rent_row = result.as_array().and_then(|rows| rows.iter().find(|row| row["category"] == "RENT"));
        assert_eq!(rent_row.map(|row| cents(&row["total"])), Some(rent), "{parameters:?}");
    }
    assert_eq!(result::<BudgetSummary>(ledger(), &[("year", "2025")]), json!([]));
}

#[test]
fn month_and_year_have_limits() {
    for (name, value, valid) in [
        ("month", "0", false),
        ("month", "1", true),
        ("month", "12", true),
        ("month", "13", false),
        ("year", "1899", false),
        ("year", "1900", true),
        ("year", "2200", true),
        ("year", "2201", false),
    ] {
        let result = rest::<BudgetSummary>(InMemoryLedger::new(), &[(name, value)]);
        assert_eq!(result.is_ok(), valid, "{name} {value}");
        if !valid {
            assert!(faults(result)[0].starts_with(name));
        }
    }
}

#[test]
fn excluded_category_is_left_out() {
    let result = result::<BudgetSummary>(ledger().with_excluded(ExpenseCategory::Rent), &[]);
    assert_eq!(each(&result, "category"), ["COFFEE"]);
}

#[test]
fn tool_names_the_month_and_the_excluded_categories() {
    let with_excluded = || ledger().with_excluded(ExpenseCategory::Coffee);
    let summary = tool::<BudgetSummary>(with_excluded(), &json!({ "month": 10 })).expect("a summary");
    assert_eq!((&summary["month"], &summary["year"]), (&json!(10), &json!(2026)));
    assert_eq!(summary["excludedCategories"], json!(["COFFEE"]));
    assert_eq!(each(&summary["budgets"], "category"), ["RENT"]);
    assert!(result::<BudgetSummary>(with_excluded(), &[]).is_array());
}
