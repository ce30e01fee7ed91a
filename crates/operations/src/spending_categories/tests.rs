//! Unit tests of spending by category.

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_test_support::{InMemoryLedger, expense, income};
use serde_json::{Value, json};

use super::SpendingCategories;
use crate::harness::{cents, each, faults, result, tool};

fn spent(rows: &[(ExpenseCategory, i64)]) -> InMemoryLedger {
    let row = |(category, cents): &(ExpenseCategory, i64)| expense("2026-11-01", *category, *cents);
    InMemoryLedger::new().with_rows(rows.iter().map(row))
}

fn shares(rows: &[(ExpenseCategory, i64)]) -> Vec<Value> {
    let result = result::<SpendingCategories>(spent(rows), &[]);
    each(&result["categories"], "percentOfTotal").into_iter().cloned().collect()
}

#[test]
fn shares_add_up_to_exactly_one_hundred() {
    use ExpenseCategory::{Books, Coffee, Rent};
    assert_eq!(shares(&[(Rent, 1), (Books, 1), (Coffee, 1)]), [33.34, 33.33, 33.33]);
    // The largest remainder gets the missing hundredth: 66.666…, 16.666… and 16.666….
    assert_eq!(shares(&[(Rent, 4), (Books, 1), (Coffee, 1)]), [66.67, 16.67, 16.66]);
    assert_eq!(shares(&[(Rent, 99_999), (Books, 1)]), [100.0, 0.0]);
}

#[test]
fn categories_are_sorted_by_spending_and_then_by_name() {
    use ExpenseCategory::{Books, Coffee, Rent};
    let result = result::<SpendingCategories>(spent(&[(Rent, 5), (Coffee, 5), (Books, 9), (Rent, 0)]), &[]);
    assert_eq!(each(&result["categories"], "category"), ["BOOKS", "COFFEE", "RENT"]);
    assert_eq!(each(&result["categories"], "group"), ["LEISURE", "FOOD", "HOUSING"]);
    assert_eq!(each(&result["categories"], "transactionCount"), [1, 1, 2]);
    assert_eq!(cents(&result["totalExpense"]), 19);
    assert_eq!(cents(&result["uncategorizedTotal"]), 0);
}

#[test]
fn uncategorized_spending_is_an_entry_and_a_total() {
    let result = result::<SpendingCategories>(spent(&[(ExpenseCategory::Uncategorized, 7)]), &[]);
    assert_eq!(cents(&result["uncategorizedTotal"]), 7);
    assert_eq!(each(&result["categories"], "category"), ["UNCATEGORIZED"]);
}

#[test]
fn refunds_belong_to_the_category_of_the_purchase() {
    let ledger = InMemoryLedger::new().with_rows([
        expense("2026-11-01", ExpenseCategory::Clothing, 100).id(1),
        expense("2026-09-01", ExpenseCategory::Electronics, 500).id(2),
        income("2026-11-02", IncomeCategory::Refund, 40).refund_of(1),
        income("2026-11-03", IncomeCategory::Refund, 500).refund_of(2),
        income("2026-11-03", IncomeCategory::Refund, 3),
    ]);
    let result = result::<SpendingCategories>(ledger, &[("dateFrom", "2026-11-01")]);
    let [clothing, electronics] = &result["categories"].as_array().expect("a list")[..] else {
        panic!("two categories: {result}")
    };
    assert_eq!((cents(&clothing["total"]), cents(&clothing["refunds"])), (100, 40));
    // The purchase is before the range, so only its refund is listed.
    assert_eq!((cents(&electronics["total"]), cents(&electronics["refunds"])), (0, 500));
    assert_eq!(electronics["percentOfTotal"], 0.0);
    assert_eq!(cents(&result["totalExpense"]), 100);
}

#[test]
fn category_without_refunds_has_no_member_for_them() {
    let result = result::<SpendingCategories>(spent(&[(ExpenseCategory::Rent, 1)]), &[]);
    assert!(result["categories"][0].get("refunds").is_none());
}

