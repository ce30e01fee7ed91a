//! The kit accepts the in-memory ledger of `tests/support`, and names the broken rule of each wrong ledger.

mod altered;
mod in_memory;
mod portfolio;

use std::collections::BTreeSet;

use jiff::ToSpan as _;
use jiff::civil::date;
use passbook_domain::Currency;
use passbook_domain::category::{Category, IncomeCategory};
use passbook_domain::range::DateRange;
use passbook_domain::transaction::{TransactionSort, TransactionType};
use passbook_ledger_check::{Grant, Report, check};
use passbook_test_support::ready;

use altered::Alteration;
use in_memory::InMemory;

fn report(subject: &InMemory) -> Report {
    ready(check(subject))
}

#[test]
fn in_memory_ledger_conforms() {
    let report = report(&InMemory::default());
    assert!(report.is_conforming(), "{report}");
    assert!(report.checks_count > 200, "{report}");
    assert_eq!(report.skipped, ["snapshot-answers-like-the-ledger"]);
}

/// Asserts that the kit names a rule that the ledger breaks, with its sentence and the call.
#[track_caller]
pub(crate) fn breaks(rule: &str, subject: &InMemory) {
    let report = report(subject);
    assert!(report.broken_rules().contains(&rule), "{rule}: {report}");
    let text = report.to_string();
    assert!(text.contains(&format!("The ledger breaks the rule `{rule}`: ")), "{text}");
    assert!(text.contains("\n  call: ada"), "{text}");
}

#[test]
fn search_that_ignores_titles_is_named() {
    let without_titles = |sample: &mut passbook_ledger_check::Sample| {
        sample.people[0].transactions.iter_mut().for_each(|row| row.title = "x".to_owned());
    };
    breaks("search-finds-titles-and-merchants", &InMemory::storing(without_titles));
}

#[test]
fn order_by_amount_with_unconverted_rows_first_is_named() {
    let unconverted_first = Alteration {
        page: |query, mut rows| {
            let by_amount =
                matches!(query.sort, TransactionSort::AmountAscending | TransactionSort::AmountDescending);
            if by_amount {
                rows.sort_by_key(|row| row.currency == Currency::EUR || row.converted.is_some());
            }
            rows
        },
        ..Alteration::default()
    };
    breaks("unconverted-rows-come-last", &InMemory::altered(unconverted_first));
}

#[test]
fn range_that_ends_a_day_early_is_named() {
    let exclusive = Alteration {
        listed: |query| {
            if let Some(last) = query.days.to() {
                let before = Some(last.saturating_sub(1.day())).max(query.days.from());
                query.days = DateRange::new(query.days.from(), before, None).expect("a range");
            }
        },
        ..Alteration::default()
    };
    breaks("ranges-include-both-ends", &InMemory::altered(exclusive));
}

#[test]
fn refunds_that_are_netted_are_named() {
    let netted = Alteration {
        cashflow: |totals| totals.income.retain(|(_, category, _)| *category != IncomeCategory::Refund),
        ..Alteration::default()
    };
    breaks("refunds-stay-income", &InMemory::altered(netted));
}

#[test]
fn exclusions_that_are_ignored_are_named() {
    let ignored = Alteration { counted: |query| query.include_excluded = true, ..Alteration::default() };
    breaks("exclusions-leave-totals-only", &InMemory::altered(ignored));
}

#[test]
fn excluded_category_that_never_counts_is_named() {
    let never = Alteration {
        counted: |query| {
            let vacation = Category::parse("VACATION").expect("a category");
            query.categories.iter_mut().for_each(|named| named.retain(|category| *category != vacation));
        },
        ..Alteration::default()
    };
    breaks("named-category-counts-although-excluded", &InMemory::altered(never));
}

#[test]
fn pending_row_beside_its_posted_row_is_named() {
    breaks(
        "posted-twin-replaces-pending-row",
        &InMemory::storing(|sample| {
            for row in &mut sample.people[0].transactions {
                // The row counts, because nothing links to it.
                row.linked_transaction_id = row.linked_transaction_id.filter(|_| row.date.month() != 3);
            }
        }),
    );
}

