//! The demo household's own random: repeatable, seeded by a name and a day, and free of the clock, of the operating
//! system's randomness and of floating point.
//!
//! Because the seed is the day itself, a past day looks the same whenever the household is made, and tomorrow's
//! household continues today's.

use std::ops::RangeInclusive;

use jiff::civil::Date;

use super::calendar::day_number;

/// A million: amplitudes of [`wave`] are parts of it.
pub(super) const MILLION: i64 = 1_000_000;

/// A splitmix64 generator.
#[derive(Debug)]
pub(super) struct Generator(u64);

impl Generator {
    /// The random of one stream of events (`"coffee"`) on one day.
    pub(super) fn for_day(stream: &str, day: Date) -> Generator {
        Generator::numbered(stream, day_number(day))
    }

    fn numbered(stream: &str, number: i64) -> Generator {
        // FNV-1a spreads the stream's name; the first draw mixes the number in.
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

    /// A number from 0 up to, not including, `bound`.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product: no modulo bias worth speaking of.
        let product = u128::from(self.draw()) * u128::from(bound);
        u64::try_from(product >> 64).expect("the high half of a 128-bit product fits 64 bits")
    }

    /// A number in a range, both ends included.
    pub(super) fn between(&mut self, range: RangeInclusive<i64>) -> i64 {
        let width = range.end() - range.start() + 1;
        let offset = self.below(width.cast_unsigned());
        range.start() + offset.cast_signed()
    }

    /// True so many times in a hundred.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        let index = self.below(items.len() as u64);
        items[usize::try_from(index).expect("an index into memory fits a usize")]
    }
}

/// A smooth curve through random points `period` days apart, between −`amplitude` and +`amplitude` parts of a
/// million. Sums of such curves move as prices do, and stay within known bounds.
pub(super) fn wave(stream: &str, day: Date, period: i64, amplitude: i64) -> i64 {
    let number = day_number(day);
    let (step, passed) = (number.div_euclid(period), number.rem_euclid(period));
    let point = |step: i64| Generator::numbered(stream, step).between(-amplitude..=amplitude);
    (point(step) * (period - passed) + point(step + 1) * passed) / period
}
