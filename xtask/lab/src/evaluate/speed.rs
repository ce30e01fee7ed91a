//! Measures the time of a detection, and for comparison the time to copy and sort the same rows.

use std::hint::black_box;
use std::time::{Duration, Instant};

use passbook_domain::recurring::{Payment, detect_streams};

use super::detector;
use super::household::Household;

/// Number of transactions in one detection: a household with many payments in 25 months.
const ROWS: usize = 2_500;
const RUNS: usize = 101;

/// Returns the number of rows, the median time to copy and sort them, and the median time of a detection.
pub(super) fn measure(seeds: std::ops::Range<u64>) -> (usize, Duration, Duration) {
    let households: Vec<Household> = seeds.map(Household::generate).collect();
    let as_of = households.iter().map(|household| household.today).max().expect("a household");
    let mut payments: Vec<Payment> = households.iter().flat_map(detector::payments).collect();
    payments.truncate(ROWS);
    let reference = median(|| {
        let mut copy = payments.clone();
        copy.sort_by(|one, other| (&one.title, one.date).cmp(&(&other.title, other.date)));
        black_box(copy);
    });
    let finding = median(|| {
        black_box(detect_streams(black_box(&payments), as_of));
    });
    (payments.len(), reference, finding)
}

fn median(work: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let started = Instant::now();
        work();
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times[RUNS / 2]
}
