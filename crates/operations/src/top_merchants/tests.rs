//! Unit tests of the top merchants.

use passbook_domain::category::ExpenseCategory;
use passbook_test_support::{InMemoryLedger, expense};

use super::TopMerchants;
use crate::harness::{cents, each, faults, rest, result};

fn bought(rows: &[(&str, i64)]) -> InMemoryLedger {
    let row = |(merchant, cents): &(&str, i64)| {
        let row = expense("2026-11-01", ExpenseCategory::Groceries, *cents);
        if merchant.is_empty() { row } else { row.merchant(merchant) }
    };
    InMemoryLedger::new().with_rows(rows.iter().map(row))
}

#[test]
fn total_includes_spending_without_a_merchant() {
    let result = result::<TopMerchants>(bought(&[("Rewe", 25), ("", 75), ("Rewe", 25)]), &[]);
    assert_eq!(cents(&result["totalExpense"]), 125);
    assert_eq!(each(&result["merchants"], "merchant"), ["Rewe"]);
    assert_eq!(each(&result["merchants"], "percentOfTotal"), [40.0]);
    assert_eq!(each(&result["merchants"], "transactionCount"), [2]);
}

#[test]
fn percentages_have_two_decimals_rounded_half_away_from_zero() {
    for (part, others, percent) in [(1, 2, 33.33), (2, 1, 66.67), (1, 31, 3.13), (1, 0, 100.0)] {
        let result = result::<TopMerchants>(bought(&[("Rewe", part), ("", others)]), &[]);
        assert_eq!(each(&result["merchants"], "percentOfTotal"), [percent], "{part} and {others}");
    }
}

#[test]
fn ten_merchants_are_listed_by_default_and_one_to_one_hundred_on_request() {
    let names: Vec<String> = (0..101).map(|number| format!("Merchant {number:03}")).collect();
    let rows: Vec<(&str, i64)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    for (parameters, listed) in [(&[][..], 10), (&[("limit", "1")], 1), (&[("limit", "100")], 100)] {
        let result = result::<TopMerchants>(bought(&rows), parameters);
        assert_eq!(result["merchants"].as_array().map(Vec::len), Some(listed), "{parameters:?}");
    }
    for limit in ["0", "101"] {
        assert_eq!(
            faults(rest::<TopMerchants>(InMemoryLedger::new(), &[("limit", limit)])),
            [format!("limit must be a whole number from 1 to 100; received {limit}")]
        );
    }
}

#[test]
fn range_without_rows_has_no_merchants() {
    let result = result::<TopMerchants>(InMemoryLedger::new(), &[]);
    assert_eq!(cents(&result["totalExpense"]), 0);
    assert_eq!(result["merchants"].as_array().map(Vec::len), Some(0));
}

#[test]
fn amounts_without_a_rate_are_reported_by_merchant() {
    let ledger = bought(&[("Rewe", 100)])
        .with_row(expense("2026-11-01", ExpenseCategory::Books, 300).currency("JPY").merchant("Kinokuniya"));
    let result = result::<TopMerchants>(ledger, &[]);
    assert_eq!(each(&result["unconverted"], "amount_cents"), [300]);
    assert_eq!(each(&result["merchants"], "percentOfTotal"), [100.0, 0.0]);
    assert_eq!(each(&result["merchants"][1]["unconverted"], "currency"), ["JPY"]);
}

#[test]
fn range_and_excluded_categories_are_repeated() {
    let ledger = InMemoryLedger::new().with_excluded(ExpenseCategory::Vacation);
    let result = result::<TopMerchants>(ledger, &[("dateFrom", "2026-11-01")]);
    assert_eq!(result["dateFrom"], "2026-11-01");
    assert!(result.get("dateTo").is_none());
    assert_eq!(result["excludedCategories"], serde_json::json!(["VACATION"]));
}
