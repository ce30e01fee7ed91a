//! Unit tests of the cashflow summary.

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_test_support::{InMemoryLedger, expense, income, internal_transfer};
use serde_json::json;

use super::CashflowSummary;
use crate::error::Error;
use crate::harness::{cents, each, faults, rest, result, tool};

#[test]
fn net_is_income_minus_expenses_and_refunds_are_income() {
    let ledger = InMemoryLedger::new().with_rows([
        income("2026-10-30", IncomeCategory::Salary, 350_000),
        expense("2026-11-01", ExpenseCategory::Rent, 120_000),
        income("2026-11-09", IncomeCategory::Refund, 8_990),
        internal_transfer("2026-11-10", 777),
    ]);
    let summary = result::<CashflowSummary>(ledger, &[]);
    assert_eq!(cents(&summary["incomeTotal"]), 358_990);
    assert_eq!(cents(&summary["expenseTotal"]), 120_000);
    assert_eq!(cents(&summary["net"]), 238_990);
    assert!(summary.get("unconverted").is_none());
}

#[test]
fn net_is_negative_when_expenses_exceed_income() {
    let ledger = InMemoryLedger::new().with_rows([
        income("2026-11-01", IncomeCategory::Salary, 100),
        expense("2026-11-01", ExpenseCategory::Rent, 250),
    ]);
    assert_eq!(cents(&result::<CashflowSummary>(ledger, &[])["net"]), -150);
}

#[test]
fn empty_range_has_zero_totals() {
    let ledger = InMemoryLedger::new().with_row(expense("2026-11-01", ExpenseCategory::Rent, 100));
    let summary = result::<CashflowSummary>(ledger, &[("dateTo", "2026-10-31")]);
    for member in ["incomeTotal", "expenseTotal", "net"] {
        assert_eq!(cents(&summary[member]), 0, "{member}");
    }
}

#[test]
fn range_includes_its_first_and_last_day() {
    let rows = ["2026-10-31", "2026-11-01", "2026-11-02", "2026-11-03"]
        .map(|day| expense(day, ExpenseCategory::Rent, 100));
    let ledger = InMemoryLedger::new().with_rows(rows);
    let range = [("dateFrom", "2026-11-01"), ("dateTo", "2026-11-02")];
    assert_eq!(cents(&result::<CashflowSummary>(ledger, &range)["expenseTotal"]), 200);
}

#[test]
fn range_of_one_day_is_valid_and_a_reversed_range_is_rejected() {
    let day =
        |from, to| rest::<CashflowSummary>(InMemoryLedger::new(), &[("dateFrom", from), ("dateTo", to)]);
    assert!(day("2026-11-01", "2026-11-01").is_ok());
    assert_eq!(faults(day("2026-11-02", "2026-11-01")), ["dateFrom must not be after dateTo"]);
}

#[test]
fn time_range_of_one_month_starts_on_the_day_after_the_same_day_last_month() {
    let rows = ["2026-10-21", "2026-10-22", "2026-11-21", "2026-11-22"]
        .map(|day| expense(day, ExpenseCategory::Rent, 100));
    let ledger = InMemoryLedger::new().with_rows(rows);
    assert_eq!(cents(&result::<CashflowSummary>(ledger, &[("timeRange", "1m")])["expenseTotal"]), 200);
}

#[test]
fn time_range_is_ignored_when_a_day_is_given() {
    let ledger = InMemoryLedger::new().with_row(expense("2020-01-01", ExpenseCategory::Rent, 100));
    let range = [("dateFrom", "2020-01-01"), ("timeRange", "1m")];
    assert_eq!(cents(&result::<CashflowSummary>(ledger, &range)["expenseTotal"]), 100);
}

#[test]
fn pending_rows_count_and_excluded_categories_do_not_by_default() {
    for (parameters, expected) in [
        (&[][..], 10 + 200),
        (&[("includePending", "false")], 10),
        (&[("includeExcluded", "true")], 10 + 200 + 4_000),
    ] {
        let ledger = InMemoryLedger::new().with_excluded(ExpenseCategory::Vacation).with_rows([
            expense("2026-11-01", ExpenseCategory::Rent, 10),
            expense("2026-11-01", ExpenseCategory::Rent, 200).pending(),
            expense("2026-11-01", ExpenseCategory::Vacation, 4_000),
        ]);
        let summary = result::<CashflowSummary>(ledger, parameters);
        assert_eq!(cents(&summary["expenseTotal"]), expected, "{parameters:?}");
    }
}

#[test]
fn amounts_without_a_rate_are_reported_by_type_and_currency() {
    let ledger = InMemoryLedger::new().with_rate("USD", "2").with_rows([
        expense("2026-11-01", ExpenseCategory::Books, 300).currency("JPY"),
        expense("2026-11-01", ExpenseCategory::Books, 400).currency("JPY"),
        income("2026-11-01", IncomeCategory::Gift, 50).currency("GBP"),
        expense("2026-11-01", ExpenseCategory::Books, 5).currency("USD"),
    ]);
    let summary = result::<CashflowSummary>(ledger, &[]);
    assert_eq!(cents(&summary["expenseTotal"]), 3);
    assert_eq!(
        summary["unconverted"],
        json!([
            { "type": "EXPENSE", "currency": "JPY", "amount_cents": 700, "transactionCount": 2 },
            { "type": "INCOME", "currency": "GBP", "amount_cents": 50, "transactionCount": 1 },
        ])
    );
}

