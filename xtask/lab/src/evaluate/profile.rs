//! The facts that all rows of a generated household share.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::recurring::WINDOW_MONTHS;

use super::calendar::plus;
use crate::random::Random;

/// A household's seed, period, currency and cards.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub(super) seed: u64,
    pub(super) first: Date,
    pub(super) today: Date,
    pub(super) currency: &'static str,
    /// Day on which the bank replaced the card by a card with another number; `None` if it never did.
    pub(super) new_card: Option<Date>,
}

impl Profile {
    /// Creates the profile of the household with this seed, by random choices.
    pub(super) fn new(seed: u64) -> Profile {
        let mut random = Random::new(seed, "home");
        let today = plus(Date::constant(2026, 1, 1), random.between(0, 330));
        let first = today - WINDOW_MONTHS.months();
        // For 12 % of the households the bank provides a shorter history.
        let first = if random.percent(12) { plus(first, random.between(60, 400)) } else { first };
        let new_card = random.percent(30).then(|| plus(first, random.between(90, 650)));
        Profile { seed, first, today, currency: if random.percent(50) { "USD" } else { "EUR" }, new_card }
    }

    /// Returns the name of the card account on which a payment of `day` is booked.
    pub(super) fn card(&self, day: Date) -> &'static str {
        if self.new_card.is_some_and(|since| day >= since) { "Visa 9921" } else { "Visa 1204" }
    }
}
