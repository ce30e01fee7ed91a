//! A deterministic pseudo-random generator, seeded by the name of a stream of events and a day. It uses no clock, no
//! randomness of the operating system and no floating point.
//!
//! Because the day is the seed, the events of a past day are the same on whichever day the household is generated.

use std::ops::RangeInclusive;

use jiff::civil::Date;

use super::calendar::day_number;

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
