//! A random generator that always returns the same numbers for a seed. The next version of a library might return other
//! numbers.

/// The generator `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator for one purpose. The same seed and purpose give the same numbers.
    pub(crate) fn new(seed: u64, purpose: &str) -> Random {
        // FNV-1a over the purpose.
        let hash = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut random = Random(seed ^ hash);
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from `least` to `most`, both included.
    pub(crate) fn between(&mut self, least: i64, most: i64) -> i64 {
        let span = u64::try_from(most - least).expect("the least is not above the most") + 1;
        least + i64::try_from(self.next() % span).expect("the span is small")
    }

    /// Returns true with a probability of `chance` percent.
    pub(crate) fn percent(&mut self, chance: i64) -> bool {
        self.between(1, 100) <= chance
    }

    /// Returns one of the items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let last = i64::try_from(items.len()).expect("a short list") - 1;
        &items[usize::try_from(self.between(0, last)).expect("an index")]
    }

    /// Returns `value` plus or minus at most `percent` percent.
    pub(crate) fn around(&mut self, value: i64, percent: i64) -> i64 {
        value + value * self.between(-percent * 10, percent * 10) / 1000
    }
}
