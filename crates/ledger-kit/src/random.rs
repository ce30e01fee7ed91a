//! Random choices from a seed: the same seed gives the same choices, so a failure can be reproduced.

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
