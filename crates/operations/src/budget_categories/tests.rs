//! Unit tests of the budgeted income categories.

use passbook_domain::Currency;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::IncomeCategory;
use passbook_test_support::InMemoryLedger;
use serde_json::json;
use uuid::Uuid;

use super::BudgetCategories;
use crate::harness::result;

#[test]
fn amounts_stay_in_the_stored_currency_and_a_missing_amount_is_absent() {
    let entry = |category, target_amount_cents| {
        let currency = Currency::parse("USD").expect("a code");
        let mut entry = BudgetCategoryEntry::new(Uuid::nil(), category, currency);
        entry.target_amount_cents = target_amount_cents;
        entry
    };
    let ledger = InMemoryLedger::new()
        .with_budget_category(entry(IncomeCategory::Gift, None))
        .with_budget_category(entry(IncomeCategory::Salary, Some(300_000)));
    assert_eq!(
        result::<BudgetCategories>(ledger, &[]),
        json!([
            { "category": "GIFT", "currency": "USD", "id": Uuid::nil() },
            { "category": "SALARY", "target_amount_cents": 300_000, "currency": "USD", "id": Uuid::nil() },
        ])
    );
}
