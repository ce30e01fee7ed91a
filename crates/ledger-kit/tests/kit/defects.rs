//! Wrong ledgers, and the rule that the kit names for each. A ledger is wrong because it stores other data than it should.

use std::collections::BTreeSet;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_ledger_kit::assets::{Assets, StoredAccount};
use passbook_ledger_kit::{Grant, LedgerData, Rate, check_rules};
use serde_json::Value;
use uuid::Uuid;

use super::subject::InMemory;
use super::{ready, report};

const RULES: &str = include_str!("../../data/rules.json");

/// A change of the data of the sample.
type Change = fn(&mut LedgerData);

/// Rules of which at least one check fails after the change.
const DEFECTS: [(&str, Change); 32] = [
    ("search-finds-titles-and-merchants", |data| rows(data).for_each(|row| row.title = "x".to_owned())),
    ("unconverted-rows-come-last", |data| add_rate(data, "CHF", date(2026, 2, 22), "1")),
    ("ranges-include-both-ends", |data| rows(data).for_each(|row| row.date = day_before(row.date))),
    ("refunds-stay-income", |data| {
        rows(data).filter(|row| is_refund(row)).for_each(|row| row.amount_cents = 0);
    }),
    ("exclusions-leave-totals-only", |data| data.people[0].excluded_categories.clear()),
    ("named-category-counts-although-excluded", |data| {
        let vacation = Category::Expense(ExpenseCategory::Vacation);
        data.people[0].transactions.retain(|row| row.category != vacation);
    }),
    ("posted-twin-replaces-pending-row", |data| {
        rows(data).for_each(|row| row.linked_transaction_id = None);
    }),
    ("only-the-same-payment-is-replaced", |data| {
        rows(data).for_each(|row| row.account_id = row.account_id.map(|_| Uuid::nil()));
    }),
    ("transfers-never-count", |data| {
        let transfers = rows(data).filter(|row| row.r#type == TransactionType::InternalTransfer);
        transfers.for_each(|row| {
            let is_outgoing = matches!(row.category, Category::Expense(_));
            row.r#type = if is_outgoing { TransactionType::Expense } else { TransactionType::Income };
        });
    }),
    ("conversion-uses-the-last-rate", |data| {
        data.rates.iter_mut().for_each(|rate| rate.day = day_before(rate.day));
    }),
    ("rates-expire-after-31-days", |data| add_rate(data, "USD", date(2026, 2, 20), "1.6")),
    ("amounts-without-rate-stay-apart", |data| add_rate(data, "CHF", date(2026, 2, 22), "1")),
    ("each-row-is-rounded-once", |data| {
        rows(data).filter(|row| row.amount_cents == 4).for_each(|row| row.amount_cents = 3);
    }),
    ("pages-join-to-the-list", |data| {
        let again = data.people[0].transactions[8].clone();
        data.people[0].transactions.push(again);
    }),
    ("unknown-cursor-is-an-error", |data| {
        let row = &mut data.people[0].transactions[0];
        row.id = Uuid::from_u128(0xffff);
    }),
    ("merchants-are-grouped-by-name", |data| {
        for (number, row) in rows(data).enumerate() {
            row.merchant_name = row.merchant_name.take().map(|name| format!("{name}{number}"));
        }
    }),
    ("previous-period-is-as-long", |data| {
        data.people[0].transactions.retain(|row| row.date.month() != 1);
    }),
    ("banks-list-open-accounts", |data| accounts(data).for_each(|stored| stored.closed_on = None)),
    ("connection-is-stale-after-three-days", |data| data.today = date(2026, 3, 30)),
    ("updates-count-in-the-time-zone", |data| data.people[0].time_zone = "UTC".to_owned()),
    ("items-add-up-their-accounts", |data| {
        let balances = accounts(data).filter_map(|stored| stored.account.balance_cents.as_mut());
        balances.for_each(|cents| *cents = cents.abs());
    }),
    ("balances-are-rounded-one-by-one", |data| {
        accounts(data)
            .filter(|stored| stored.account.name == "Zloty B")
            .for_each(|stored| stored.account.balance_cents = Some(1_000));
    }),
    ("balances-use-the-rate-of-the-day", |data| {
        let zloty = data.rates.iter_mut().filter(|rate| rate.currency == code("PLN"));
        zloty.for_each(|rate| rate.day = day_before(rate.day));
    }),
    ("balances-without-rate-stay-apart", |data| add_rate(data, "USD", date(2026, 3, 31), "1")),
    ("closed-accounts-keep-their-past", |data| {
        data.people[0].assets.accounts.retain(|stored| stored.closed_on.is_none());
    }),
    ("paper-accounts-never-count", |data| assets(data).paper_accounts[0].cash_cents = 1),
    ("positions-are-signed", |data| {
        for person in &mut data.people {
            person.assets.paper_positions.clear();
        }
    }),
    ("securities-are-part-of-the-balance", |data| {
        for stored in accounts(data).filter(|stored| !stored.quantities.is_empty()) {
            stored.account.balance_cents = stored.account.balance_cents.map(|cents| cents + 120_000);
        }
    }),
    ("wallets-use-the-last-price", |data| {
        for security in &mut assets(data).securities {
            if let Some(price) = security.prices.remove(&date(2026, 4, 1)) {
                security.prices.insert(date(2026, 3, 31), price);
            }
        }
    }),
    ("unknown-values-are-partial", |data| {
        accounts(data).for_each(|stored| {
            stored.balances.insert(date(2020, 1, 1), 0);
        });
    }),
    ("history-follows-balances-and-rows", |data| {
        for stored in accounts(data) {
            let ended: Vec<Date> = stored.balances.keys().map(|day| day.saturating_add(1.day())).collect();
            ended.into_iter().for_each(|day| {
                stored.balances.entry(day).or_insert(0);
            });
        }
    }),
    ("points-end-their-interval", |data| data.today = date(2026, 3, 28)),
];

fn code(text: &str) -> Currency {
    Currency::parse(text).expect("a code")
}

fn day_before(day: Date) -> Date {
    day.saturating_sub(1.day())
}

fn is_refund(row: &Transaction) -> bool {
    row.category == Category::Income(IncomeCategory::Refund)
}

fn rows(data: &mut LedgerData) -> impl Iterator<Item = &mut Transaction> {
    data.people.iter_mut().flat_map(|person| &mut person.transactions)
}

fn assets(data: &mut LedgerData) -> &mut Assets {
    &mut data.people[0].assets
}

fn accounts(data: &mut LedgerData) -> impl Iterator<Item = &mut StoredAccount> {
    data.people.iter_mut().flat_map(|person| &mut person.assets.accounts)
}

fn add_rate(data: &mut LedgerData, currency: &str, day: Date, units: &str) {
    data.rates.push(Rate { currency: code(currency), day, units_per_base: units.to_owned() });
}

/// Asserts that the kit names a rule that the ledger breaks, with its sentence and the call. Of the rules in the table, only
/// this one is checked.
#[track_caller]
fn breaks(rule: &str, subject: &InMemory) {
    let mut table: Vec<Value> = serde_json::from_str(RULES).expect("a list of rules");
    table.retain(|listed| listed["rule"] == rule);
    let report = match table.is_empty() {
        true => report(subject),
        false => ready(check_rules(subject, &Value::Array(table).to_string())),
    };
    assert!(report.broken_rules().contains(&rule), "{rule}: {report}");
    let text = report.to_string();
    assert!(text.contains(&format!("The ledger breaks the rule `{rule}`: ")), "{text}");
    assert!(text.contains("\n  call: "), "{text}");
}

#[test]
fn every_wrong_ledger_is_named() {
    for (rule, change) in DEFECTS {
        breaks(rule, &InMemory::storing(change));
    }
}

#[test]
fn grant_that_is_not_checked_is_named() {
    for (grant, rule) in [
        (Grant::Revoked, "revoked-grant-reads-nothing"),
        (Grant::Expired, "expired-grant-reads-nothing"),
        (Grant::RestOnly, "surface-of-the-grant-is-required"),
        (Grant::OfAnotherPerson, "grant-belongs-to-its-person"),
        (Grant::Spending, "scope-of-the-grant-is-required"),
    ] {
        breaks(rule, &InMemory::accepting(grant));
    }
    breaks("scopes-of-the-token-narrow", &InMemory::ignoring_token_scopes());
}

#[test]
fn each_message_names_one_rule() {
    let report = report(&InMemory::storing(|data| {
        data.people[0].assets.banks.iter_mut().for_each(|bank| bank.status = BankStatus::Manual);
        data.people[0].transactions.retain(|row| row.r#type == TransactionType::Income);
    }));
    let rules: BTreeSet<&str> = report.broken_rules().into_iter().collect();
    assert!(rules.len() > 3, "{rules:?}");
    for failure in &report.failures {
        assert!(failure.to_string().starts_with(&format!("The ledger breaks the rule `{}`: ", failure.rule)));
    }
}
