//! The days of the household, and the random numbers of each day. Neither uses a clock, randomness of the operating
//! system or floating point.
//!
//! Because the day is the seed, the events of a past day are the same on whichever day the household is generated.

use std::iter;
use std::ops::RangeInclusive;

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// The days that the household covers, both ends included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// First day of the window: the first of the month two years ago, so that every month except the current one is
    /// complete.
    pub(super) first: Date,
    /// Last day of the window.
    pub(super) today: Date,
}

impl Window {
    /// Returns the two years that end on `today`.
    pub(super) fn ending(today: Date) -> Window {
        Window { first: today.saturating_sub(2.years()).first_of_month(), today }
    }

    /// Iterates over every day, oldest first.
    pub(super) fn days(self) -> impl Iterator<Item = Date> {
        days(self.first, self.today)
    }

    /// Iterates over the first day of every month, oldest first.
    pub(super) fn months(self) -> impl Iterator<Item = Date> {
        iter::successors(Some(self.first), |month| Some(*month + 1.month()))
            .take_while(move |month| *month <= self.today)
    }

    /// Returns the day before the window, the date of the opening balances.
    pub(super) fn eve(self) -> Date {
        self.first - 1.day()
    }

    /// Returns true if the day is in the window.
    pub(super) fn covers(self, day: Date) -> bool {
        self.first <= day && day <= self.today
    }
}

/// Iterates from `first` to `last`, both included.
pub(super) fn days(first: Date, last: Date) -> impl Iterator<Item = Date> {
    iter::successors(Some(first), |day| Some(*day + 1.day())).take_while(move |day| *day <= last)
}

/// Returns the given day of a month, or the last day of a shorter month.
pub(super) fn in_month(month: Date, day: i8) -> Date {
    let first = month.first_of_month();
    first
        .with()
        .day(day.min(first.days_in_month()))
        .build()
        .expect("the day was limited to the month's length")
}

/// Returns true on Monday to Friday. Public holidays are not modelled.
pub(super) fn is_business_day(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Returns the day itself if it is a business day, otherwise the next business day.
pub(super) fn business_day_from(day: Date) -> Date {
    if is_business_day(day) { day } else { business_day_from(day + 1.day()) }
}

/// Returns the last business day of a month.
pub(super) fn last_business_day(month: Date) -> Date {
    let mut day = month.last_of_month();
    while !is_business_day(day) {
        day -= 1.day();
    }
    day
}

/// Returns the number of days since 1970-01-01.
pub(super) fn day_number(day: Date) -> i64 {
    at(day, 0, 0).as_second().div_euclid(86_400)
}

/// Returns the number of months since year 0.
pub(super) fn month_number(day: Date) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month()) - 1
}

/// Returns a time of day in UTC.
pub(super) fn at(day: Date, hour: i8, minute: i8) -> Timestamp {
    let time = Time::constant(hour, minute, 0, 0);
    day.to_datetime(time)
        .to_zoned(TimeZone::UTC)
        .expect("a day between 1900 and 2200 is within the range of time-stamps")
        .timestamp()
}

/// Amplitudes of [`wave`] are given in millionths.
pub(super) const MILLION: i64 = 1_000_000;

/// A splitmix64 generator.
#[derive(Debug)]
pub(super) struct Generator(u64);

impl Generator {
    /// Returns the generator of one stream of events (`"coffee"`) on one day.
    pub(super) fn for_day(stream: &str, day: Date) -> Generator {
        Generator::numbered(stream, day_number(day))
    }

    fn numbered(stream: &str, number: i64) -> Generator {
        // FNV-1a hashes the name of the stream; the first draw mixes in the number.
        let seed = stream.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut generator = Generator(seed ^ number.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15));
        generator.draw();
        generator
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `bound` - 1.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product avoids the bias of a remainder.
        let product = u128::from(self.draw()) * u128::from(bound);
        u64::try_from(product >> 64).expect("the high half of a 128-bit product fits 64 bits")
    }

    /// Returns a number in the range, both ends included.
    pub(super) fn between(&mut self, range: RangeInclusive<i64>) -> i64 {
        let width = range.end() - range.start() + 1;
        let offset = self.below(width.cast_unsigned());
        range.start() + offset.cast_signed()
    }

    /// Returns true with a probability of `percent`.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        let index = self.below(items.len() as u64);
        items[usize::try_from(index).expect("an index into memory fits a usize")]
    }
}

/// Returns the value of a curve on a day, between −`amplitude` and +`amplitude` millionths. The curve interpolates
/// between random points that are `period` days apart. Sums of such curves resemble prices and stay within known
/// bounds.
pub(super) fn wave(stream: &str, day: Date, period: i64, amplitude: i64) -> i64 {
    let number = day_number(day);
    let (step, passed) = (number.div_euclid(period), number.rem_euclid(period));
    let point = |step: i64| Generator::numbered(stream, step).between(-amplitude..=amplitude);
    (point(step) * (period - passed) + point(step + 1) * passed) / period
}
