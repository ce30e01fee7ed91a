//! The demo household: two years of one person's money, made up, a pure function of the day they end on.
//!
//! A reader looks for a part by its name below; what happens on a past day does not depend on when the household
//! is made, so a demo started tomorrow continues today's.

mod accounts;
mod balances;
mod bills;
mod budgets;
mod calendar;
mod coins;
mod depot;
mod everyday;
mod generator;
mod income;
mod install;
mod labels;
mod ledger;
mod listings;
mod merchants;
mod paper;
mod purchases;
mod rates;
mod standing;
mod subscriptions;
mod transfers;
mod travel;
mod unposted;

#[cfg(test)]
mod tests;

use domain::Currency;
use domain::category::ExpenseCategory;
use jiff::civil::Date;
use uuid::Uuid;

pub use self::install::{install, today};

use self::accounts::{Institution, Place};
use self::calendar::Window;
use self::ledger::Ledger;
use self::listings::LISTINGS;
use formats::Located;
use formats::record::{Record, User};

/// The identifier of the one person in the demo household.
pub const USER_ID: Uuid = Uuid::from_u128(0xde30_0000_0000_4000_8000_0000_0000_0001);

/// That person's address.
pub const EMAIL: &str = "demo@passbook.example";

/// That person's time zone, which decides what day it is.
pub const TIME_ZONE: &str = "Europe/Berlin";

/// Everything there is to load, in the order in which rows refer to one another.
pub fn household(today: Date) -> Vec<Located> {
    let window = Window::ending(today);
    let ledger = write_ledger(window);

    let mut records = vec![Record::User(person()), Record::RateBase(Currency::EUR)];
    records.extend(rates::records(window).map(Record::ExchangeRate));
    records.extend(Institution::ALL.map(|institution| Record::Bank(institution.record(today))));
    for place in Place::ALL {
        let snapshots = balances::snapshots(&ledger, place);
        let balance_cents = snapshots.last().map_or(0, |last| last.balance_cents);
        records.push(Record::Account(place.record(window, balance_cents)));
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
    standing::write(&mut ledger);
    income::write(&mut ledger);
    everyday::write(&mut ledger);
    purchases::write(&mut ledger);
    travel::write(&mut ledger);
    // Paying a card needs to know what is owed, so transfers come after everything that is spent.
    transfers::write(&mut ledger);
    unposted::write(&mut ledger);
    ledger
}

fn person() -> User {
    User {
        user_id: USER_ID,
        email: EMAIL.to_owned(),
        preferred_currency: Currency::EUR,
        time_zone: TIME_ZONE.to_owned(),
        excluded_categories: vec![ExpenseCategory::Vacation],
    }
}
