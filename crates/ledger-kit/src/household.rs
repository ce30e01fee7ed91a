//! Random households: data of one person with every kind of row, the same for the same seed.

mod assets;
mod rows;

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday, date};
use passbook_domain::Currency;
use uuid::Uuid;

use crate::data::{LedgerData, Rate, StoredPerson};
use crate::random::Random;

/// The day that every household uses as today, a Saturday.
const TODAY: Date = date(2026, 11, 21);
/// Ages of rates in days: of the oldest rate, and of those around a gap that is longer than a rate is valid.
const RATES_DAYS: i64 = 420;
const GAP_DAYS: std::ops::Range<i64> = 100..160;
/// The currencies of rows. JPY has rates for few days, SEK has none.
const CURRENCIES: [&str; 7] = ["EUR", "EUR", "EUR", "USD", "CHF", "JPY", "SEK"];

/// Returns a random household: a person with accounts in several currencies, pending rows with and without a posted row
/// that replaces them, refunds, transfers, excluded categories, targets, securities, wallets and simulated accounts, and
/// exchange rates with gaps. The same seed gives the same household.
pub fn household(seed: u64) -> LedgerData {
    let mut random = Random::new(seed);
    let random = &mut random;
    let id = Uuid::from_u128(u128::from(random.any()) << 64 | u128::from(random.any()));
    let mut person = StoredPerson::new(id, format!("{}@example.org", id.simple()));
    let preferred: &&str = random.pick(&["EUR", "USD", "CHF"]);
    person.preferred_currency = currency(preferred);
    let zones = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati"];
    person.time_zone = (*random.pick(&zones)).to_owned();
    assets::add(random, &mut person);
    rows::add(random, &mut person);
    let mut data = LedgerData::new(TODAY);
    data.rates = rates(random);
    data.people.push(person);
    data
}

fn rates(random: &mut Random) -> Vec<Rate> {
    let mut rates = Vec::new();
    for (code, whole, days) in [("USD", 1, RATES_DAYS), ("CHF", 0, RATES_DAYS), ("JPY", 150, 60)] {
        // A sparse table has a rate on few days.
        let sparse = random.one_in(3);
        for age in -3..days {
            let day = before_today(age);
            let is_weekend = matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
            if is_weekend || GAP_DAYS.contains(&age) || sparse && !random.one_in(30) {
                continue;
            }
            let fraction = 1 + random.below(9_999);
            rates.push(Rate {
                currency: currency(code),
                day,
                units_per_base: format!("{whole}.{fraction:04}"),
            });
        }
    }
    rates
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).expect("a currency code")
}

fn any_currency(random: &mut Random) -> Currency {
    let code: &&str = random.pick(&CURRENCIES);
    currency(code)
}

fn before_today(days: i64) -> Date {
    TODAY.saturating_sub(days.days())
}

/// Returns a random day from four days after today to `oldest` days before today.
fn day(random: &mut Random, oldest: usize) -> Date {
    before_today(random.between(-4, i64::try_from(oldest).expect("few days")))
}