#[test]
fn range_without_rows_has_no_categories() {
    let result = result::<SpendingCategories>(InMemoryLedger::new(), &[]);
    assert_eq!(result["categories"], json!([]));
    assert_eq!(cents(&result["totalExpense"]), 0);
}

#[test]
fn excluded_category_is_left_out_unless_included() {
    let ledger = || {
        let rows = [(ExpenseCategory::Vacation, 100), (ExpenseCategory::Rent, 300)];
        spent(&rows).with_excluded(ExpenseCategory::Vacation)
    };
    let left_out = result::<SpendingCategories>(ledger(), &[]);
    assert_eq!(each(&left_out["categories"], "category"), ["RENT"]);
    assert_eq!(left_out["excludedCategories"], json!(["VACATION"]));
    let included = result::<SpendingCategories>(ledger(), &[("includeExcluded", "true")]);
    assert_eq!(each(&included["categories"], "percentOfTotal"), [75.0, 25.0]);
    assert_eq!(included["excludedCategories"], json!([]));
}

#[test]
fn spending_and_refunds_without_a_rate_are_reported_apart() {
    let ledger = InMemoryLedger::new().with_rows([
        expense("2026-11-01", ExpenseCategory::Books, 300).currency("JPY").id(1),
        income("2026-11-01", IncomeCategory::Refund, 100).currency("JPY").refund_of(1),
    ]);
    let result = result::<SpendingCategories>(ledger, &[]);
    for unconverted in [&result["unconverted"], &result["categories"][0]["unconverted"]] {
        assert_eq!(each(unconverted, "type"), ["EXPENSE", "INCOME"]);
        assert_eq!(each(unconverted, "amount_cents"), [300, 100]);
    }
    assert!(result["categories"][0].get("refunds").is_none());
}

#[test]
fn months_of_every_category_are_the_same_and_add_up() {
    let ledger = || {
        InMemoryLedger::new().with_rows([
            expense("2026-09-30", ExpenseCategory::Rent, 100),
            expense("2026-11-01", ExpenseCategory::Rent, 30),
            expense("2026-10-05", ExpenseCategory::Books, 7),
        ])
    };
    let result_of = |parameters: &[(&str, &str)]| result::<SpendingCategories>(ledger(), parameters);
    let grouped = result_of(&[("groupBy", "month")]);
    for (category, expected) in [(0, [100, 0, 30]), (1, [0, 7, 0])] {
        let periods = &grouped["categories"][category]["periods"];
        assert_eq!(each(periods, "period"), ["2026-09", "2026-10", "2026-11"]);
        assert_eq!(each(periods, "total").into_iter().map(cents).collect::<Vec<i64>>(), expected);
    }
    assert!(result_of(&[])["categories"][0].get("periods").is_none());
}

#[test]
fn tool_returns_at_most_500_monthly_totals() {
    let months = |from: &str| {
        let arguments = json!({ "groupBy": "month", "dateFrom": from, "dateTo": "2026-11-21" });
        let rows = [(ExpenseCategory::Rent, 1), (ExpenseCategory::Books, 2)];
        tool::<SpendingCategories>(spent(&rows), &arguments)
    };
    assert!(months("2006-02-01").is_ok());
    assert_eq!(
        faults(months("2006-01-31")),
        [
            "groupBy would give 502 monthly totals (2 categories, 251 months), and a tool returns at most 500: use a shorter range or name categories"
        ]
    );
}

#[test]
fn filter_by_category_selects_the_refunds_of_its_purchases() {
    let ledger = InMemoryLedger::new().with_rows([
        expense("2026-11-01", ExpenseCategory::Clothing, 100).id(1),
        expense("2026-11-01", ExpenseCategory::Books, 50).id(2),
        income("2026-11-05", IncomeCategory::Refund, 40).refund_of(1),
        income("2026-11-05", IncomeCategory::Refund, 20).refund_of(2),
    ]);
    let result = result::<SpendingCategories>(ledger, &[("categories", "CLOTHING")]);
    assert_eq!(each(&result["categories"], "category"), ["CLOTHING"]);
    assert_eq!(cents(&result["totalExpense"]), 100);
    assert_eq!(cents(&result["categories"][0]["refunds"]), 40);
}
