//! Checks that generation is deterministic, ends on its day, keeps the rules of the tables, and covers every feature of
//! the service. `tests/books.rs` checks the sums.

mod books;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::bank::BankStatus;
use passbook_domain::category::{Category, ExpenseCategory as Spent, IncomeCategory as Received};
use passbook_domain::transaction::TransactionType;
use uuid::Uuid;

use super::{USER_ID, household};
use passbook_records::record::{Record, Transaction};

/// Ordinary days, leap days, ends of months and years, and days within the rate gap and the journeys.
const DAYS: [Date; 9] = [
    date(2026, 11, 21),
    date(2026, 5, 31),
    date(2027, 1, 1),
    date(2027, 4, 20),
    date(2027, 5, 12),
    date(2027, 8, 12),
    date(2027, 12, 31),
    date(2028, 2, 29),
    date(2031, 6, 1),
];

/// The records of each day, which several tests read.
static RECORDS: Mutex<BTreeMap<Date, Vec<Record>>> = Mutex::new(BTreeMap::new());

fn generated(today: Date) -> Vec<Record> {
    household(today).into_iter().map(|located| located.record).collect()
}

fn records(today: Date) -> Vec<Record> {
    let mut known = RECORDS.lock().expect("no other test has failed");
    known.entry(today).or_insert_with(|| generated(today)).clone()
}

fn transactions(today: Date) -> Vec<Transaction> {
    records(today)
        .into_iter()
        .filter_map(|record| match record {
            Record::Transaction(row) => Some(row),
            _ => None,
        })
        .collect()
}

fn by_id(rows: &[Transaction]) -> BTreeMap<Uuid, &Transaction> {
    rows.iter().map(|row| (row.transaction_id, row)).collect()
}

#[test]
fn generation_is_deterministic() {
    for today in DAYS {
        assert_eq!(records(today), generated(today));
    }
}

#[test]
fn transactions_span_the_window_and_end_today() {
    for today in DAYS {
        let rows = transactions(today);
        assert_eq!(rows.iter().map(|row| row.date).max(), Some(today));
        assert_eq!(rows.iter().map(|row| row.date).min(), Some(crate::calendar::Window::ending(today).first));
    }
}

#[test]
fn past_transactions_do_not_depend_on_the_day_of_generation() {
    let today = date(2026, 11, 21);
    let (now, later) = (transactions(today), transactions(today + 1.day()));
    let later = by_id(&later);
    let settled = now.iter().filter(|row| row.date < date(2026, 11, 1));
    for row in settled {
        assert_eq!(later.get(&row.transaction_id), Some(&row));
    }
}

#[test]
fn every_month_has_transactions_and_the_total_is_about_1500() {
    for today in DAYS {
        let rows = transactions(today);
        assert!((1_400..=1_800).contains(&rows.len()), "{today}: {} rows", rows.len());
        let months: BTreeSet<(i16, i8)> =
            rows.iter().map(|row| (row.date.year(), row.date.month())).collect();
        let expected: BTreeSet<(i16, i8)> = crate::calendar::Window::ending(today)
            .months()
            .map(|month| (month.year(), month.month()))
            .collect();
        assert_eq!(months, expected);
        assert_eq!(by_id(&rows).len(), rows.len(), "identifiers are unique");
    }
}

#[test]
fn transactions_satisfy_the_table_constraints() {
    for row in DAYS.into_iter().flat_map(transactions) {
        assert_eq!(row.user_id, USER_ID);
        assert!((1..=passbook_domain::money::AMOUNT_CENTS_MAX).contains(&row.amount_cents), "{row:?}");
        assert!(!row.title.is_empty(), "{row:?}");
        assert!(row.merchant_name.as_ref().is_none_or(|name| !name.trim().is_empty()), "{row:?}");
        assert_ne!(row.linked_transaction_id, Some(row.transaction_id));
        let allowed = match row.transaction_type {
            TransactionType::Income => matches!(row.category, Category::Income(_)),
            TransactionType::Expense => matches!(row.category, Category::Expense(_)),
            TransactionType::InternalTransfer => matches!(
                row.category,
                Category::Income(Received::TransferIn)
                    | Category::Expense(Spent::TransferOut | Spent::CreditCardPayment)
            ),
        };
        assert!(allowed, "{row:?}");
    }
}

