//! Two journeys a year: New York in May, paid in dollars, and Lisbon in August.
//!
//! The first days in New York lie more than 31 days after the last rate before the yearly gap (see `rates`), so that
//! some payments there cannot be converted.

use jiff::civil::{Date, date};
use passbook_domain::category::ExpenseCategory as Spent;

use super::accounts::OwnAccount;
use super::calendar::{business_day_from, days};
use super::generator::Generator;
use super::ledger::{Entry, Ledger};
use super::merchants::{LISBON, Merchant, NEW_YORK, purchase};

/// Returns true if the household travels on a day.
pub(super) fn is_away(day: Date) -> bool {
    new_york(day.year()).contains(&day) || lisbon(day.year()).contains(&day)
}

fn new_york(year: i16) -> std::ops::RangeInclusive<Date> {
    date(year, 5, 9)..=date(year, 5, 17)
}

fn lisbon(year: i16) -> std::ops::RangeInclusive<Date> {
    date(year, 8, 9)..=date(year, 8, 20)
}

/// Adds both journeys of every year.
pub(super) fn write(ledger: &mut Ledger) {
    for year in ledger.window.first.year()..=ledger.window.today.year() {
        book(ledger, year);
        spend(ledger, new_york(year), OwnAccount::TravelCard, 3, NEW_YORK);
        spend(ledger, lisbon(year), OwnAccount::Card, 2, LISBON);
    }
}

/// Adds flights, lodging and tours.
#[rustfmt::skip]
fn book(ledger: &mut Ledger, year: i16) {
    let mut random = Generator::for_day("booking", date(year, 1, 1));
    let mut pay = |account, day, category, cents, merchant: &str, title: &str| {
        ledger.add(Entry::expense(account, day, category, cents).merchant(merchant).title(title));
    };
    let fare = random.between(42_000..=56_000);
    pay(OwnAccount::Card, business_day_from(date(year, 2, 20)), Spent::Flights, fare, "Lufthansa", "LUFTHANSA 2204417783120 KOELN");
    pay(OwnAccount::TravelCard, date(year, 5, 9), Spent::Lodging, 38_640, "Pod 39", "POD 39 HOTEL NEW YORK NY DEPOSIT");
    pay(OwnAccount::TravelCard, date(year, 5, 17), Spent::Lodging, 61_280, "Pod 39", "POD 39 HOTEL NEW YORK NY");
    pay(OwnAccount::TravelCard, date(year, 5, 13), Spent::Vacation, 8_400, "Circle Line", "CIRCLE LINE SIGHTSEEING NYC");
    let fare = random.between(17_000..=24_000);
    pay(OwnAccount::Card, business_day_from(date(year, 6, 3)), Spent::Flights, fare, "TAP Air Portugal", "TAP PORTUGAL 0472261187702");
    pay(OwnAccount::Card, date(year, 8, 9), Spent::Vacation, random.between(54_000..=66_000), "Casa da Praça", "CASA DA PRACA ALOJAMENTO LISBOA");
}

fn spend(
    ledger: &mut Ledger,
    stay: std::ops::RangeInclusive<Date>,
    account: OwnAccount,
    a_day: u8,
    shops: &[Merchant],
) {
    for day in days(*stay.start(), *stay.end()) {
        let mut random = Generator::for_day("journey", day);
        for _ in 0..a_day {
            ledger.add(purchase(&mut random, account, day, shops));
        }
    }
}
