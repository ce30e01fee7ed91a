//! Checks the sums of the household: balances follow from transactions, holdings are worth their prices, and rates are
//! missing only in the yearly gap.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::Category;
use passbook_domain::portfolio::AccountType;
use passbook_domain::transaction::TransactionType;
use passbook_records::record::{Account, Holding, Record, Transaction};
use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};
use uuid::Uuid;

use super::{DAYS, records};
use crate::accounts::OwnAccount;
use crate::income::PLAN_CENTS;

/// The records of the household by type.
#[derive(Default)]
struct Books {
    accounts: Vec<Account>,
    snapshots: BTreeMap<Uuid, Vec<(Date, i64)>>,
    transactions: Vec<Transaction>,
    holdings: Vec<Holding>,
    prices: BTreeMap<Uuid, BTreeMap<Date, Decimal>>,
    rates: BTreeSet<(String, Date)>,
}

fn books(today: Date) -> Books {
    let mut books = Books::default();
    for record in records(today) {
        match record {
            Record::Account(account) => books.accounts.push(account),
            Record::BalanceSnapshot(row) => {
                books.snapshots.entry(row.account_id).or_default().push((row.as_of, row.balance_cents));
            }
            Record::Transaction(row) => books.transactions.push(row),
            Record::Holding(holding) => books.holdings.push(holding),
            Record::SecurityPrice(row) => {
                books.prices.entry(row.security_id).or_default().insert(row.as_of, row.price);
            }
            Record::ExchangeRate(rate) => {
                books.rates.insert((rate.currency.to_string(), rate.as_of));
            }
            _ => {}
        }
    }
    books
}

fn signed(row: &Transaction) -> i64 {
    if matches!(row.category, Category::Income(_)) { row.amount_cents } else { -row.amount_cents }
}

#[test]
fn balances_follow_from_the_transactions() {
    for today in DAYS {
        let books = books(today);
        for account in books.accounts.iter().filter(|account| account.account_type != AccountType::Investment)
        {
            let snapshots = &books.snapshots[&account.account_id];
            let (eve, opening) = snapshots[0];
            for (as_of, balance) in snapshots {
                let moved: i64 = books
                    .transactions
                    .iter()
                    .filter(|row| row.account_id == account.account_id && !row.pending)
                    .filter(|row| eve < row.date && row.date <= *as_of)
                    .map(signed)
                    .sum();
                assert_eq!(*balance, opening + moved, "{today}: {} on {as_of}", account.name);
            }
            assert_eq!(snapshots.last().map(|last| last.1), account.balance_cents, "{}", account.name);
        }
    }
}

#[test]
fn accounts_are_never_overdrawn_and_rows_use_the_account_currency() {
    for today in DAYS {
        let books = books(today);
        for account in &books.accounts {
            if account.account_type != AccountType::Credit {
                let least = books.snapshots[&account.account_id].iter().map(|snapshot| snapshot.1).min();
                assert!(least >= Some(0), "{today}: {} falls to {least:?}", account.name);
            }
            let foreign =
                |row: &&Transaction| row.account_id == account.account_id && row.currency != account.currency;
            assert_eq!(books.transactions.iter().find(foreign), None);
        }
        assert!(
            books
                .accounts
                .iter()
                .any(|account| account.closed_on.is_some() && account.balance_cents == Some(0))
        );
    }
}

#[test]
fn brokerage_balance_is_cash_plus_holdings() {
    for today in DAYS {
        let books = books(today);
        let brokerage = books
            .accounts
            .iter()
            .find(|account| account.account_type == AccountType::Investment)
            .expect("one");
        let held: i64 = books
            .holdings
            .iter()
            .map(|holding| {
                let (_, price) = books.prices[&holding.security_id].last_key_value().expect("it has prices");
                let cents = holding.quantity * price * Decimal::ONE_HUNDRED;
                cents
                    .round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero)
                    .to_i64()
                    .expect("it fits")
            })
            .sum();
        let rows = books.transactions.iter().filter(|row| row.account_id == brokerage.account_id);
        let came_in: i64 = rows.clone().map(signed).sum();
        // A purchase that is due today waits for today's price.
        let plans = rows.filter(|row| row.linked_transaction_id.is_some() && row.date < today).count();
        let invested = i64::try_from(plans).expect("a few") * PLAN_CENTS;
        let cash = OwnAccount::Brokerage.facts().opening_cents + came_in - invested;
        assert_eq!(brokerage.balance_cents, Some(cash + held), "{today}");
        assert_eq!(books.snapshots[&brokerage.account_id].last().map(|last| last.1), brokerage.balance_cents);
        assert!(books.holdings.iter().all(|holding| holding.cost_basis_cents > Some(0)));
    }
}

#[test]
fn dollars_spent_in_the_rate_gap_cannot_be_converted() {
    let dollar = Currency::parse("USD").expect("a code");
    for today in DAYS {
        let books = books(today);
        let has_rate = |day: Date| {
            let mut days = (0..=31).map(|back| day - back.days());
            days.any(|day| books.rates.contains(&("USD".to_owned(), day)))
        };
        assert!(has_rate(today), "{today}: today's picture is whole");
        let (convertible, stranded): (Vec<&Transaction>, Vec<&Transaction>) = books
            .transactions
            .iter()
            .filter(|row| row.currency == dollar && row.transaction_type == TransactionType::Expense)
            .partition(|row| has_rate(row.date));
        assert!(convertible.len() >= 60, "{today}: {} convertible rows", convertible.len());
        assert!((5..=40).contains(&stranded.len()), "{today}: {} rows without a rate", stranded.len());
    }
}

#[test]
fn nothing_is_dated_after_today() {
    for today in DAYS {
        let books = books(today);
        assert!(books.transactions.iter().all(|row| row.date <= today));
        assert!(books.rates.iter().all(|(_, as_of)| *as_of <= today));
        assert!(books.snapshots.values().flatten().all(|(as_of, _)| *as_of <= today));
        assert!(books.prices.values().flat_map(BTreeMap::keys).all(|as_of| *as_of <= today));
    }
}
