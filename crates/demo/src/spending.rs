//! The spending of the household: everyday payments, larger purchases with their refunds, two journeys a year, and the
//! pending payments of the last two days.
//!
//! The first days in New York lie more than 31 days after the last rate before the yearly gap (see
//! `securities::exchange_rates`), so that some payments there cannot be converted.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday, date};
use passbook_domain::category::{ExpenseCategory as Spent, IncomeCategory as Received};

use super::accounts::OwnAccount;
use super::calendar::{Generator, business_day_from, days, in_month, is_business_day};
use super::ledger::{Ledger, NewTransaction};
use super::merchants::{
    COFFEE, ERRANDS, LISBON, LUNCH, Merchant, NEW_YORK, RESTAURANTS, SUPERMARKETS, purchase,
};

/// Adds the everyday payments of all days on which nobody travels.
pub(super) fn write_everyday(ledger: &mut Ledger) {
    for day in ledger.window.days() {
        if is_away(day) {
            continue;
        }
        let supermarket = match day.weekday() {
            Weekday::Saturday => 86,
            Weekday::Sunday => 0,
            Weekday::Tuesday | Weekday::Thursday => 34,
            _ => 14,
        };
        let evening_out = if matches!(day.weekday(), Weekday::Friday | Weekday::Saturday) { 34 } else { 6 };
        let working = is_business_day(day);
        visit(ledger, day, "groceries", supermarket, SUPERMARKETS);
        visit(ledger, day, "coffee", if working { 30 } else { 14 }, COFFEE);
        visit(ledger, day, "lunch", if working { 17 } else { 0 }, LUNCH);
        visit(ledger, day, "evening", evening_out, RESTAURANTS);
        visit(ledger, day, "errand", if day.weekday() == Weekday::Sunday { 6 } else { 19 }, ERRANDS);
    }
}

/// Adds a purchase at one of the shops with a probability of `percent`.
fn visit(ledger: &mut Ledger, day: Date, stream: &str, percent: u64, shops: &[Merchant]) {
    let mut random = Generator::for_day(stream, day);
    if random.chance(percent) {
        ledger.add(purchase(&mut random, OwnAccount::Card, day, shops));
    }
}

/// Adds clothes, furniture and devices, and the refunds.
pub(super) fn write_purchases(ledger: &mut Ledger) {
    for month in ledger.window.months() {
        clothes(ledger, month);
        match month.month() {
            1 => furniture(ledger, in_month(month, 10)),
            6 | 12 => device(ledger, in_month(month, 5)),
            _ => {}
        }
    }
}

/// Adds a monthly purchase of clothes. In every other month a part or all of it is refunded.
fn clothes(ledger: &mut Ledger, month: Date) {
    let mut random = Generator::for_day("clothes", month);
    let day = in_month(month, 8) + random.between(0..=6).days();
    let cents = random.between(30..=140) * 100 + 95;
    let bought = NewTransaction::expense(OwnAccount::Card, day, Spent::Clothing, cents)
        .title("ZALANDO PAYMENTS GMBH 10105238817")
        .merchant(random.pick(&["Zalando", "Zalando", "ZALANDO"]));
    let Some(purchase) = ledger.add(bought) else { return };
    if month.month() % 2 == 1 {
        return;
    }
    let share = if random.chance(40) { cents } else { random.between(20..=70) * cents / 100 };
    let back = day + random.between(9..=13).days();
    ledger.add(
        NewTransaction::income(OwnAccount::Card, back, Received::Refund, share)
            .title("ZALANDO PAYMENTS GMBH RETOURE 10105238817")
            .merchant("Zalando")
            .linked(purchase),
    );
}

fn device(ledger: &mut Ledger, day: Date) {
    let cents = Generator::for_day("device", day).between(79..=249) * 100 + 99;
    ledger.add(
        NewTransaction::expense(OwnAccount::Card, day, Spent::Electronics, cents)
            .title("MEDIAMARKT HAMBURG-ALTONA//HAMBURG/DE")
            .merchant("MediaMarkt"),
    );
}

fn furniture(ledger: &mut Ledger, day: Date) {
    let cents = Generator::for_day("furniture", day).between(60..=240) * 100 - 1;
    ledger.add(
        NewTransaction::expense(OwnAccount::Card, day, Spent::Furniture, cents)
            .title("IKEA DEUTSCHLAND FIL 338 ALTONA")
            .merchant("IKEA"),
    );
}

/// Returns true if the household travels on a day.
fn is_away(day: Date) -> bool {
    new_york(day.year()).contains(&day) || lisbon(day.year()).contains(&day)
}

fn new_york(year: i16) -> std::ops::RangeInclusive<Date> {
    date(year, 5, 9)..=date(year, 5, 17)
}

fn lisbon(year: i16) -> std::ops::RangeInclusive<Date> {
    date(year, 8, 9)..=date(year, 8, 20)
}

/// Adds both journeys of every year.
pub(super) fn write_journeys(ledger: &mut Ledger) {
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
        ledger.add(NewTransaction::expense(account, day, category, cents).merchant(merchant).title(title));
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

/// Adds the payments. The posted row links to the pending row that it replaces, which then no longer counts.
pub(super) fn write_pending(ledger: &mut Ledger) {
    let today = ledger.window.today;
    let yesterday = today - 1.day();
    let dinner = |date, cents, title| {
        NewTransaction::expense(OwnAccount::Card, date, Spent::Restaurant, cents)
            .title(title)
            .merchant("Trattoria da Enzo")
    };
    let reserved = ledger.add(dinner(yesterday, 4_200, "VORGEMERKT TRATTORIA DA ENZO").pending());
    if let Some(reserved) = reserved {
        ledger.add(dinner(today, 4_620, "TRATTORIA DA ENZO//HAMBURG/DE").linked(reserved));
    }
    ledger.add(
        NewTransaction::expense(OwnAccount::Card, today, Spent::Groceries, 2_318)
            .title("VORGEMERKT REWE MARKT ALTONA")
            .merchant("REWE")
            .pending(),
    );
    ledger.add(
        NewTransaction::expense(OwnAccount::Checking, yesterday, Spent::Coffee, 480)
            .title("VORGEMERKT CAFE MUELLER GIROCARD")
            .merchant("Café Müller")
            .pending(),
    );
}
