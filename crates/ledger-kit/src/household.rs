//! Random households: data of one person with every kind of row, the same for the same seed, so a failure
//! can be reproduced.

mod assets;
mod rows;

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday, date};
use passbook_domain::Currency;
use passbook_domain::month_start::MonthStart;
use uuid::Uuid;

use crate::data::{LedgerData, Rate, StoredPerson};

/// A pseudo-random generator (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number, uniformly distributed over all 64-bit values.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which must not be 0.
    ///
    /// # Panics
    /// `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.any() % bound as u64).expect("below a usize")
    }

    /// Returns a number from `least` up to and without `end`, which must be larger.
    ///
    /// # Panics
    /// The numbers are more than 64 bits apart.
    pub fn between(&mut self, least: i64, end: i64) -> i64 {
        let width = usize::try_from(end - least).expect("`end` is larger");
        least + i64::try_from(self.below(width)).expect("below the width")
    }

    /// Returns a random element of a slice that is not empty.
    ///
    /// # Panics
    /// The slice is empty.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Returns true with probability 1 in `of`.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

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
    let starts = [1, 1, 0, 15, 25].into_iter().filter_map(MonthStart::from_number).collect::<Vec<_>>();
    person.month_start = *random.pick(&starts);
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
