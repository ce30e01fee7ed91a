//! A simulated account, whose balance is known on every day.

use jiff::civil::Date;

use crate::random::Random;

/// Days of the simulation. The last one is today.
pub(super) const DAYS: i64 = 180;

/// One booking of an account.
#[derive(Clone, Copy, Debug)]
pub(super) struct Booking {
    pub(super) id: u64,
    pub(super) day: i64,
    pub(super) cents: i64,
    /// The half day from which on the bank shows the booking: twice the number of a day is its noon.
    pub(super) shown: i64,
}

/// An account with its bookings by day.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) seed: u64,
    /// The balance before the first day, in hundredths.
    pub(super) before: i64,
    pub(super) bookings: Vec<Booking>,
}

/// Returns the date of a day of the simulation.
pub(super) fn date(day: i64) -> Date {
    Date::constant(2026, 5, 28).saturating_add(jiff::Span::new().days(day))
}

impl Account {
    /// Returns the three accounts of a household: purchases, equal purchases of a day, a salary, and transfers between the
    /// accounts.
    pub(super) fn household(seed: u64) -> [Account; 3] {
        let mut random = Random::new(seed, "balances");
        let mut accounts = [0, 1, 2].map(|number| Account {
            seed: seed * 3 + number,
            before: random.between(-20_000, 400_000),
            bookings: Vec::new(),
        });
        for day in 0..DAYS {
            for account in &mut accounts {
                while random.percent(40) {
                    let cents = *random.pick(&[-450, -450, -990, -1_250, -3_199, -12_000, 700]);
                    let copies = if random.percent(8) { 2 } else { 1 };
                    (0..copies).for_each(|_| account.book(day, cents, &mut random));
                }
            }
            if day % 30 == 26 {
                accounts[0].book(day, 250_000 + random.between(0, 99), &mut random);
            }
            if day % 30 == 28 {
                let cents = random.between(100, 900) * 100;
                let other = usize::from(random.percent(50)) + 1;
                accounts[0].book(day, -cents, &mut random);
                accounts[other].book(day + random.between(0, 1), cents, &mut random);
            }
        }
        accounts.map(|mut account| {
            account.bookings.retain(|booking| booking.day < DAYS);
            account.bookings.sort_by_key(|booking| (booking.day, booking.shown));
            account
        })
    }

    fn book(&mut self, day: i64, cents: i64, random: &mut Random) {
        let id = self.bookings.len() as u64;
        // The first or the second half of the day.
        self.bookings.push(Booking { id, day, cents, shown: 2 * day + random.between(0, 1) });
    }

    /// Returns the balance at the end of a day, in hundredths.
    pub(super) fn balance(&self, day: i64) -> i64 {
        let until = self.bookings.iter().filter(|booking| booking.day <= day);
        self.before + until.map(|booking| booking.cents).sum::<i64>()
    }
}