#[test]
fn total_beyond_64_bits_is_an_internal_error() {
    let huge = || expense("2026-11-01", ExpenseCategory::Rent, i64::MAX);
    let ledger = InMemoryLedger::new().with_rows([huge(), huge()]);
    assert!(matches!(rest::<CashflowSummary>(ledger, &[]), Err(Error::Internal(_))));
}

#[test]
fn income_is_listed_by_category_largest_first() {
    let ledger = InMemoryLedger::new().with_rows([
        income("2026-10-30", IncomeCategory::Dividend, 500),
        income("2026-11-01", IncomeCategory::Salary, 900),
        income("2026-11-02", IncomeCategory::Dividend, 400),
        income("2026-11-03", IncomeCategory::Gift, 70).currency("JPY"),
    ]);
    assert_eq!(
        result::<CashflowSummary>(ledger, &[])["incomeCategories"],
        json!([
            { "category": "DIVIDEND", "total": { "amount_cents": 900, "currency": "EUR" }, "transactionCount": 2 },
            { "category": "SALARY", "total": { "amount_cents": 900, "currency": "EUR" }, "transactionCount": 1 },
            { "category": "GIFT", "total": { "amount_cents": 0, "currency": "EUR" }, "transactionCount": 0,
              "unconverted": [{ "currency": "JPY", "amount_cents": 70, "transactionCount": 1 }] },
        ])
    );
}

#[test]
fn months_of_a_range_include_empty_months_and_add_up() {
    let ledger = || {
        InMemoryLedger::new().with_rows([
            income("2026-08-30", IncomeCategory::Salary, 1_000),
            expense("2026-08-31", ExpenseCategory::Rent, 300),
            expense("2026-10-01", ExpenseCategory::Books, 50),
        ])
    };
    let summary = result::<CashflowSummary>(ledger(), &[("groupBy", "month")]);
    let periods = &summary["periods"];
    assert_eq!(each(periods, "period"), ["2026-08", "2026-09", "2026-10", "2026-11"]);
    assert_eq!(
        (&periods[0]["dateFrom"], &periods[3]["dateTo"]),
        (&json!("2026-08-30"), &json!("2026-11-21"))
    );
    let nets: Vec<i64> = each(periods, "net").into_iter().map(cents).collect();
    assert_eq!(nets, [700, 0, -50, 0]);
    assert_eq!(nets.iter().sum::<i64>(), cents(&summary["net"]));
    assert!(result::<CashflowSummary>(ledger(), &[]).get("periods").is_none());
    let empty = result::<CashflowSummary>(InMemoryLedger::new(), &[("groupBy", "month")]);
    assert_eq!(empty["periods"], json!([]));
}

#[test]
fn tool_returns_at_most_120_months() {
    let months = |from: &str| {
        let arguments = json!({ "groupBy": "month", "dateFrom": from, "dateTo": "2026-11-21" });
        tool::<CashflowSummary>(InMemoryLedger::new(), &arguments)
    };
    assert!(months("2016-12-01").is_ok());
    let rejected = faults(months("2016-11-30"));
    let rule = "groupBy would give 121 months, and a tool returns at most 120: use a shorter range";
    assert_eq!(rejected, [rule]);
    let over_rest = [("groupBy", "month"), ("dateFrom", "1950-01-01"), ("dateTo", "2026-11-21")];
    assert!(rest::<CashflowSummary>(InMemoryLedger::new(), &over_rest).is_ok());
}

#[test]
fn range_and_excluded_categories_are_repeated() {
    let ledger = || InMemoryLedger::new().with_excluded(ExpenseCategory::Vacation);
    let summary = result::<CashflowSummary>(ledger(), &[("timeRange", "1m")]);
    assert_eq!((&summary["dateFrom"], &summary["dateTo"]), (&json!("2026-10-22"), &json!("2026-11-21")));
    assert_eq!(summary["excludedCategories"], json!(["VACATION"]));
    for parameter in [("includeExcluded", "true"), ("categories", "VACATION")] {
        assert_eq!(result::<CashflowSummary>(ledger(), &[parameter])["excludedCategories"], json!([]));
    }
}

#[test]
fn filters_select_rows_and_a_named_category_counts_although_excluded() {
    let ledger = || {
        InMemoryLedger::new().with_excluded(ExpenseCategory::Vacation).with_rows([
            expense("2026-11-01", ExpenseCategory::Vacation, 1).merchant("Hotel").account(1),
            expense("2026-11-01", ExpenseCategory::Rent, 20).account(1),
            expense("2026-11-01", ExpenseCategory::Books, 300).merchant("Hotel Books").account(2),
        ])
    };
    let accounts = uuid::Uuid::from_u128(1).to_string();
    for (parameters, expected) in [
        (&[("categories", "VACATION,BOOKS")][..], 301),
        (&[("accountIds", &accounts)], 20),
        (&[("merchantQuery", "hotel")], 300),
        (&[("merchantQuery", "hotel"), ("categories", "VACATION")], 1),
        (&[("categories", "TAXES")], 0),
    ] {
        let summary = result::<CashflowSummary>(ledger(), parameters);
        assert_eq!(cents(&summary["expenseTotal"]), expected, "{parameters:?}");
    }
}
