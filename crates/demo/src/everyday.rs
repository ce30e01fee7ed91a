//! Small everyday payments: groceries, coffee, lunch, restaurants and errands.

use jiff::civil::{Date, Weekday};

use super::accounts::OwnAccount;
use super::calendar::is_business_day;
use super::generator::Generator;
use super::ledger::Ledger;
use super::merchants::{COFFEE, ERRANDS, LUNCH, Merchant, RESTAURANTS, SUPERMARKETS, purchase};
use super::travel;

/// Adds the everyday payments of all days on which nobody travels.
pub(super) fn write(ledger: &mut Ledger) {
    for day in ledger.window.days() {
        if travel::is_away(day) {
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