#[test]
fn transfers_that_count_are_named() {
    breaks(
        "transfers-never-count",
        &InMemory::storing(|sample| {
            for row in &mut sample.people[0].transactions {
                let outgoing = matches!(row.category, Category::Expense(_));
                if row.r#type == TransactionType::InternalTransfer {
                    row.r#type = if outgoing { TransactionType::Expense } else { TransactionType::Income };
                }
            }
        }),
    );
}

#[test]
fn later_rate_is_named() {
    breaks(
        "conversion-uses-the-last-rate",
        &InMemory::storing(|sample| {
            sample.rates.iter_mut().for_each(|rate| rate.day = rate.day.saturating_sub(1.day()));
        }),
    );
}

#[test]
fn rate_that_never_expires_is_named() {
    breaks(
        "rates-expire-after-31-days",
        &InMemory::storing(|sample| {
            let mut renewed = sample.rates[2].clone();
            renewed.day = date(2026, 2, 20);
            sample.rates.push(renewed);
        }),
    );
}

#[test]
fn missing_rate_that_is_1_is_named() {
    breaks(
        "amounts-without-rate-stay-apart",
        &InMemory::storing(|sample| {
            let mut one = sample.rates[0].clone();
            one.currency = Currency::parse("CHF").expect("a code");
            (one.day, one.units_per_base) = (date(2026, 2, 22), "1");
            sample.rates.push(one);
        }),
    );
}

#[test]
fn sum_that_is_rounded_after_the_addition_is_named() {
    let rounded_down = Alteration {
        spending: |totals| {
            for (_, total) in &mut totals.expenses {
                if total.amount_cents == 4 {
                    total.converted_cents = Some(2);
                }
            }
        },
        ..Alteration::default()
    };
    breaks("each-row-is-rounded-once", &InMemory::altered(rounded_down));
}

#[test]
fn cursor_that_is_ignored_is_named() {
    let ignored = Alteration { listed: |query| query.after = None, ..Alteration::default() };
    breaks("pages-join-to-the-list", &InMemory::altered(ignored));
    breaks("unknown-cursor-is-an-error", &InMemory::altered(ignored));
}

#[test]
fn merchants_that_are_not_grouped_are_named() {
    breaks(
        "merchants-are-grouped-by-name",
        &InMemory::storing(|sample| {
            for (number, row) in sample.people[0].transactions.iter_mut().enumerate() {
                row.merchant_name = row.merchant_name.take().map(|name| format!("{name}{number}"));
            }
        }),
    );
}

#[test]
fn previous_period_that_is_missing_is_named() {
    let missing = Alteration { spending: |totals| totals.previous.clear(), ..Alteration::default() };
    breaks("previous-period-is-as-long", &InMemory::altered(missing));
}

#[test]
fn scope_that_is_not_checked_is_named() {
    let unchecked = Alteration { ignores_scopes: true, ..Alteration::default() };
    breaks("scope-of-the-grant-is-required", &InMemory::altered(unchecked));
    breaks("scopes-of-the-token-narrow", &InMemory::altered(unchecked));
}

#[test]
fn grant_that_is_not_checked_is_named() {
    for (grant, rule) in [
        (Grant::Revoked, "revoked-grant-reads-nothing"),
        (Grant::Expired, "expired-grant-reads-nothing"),
        (Grant::RestOnly, "surface-of-the-grant-is-required"),
        (Grant::OfAnotherPerson, "grant-belongs-to-its-person"),
    ] {
        breaks(rule, &InMemory { accepts: Some(grant), ..InMemory::default() });
    }
}

#[test]
fn each_message_names_one_rule() {
    let report = report(&InMemory::altered(Alteration {
        listed: |query| query.types = vec![TransactionType::Income],
        ..Alteration::default()
    }));
    let rules: BTreeSet<&str> = report.broken_rules().into_iter().collect();
    assert!(rules.len() > 3, "{rules:?}");
    for failure in &report.failures {
        assert!(failure.to_string().starts_with(&format!("The ledger breaks the rule `{}`: ", failure.rule)));
    }
}
