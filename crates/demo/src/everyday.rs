//! The small payments of every day: groceries, coffee, lunch, evenings out and errands.

use jiff::civil::{Date, Weekday};

use super::accounts::OwnAccount;
use super::calendar::is_business_day;
use super::generator::Generator;
use super::ledger::Ledger;
use super::merchants::{COFFEE, ERRANDS, LUNCH, Merchant, RESTAURANTS, SUPERMARKETS, purchase};
use super::travel;

/// Writes the small payments of every day at home down.
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

/// Perhaps pays at one of several shops.
fn visit(ledger: &mut Ledger, day: Date, stream: &str, percent: u64, shops: &[Merchant]) {
    let mut random = Generator::for_day(stream, day);
    if random.chance(percent) {
        ledger.add(purchase(&mut random, OwnAccount::Card, day, shops));
    }
}
