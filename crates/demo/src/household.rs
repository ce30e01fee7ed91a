//! Generates every record of the demo household.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_records::{Located, Record};

use super::accounts::{Institution, OwnAccount};
use super::calendar::Window;
use super::ledger::Ledger;
use super::listings::LISTINGS;
use super::person::person;
use super::{
    balances, budgets, coins, depot, everyday, income, paper, purchases, rates, recurring, transfers, travel,
    unposted,
};

/// Generates the household whose last day is `today`. A record comes after the records that it refers to.
pub fn household(today: Date) -> Vec<Located> {
    let window = Window::ending(today);
    let ledger = write_ledger(window);

    let mut records = vec![Record::User(person()), Record::RateBase(Currency::EUR)];
    records.extend(rates::records(window).map(Record::ExchangeRate));
    records.extend(Institution::ALL.map(|institution| Record::Bank(institution.record(today))));
    for account in OwnAccount::ALL {
        let snapshots = balances::snapshots(&ledger, account);
        let balance_cents = snapshots.last().map_or(0, |last| last.balance_cents);
        records.push(Record::Account(account.record(window, balance_cents)));
        records.extend(snapshots.into_iter().map(Record::BalanceSnapshot));
    }
    for listing in LISTINGS {
        records.push(Record::Security(listing.record()));
        records.extend(listing.prices(window).map(Record::SecurityPrice));
    }
    records.extend(depot::holdings(window).map(Record::Holding));
    records.extend(coins::wallets(today).map(Record::Wallet));
    records.extend(coins::holdings(window).map(Record::WalletHolding));
    records.push(Record::PaperAccount(paper::account(today)));
    records.extend(paper::positions().map(Record::PaperPosition));
    records.extend(budgets::records().map(Record::Budget));
    records.extend(ledger.into_rows().into_iter().map(Record::Transaction));

    let place = |number: usize| format!("demo household, record {}", number + 1);
    records.into_iter().enumerate().map(|(number, record)| Located { place: place(number), record }).collect()
}

fn write_ledger(window: Window) -> Ledger {
    let mut ledger = Ledger::new(window);
    recurring::write(&mut ledger);
    income::write(&mut ledger);
    everyday::write(&mut ledger);
    purchases::write(&mut ledger);
    travel::write(&mut ledger);
    // A card payment depends on the balance owed, so transfers come after all spending.
    transfers::write(&mut ledger);
    unposted::write(&mut ledger);
    ledger
}
