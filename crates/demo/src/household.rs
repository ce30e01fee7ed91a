//! Generates every record of the demo household.

use std::collections::BTreeMap;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_records::record::BalanceSnapshot;
use passbook_records::{Located, Record};

use super::accounts::{self, Institution, OwnAccount, USER_ID, person};
use super::calendar::Window;
use super::ledger::{Ledger, signed};
use super::securities::{self, LISTINGS};
use super::{income, portfolio, recurring, spending};

/// Generates the household whose last day is `today`. A record comes after the records that it refers to.
pub fn household(today: Date) -> Vec<Located> {
    let window = Window::ending(today);
    let ledger = write_ledger(window);

    let mut records = vec![Record::User(person()), Record::RateBase(Currency::EUR)];
    records.extend(securities::exchange_rates(window).map(Record::ExchangeRate));
    records.extend(Institution::ALL.map(|institution| Record::Bank(institution.record(today))));
    for account in OwnAccount::ALL {
        let snapshots = snapshots(&ledger, account);
        let balance_cents = snapshots.last().map_or(0, |last| last.balance_cents);
        records.push(Record::Account(account.record(window, balance_cents)));
        records.extend(snapshots.into_iter().map(Record::BalanceSnapshot));
    }
    for listing in LISTINGS {
        records.push(Record::Security(listing.record()));
        records.extend(listing.prices(window).map(Record::SecurityPrice));
    }
    records.extend(portfolio::holdings(window).map(Record::Holding));
    records.extend(portfolio::wallets(today).map(Record::Wallet));
    records.extend(portfolio::wallet_holdings(window).map(Record::WalletHolding));
    records.push(Record::PaperAccount(portfolio::paper_account(today)));
    records.extend(portfolio::paper_positions().map(Record::PaperPosition));
    records.extend(accounts::budgets().map(Record::Budget));
    records.extend(ledger.into_rows().into_iter().map(Record::Transaction));

    let place = |number: usize| format!("demo household, record {}", number + 1);
    records.into_iter().enumerate().map(|(number, record)| Located { place: place(number), record }).collect()
}

fn write_ledger(window: Window) -> Ledger {
    let mut ledger = Ledger::new(window);
    recurring::write(&mut ledger);
    income::write_income(&mut ledger);
    spending::write_everyday(&mut ledger);
    spending::write_purchases(&mut ledger);
    spending::write_journeys(&mut ledger);
    // A card payment depends on the balance owed, so transfers come after all spending.
    income::write_transfers(&mut ledger);
    spending::write_pending(&mut ledger);
    ledger
}

/// Returns the snapshots of an account, oldest first. The first is always the opening balance on the day before the
/// window.
pub(super) fn snapshots(ledger: &Ledger, account: OwnAccount) -> Vec<BalanceSnapshot> {
    let balances = match account {
        OwnAccount::Brokerage => portfolio::brokerage_values(ledger),
        _ => running(ledger, account),
    };
    let mut snapshots: Vec<BalanceSnapshot> = Vec::new();
    for (as_of, balance_cents) in balances {
        if snapshots.last().is_none_or(|last| last.balance_cents != balance_cents) {
            snapshots.push(BalanceSnapshot {
                user_id: USER_ID,
                account_id: account.account_id(),
                as_of,
                balance_cents,
            });
        }
    }
    snapshots
}

fn running(ledger: &Ledger, account: OwnAccount) -> Vec<(Date, i64)> {
    let mut moved: BTreeMap<Date, i64> = BTreeMap::new();
    for row in ledger.posted(account) {
        *moved.entry(row.date).or_insert(0) += signed(row);
    }
    let mut balance = account.facts().opening_cents;
    let mut balances = vec![(ledger.window.eve(), balance)];
    for (day, cents) in moved {
        balance += cents;
        balances.push((day, balance));
    }
    balances
}
