//! Simulated households with transfers between own accounts.

use std::collections::HashSet;
use std::ops::Range;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_matching::transfer::{Leg, pair};
use uuid::Uuid;

use crate::random::Random;

/// Transfers of one household.
const TRANSFERS: i64 = 30;
/// Days of the simulation.
const DAYS: i64 = 730;

/// The result on all households.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub(super) pairs: u64,
    pub(super) found: u64,
    pub(super) wrong: u64,
    pub(super) greedy_found: u64,
    pub(super) greedy_wrong: u64,
}

/// Account, day and cents of both legs.
type Facts = ((Uuid, Date, i64), (Uuid, Date, i64));

struct Household {
    legs: Vec<Leg>,
    truth: HashSet<Facts>,
    pairs: u64,
}

/// Measures the pairing on generated households.
pub(super) fn measure(seeds: Range<u64>) -> Found {
    let mut total = Found::default();
    for seed in seeds {
        let household = Household::generate(seed);
        let pairs: Vec<(usize, usize)> =
            pair(&household.legs).pairs.iter().map(|pair| (pair.out, pair.into)).collect();
        let (found, wrong) = household.compare(&pairs);
        let (greedy_found, greedy_wrong) = household.compare(&household.nearest());
        total.pairs += household.pairs;
        total.found += found;
        total.wrong += wrong;
        total.greedy_found += greedy_found;
        total.greedy_wrong += greedy_wrong;
    }
    total
}

impl Household {
    /// Generates transfers of round and other amounts, purchases of round amounts, and friends who pay back.
    fn generate(seed: u64) -> Household {
        let mut random = Random::new(seed, "import-transfers");
        let accounts: Vec<Uuid> =
            (1..=random.between(3, 5)).map(|id| Uuid::from_u128(id.unsigned_abs().into())).collect();
        let (mut legs, mut truth) = (Vec::new(), HashSet::new());
        for _ in 0..TRANSFERS {
            let out = *random.pick(&accounts);
            let into = loop {
                let other = *random.pick(&accounts);
                if other != out {
                    break other;
                }
            };
            let cents = amount(&mut random);
            let first = random.between(0, DAYS);
            let second = first + random.between(0, 3);
            let mut leg = |account, number, cents| {
                let leg = leg(account, number, cents, random.percent(90));
                legs.push(leg.clone());
                (leg.account, leg.day, leg.cents)
            };
            let facts = (leg(out, first, -cents), leg(into, second, cents));
            truth.insert(facts);
        }
        for _ in 0..random.between(200, 400) {
            let (account, number, sign) =
                (*random.pick(&accounts), random.between(0, DAYS), if random.percent(85) { -1 } else { 1 });
            let cents = amount(&mut random) * sign;
            legs.push(leg(account, number, cents, false));
        }
        legs.sort_by_key(|leg| (leg.account, leg.day));
        Household { legs, truth, pairs: TRANSFERS.unsigned_abs() }
    }

    fn compare(&self, pairs: &[(usize, usize)]) -> (u64, u64) {
        let facts = |leg: usize| (self.legs[leg].account, self.legs[leg].day, self.legs[leg].cents);
        let right =
            pairs.iter().filter(|(out, into)| self.truth.contains(&(facts(*out), facts(*into)))).count();
        (right as u64, (pairs.len() - right) as u64)
    }

    /// Pairs the nearest opposite amount on another account, as several programs do.
    fn nearest(&self) -> Vec<(usize, usize)> {
        let mut taken = HashSet::new();
        let mut pairs = Vec::new();
        for (out, leg) in self.legs.iter().enumerate().filter(|(_, leg)| leg.cents < 0) {
            let distance = |other: &Leg| (other.day - leg.day).get_days().abs();
            let fits = |other: &Leg| {
                other.account != leg.account && other.cents == -leg.cents && distance(other) <= 4
            };
            let free =
                (0..self.legs.len()).filter(|other| !taken.contains(other) && fits(&self.legs[*other]));
            if let Some(into) = free.min_by_key(|other| distance(&self.legs[*other])) {
                taken.insert(into);
                pairs.push((out, into));
            }
        }
        pairs
    }
}

/// Returns an amount in hundredths: often round.
fn amount(random: &mut Random) -> i64 {
    if random.percent(50) {
        *random.pick(&[5_000, 10_000, 20_000, 25_000, 50_000, 100_000])
    } else {
        random.between(1_000, 150_000)
    }
}

fn leg(account: Uuid, number: i64, cents: i64, is_marked: bool) -> Leg {
    let day = Date::constant(2026, 1, 1).saturating_add(jiff::Span::new().days(number));
    Leg { row: 0, account, day, cents, currency: Currency::EUR, stated: None, counter: None, is_marked }
}
