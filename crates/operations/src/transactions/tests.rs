//! Unit tests of the transaction list.

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_test_support::{InMemoryLedger, Row, expense, income, internal_transfer};
use serde_json::{Value, json};

use super::Transactions;
use crate::error::Error;
use crate::harness::{each, faults, rest, result, tool};

fn rows(count: usize) -> InMemoryLedger {
    let row = |_| expense("2026-11-01", ExpenseCategory::Groceries, 100);
    InMemoryLedger::new().with_rows((0..count).map(row))
}

fn count(page: &Value) -> usize {
    page["transactions"].as_array().expect("rows").len()
}

#[test]
fn page_has_50_rows_over_rest_and_25_as_a_tool_by_default() {
    assert_eq!(count(&result::<Transactions>(rows(60), &[])), 50);
    assert_eq!(count(&tool::<Transactions>(rows(60), &json!({})).expect("a page")), 25);
}

#[test]
fn page_size_is_limited_to_200_over_rest_and_to_100_as_a_tool() {
    assert_eq!(count(&result::<Transactions>(rows(201), &[("pageSize", "200")])), 200);
    assert_eq!(count(&tool::<Transactions>(rows(201), &json!({ "pageSize": 100 })).expect("a page")), 100);
    for size in ["0", "201"] {
        assert_eq!(
            faults(rest::<Transactions>(rows(0), &[("pageSize", size)])),
            [format!("pageSize must be a whole number from 1 to 200; received {size}")]
        );
    }
    for size in [0, 101] {
        assert_eq!(
            faults(tool::<Transactions>(rows(0), &json!({ "pageSize": size }))),
            [format!("pageSize must be a whole number from 1 to 100; received {size}")]
        );
    }
}

#[test]
fn cursor_leads_to_the_next_page_until_there_are_no_more_rows() {
    let first = result::<Transactions>(rows(3), &[("pageSize", "2")]);
    assert_eq!(first["pagination"]["hasMore"], true);
    let cursor = first["pagination"]["nextCursor"].to_string();
    let last = result::<Transactions>(rows(3), &[("pageSize", "2"), ("cursor", &cursor)]);
    assert_eq!((count(&first), count(&last)), (2, 1));
    assert_eq!(last["pagination"], json!({ "hasMore": false }));
}

#[test]
fn full_last_page_has_no_cursor() {
    let page = result::<Transactions>(rows(2), &[("pageSize", "2")]);
    assert_eq!(page["pagination"], json!({ "hasMore": false }));
}

fn listed(parameters: &[(&str, &str)]) -> Vec<Value> {
    let all: [Row; 4] = [
        expense("2026-11-03", ExpenseCategory::Rent, 300),
        income("2026-11-01", IncomeCategory::Salary, 900),
        internal_transfer("2026-11-02", 100),
        expense("2026-11-04", ExpenseCategory::Coffee, 200).pending(),
    ];
    let page = result::<Transactions>(InMemoryLedger::new().with_rows(all), parameters);
    each(&page["transactions"], "amount_cents").into_iter().cloned().collect()
}

#[test]
fn rows_are_sorted_newest_first_by_default() {
    assert_eq!(listed(&[]), [200, 300, 900]);
    assert_eq!(listed(&[("sort", "date_asc")]), [900, 300, 200]);
    assert_eq!(listed(&[("sort", "amount_desc")]), [900, 300, 200]);
    assert_eq!(listed(&[("sort", "amount_asc")]), [200, 300, 900]);
}

#[test]
fn internal_transfers_are_listed_only_on_request() {
    assert_eq!(listed(&[("showInternalTransfers", "true")]), [200, 300, 100, 900]);
    assert_eq!(listed(&[("showInternalTransfers", "true"), ("types", "INCOME")]), [100, 900]);
    assert_eq!(listed(&[("types", "EXPENSE")]), [200, 300]);
    let rejected = faults(rest::<Transactions>(rows(0), &[("types", "INTERNAL_TRANSFER")]));
    assert_eq!(rejected, ["types must be one of the allowed values; received \"INTERNAL_TRANSFER\""]);
}

#[test]
fn pending_and_posted_rows_are_listed_unless_filtered() {
    assert_eq!(listed(&[("pending", "true")]), [200]);
    assert_eq!(listed(&[("pending", "false")]), [300, 900]);
    assert_eq!(listed(&[("categories", "RENT,SALARY")]), [300, 900]);
}

#[test]
fn smallest_amount_may_equal_the_largest_but_not_exceed_it() {
    let amounts =
        |min, max| rest::<Transactions>(rows(0), &[("minAmountCents", min), ("maxAmountCents", max)]);
    assert!(amounts("5", "5").is_ok());
    assert_eq!(faults(amounts("6", "5")), ["minAmountCents must not be more than maxAmountCents"]);
    assert_eq!(faults(amounts("-1", "9000000000000001")).len(), 2);
}

#[test]
fn invalid_cursor_is_an_error_of_its_own_unless_other_parameters_are_invalid_too() {
    let unknown = r#"{"date":"2026-01-31","id":"8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d"}"#;
    for cursor in ["{}", "[\"2026-01-31\"]", unknown] {
        let parameters = [("sort", "amount_desc"), ("cursor", cursor)];
        let error = rest::<Transactions>(rows(1), &parameters).expect_err(cursor);
        assert!(matches!(error, Error::InvalidCursor(_)), "{cursor}: {error}");
    }
    // A cursor of an order by date is a position, which needs no row.
    assert!(rest::<Transactions>(rows(1), &[("cursor", unknown)]).is_ok());
    let error =
        rest::<Transactions>(rows(1), &[("cursor", "{}"), ("pageSize", "0")]).expect_err("two faults");
    assert!(matches!(&error, Error::Invalid(faults) if faults.len() == 2), "{error}");
}

#[test]
fn named_transfer_category_lists_its_transfers() {
    let rows = |categories: &str| {
        let ledger = InMemoryLedger::new().with_rows([
            internal_transfer("2026-11-01", 5),
            expense("2026-11-02", ExpenseCategory::TransferOut, 6),
            expense("2026-11-03", ExpenseCategory::Rent, 7),
        ]);
        let page = result::<Transactions>(ledger, &[("categories", categories)]);
        each(&page["transactions"], "amount_cents").into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(rows("TRANSFER_OUT"), [6, 5]);
    assert_eq!(rows("RENT,TRANSFER_OUT"), [7, 6, 5]);
    assert_eq!(rows("RENT"), [7]);
    assert_eq!(rows("TRANSFER_IN"), [0_i64; 0]);
}