#[test]
fn links_name_transfer_legs_refunded_purchases_or_pending_rows() {
    for today in DAYS {
        let rows = transactions(today);
        let index = by_id(&rows);
        let (mut transfers, mut refunds, mut replaced) = (0, 0, 0);
        for row in rows.iter().filter(|row| row.linked_transaction_id.is_some()) {
            let counterpart = row.linked_transaction_id.and_then(|id| index.get(&id)).expect("links resolve");
            if row.transaction_type == TransactionType::InternalTransfer {
                assert_eq!(counterpart.linked_transaction_id, Some(row.transaction_id));
                assert_eq!(
                    (counterpart.amount_cents, counterpart.currency),
                    (row.amount_cents, row.currency)
                );
                assert_ne!(counterpart.account_id, row.account_id);
                transfers += 1;
            } else if row.category == Category::Income(Received::Refund) {
                assert_eq!(counterpart.category, Category::Expense(Spent::Clothing));
                assert!(counterpart.date < row.date && row.amount_cents <= counterpart.amount_cents);
                refunds += 1;
            } else {
                assert!(counterpart.pending && !row.pending);
                assert_eq!(counterpart.account_id, row.account_id);
                assert_eq!(counterpart.transaction_type, row.transaction_type);
                replaced += 1;
            }
        }
        assert!(transfers >= 150 && refunds >= 8, "{today}: {transfers} legs, {refunds} refunds");
        assert_eq!(replaced, 1, "{today}");
        let unlinked = |row: &&Transaction| {
            row.transaction_type == TransactionType::InternalTransfer && row.linked_transaction_id.is_none()
        };
        assert_eq!(rows.iter().filter(unlinked).count(), 0, "an unmatched transfer is not internal");
    }
}

#[test]
fn salary_is_paid_on_the_last_business_day_and_rent_on_the_first() {
    for row in transactions(date(2026, 11, 21)) {
        match row.category {
            Category::Income(Received::Salary) => {
                assert!(crate::calendar::is_business_day(row.date));
                let next = crate::calendar::business_day_from(row.date + 1.day());
                assert_ne!(next.month(), row.date.month(), "{}", row.date);
            }
            Category::Expense(Spent::Rent) => assert_eq!(row.date.day(), 1),
            _ => {}
        }
    }
}

#[test]
fn pending_rows_are_from_the_last_two_days() {
    for today in DAYS {
        let pending: Vec<Transaction> = transactions(today).into_iter().filter(|row| row.pending).collect();
        assert!(pending.len() >= 3, "{today}");
        assert!(pending.iter().all(|row| row.date > today - 2.days()), "{today}");
    }
}

#[test]
fn one_subscription_rises_in_price() {
    for today in DAYS {
        let paid: BTreeSet<i64> = transactions(today)
            .iter()
            .filter(|row| row.merchant_name.as_deref() == Some("Netflix"))
            .map(|row| row.amount_cents)
            .collect();
        assert!(paid.len() >= 2, "{today}: {paid:?}");
    }
}

#[test]
fn merchants_have_accents_and_several_spellings() {
    let names: BTreeSet<String> =
        transactions(DAYS[0]).into_iter().filter_map(|row| row.merchant_name).collect();
    for spelling in ["Café Müller", "CAFÉ MÜLLER", "café müller", "REWE", "Rewe"] {
        assert!(names.contains(spelling), "{spelling}");
    }
}

#[test]
fn banks_have_different_connection_statuses() {
    let today = DAYS[0];
    let banks: Vec<_> = records(today)
        .into_iter()
        .filter_map(|record| match record {
            Record::Bank(bank) => Some(bank),
            _ => None,
        })
        .collect();
    let [connected, silent] = banks.as_slice() else { panic!("two banks") };
    assert_eq!((connected.status, &connected.error_code), (BankStatus::Connected, &None));
    assert_eq!(
        (silent.status, silent.error_code.as_deref()),
        (BankStatus::NeedsUpdate, Some("LOGIN_REQUIRED"))
    );
    let success = silent.last_successful_update.expect("it once worked");
    assert!(success <= crate::calendar::at(today - 5.days(), 23, 59));
}

#[test]
fn excluded_category_has_rows_and_budgets_cover_income_and_expenses() {
    let all = records(DAYS[0]);
    let person = all.iter().find_map(|record| match record {
        Record::User(user) => Some(user),
        _ => None,
    });
    assert_eq!(person.expect("a person").excluded_categories, [Spent::Vacation]);
    let vacation = |row: &&Transaction| row.category == Category::Expense(Spent::Vacation);
    assert!(transactions(DAYS[0]).iter().filter(vacation).count() >= 20);
    let budgets: Vec<_> = all
        .iter()
        .filter_map(|record| match record {
            Record::Budget(budget) => Some(budget),
            _ => None,
        })
        .collect();
    assert!(budgets.iter().any(|budget| budget.currency.as_str() == "USD"));
    assert!(budgets.iter().any(|budget| budget.target_cents.is_none()));
    assert!(budgets.iter().any(|budget| budget.category == Category::Income(Received::Salary)));
}
