//! How long finding takes, beside copying and sorting the same rows in the same run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use domain::recurring::{Payment, detect_streams};

use super::detector;
use super::household::Household;

/// As many as a busy household has in 25 months.
const ROWS: usize = 2_500;
const RUNS: usize = 101;

/// Rows, and the middle time of copying and sorting them and of finding what recurs.
pub(super) fn measure(seeds: std::ops::Range<u64>) -> (usize, Duration, Duration) {
    let households: Vec<Household> = seeds.map(Household::generate).collect();
    let as_of = households.iter().map(|household| household.today).max().expect("a household");
    let mut payments: Vec<Payment> = households.iter().flat_map(detector::payments).collect();
    payments.truncate(ROWS);
    let reference = middle(|| {
        let mut copy = payments.clone();
        copy.sort_by(|one, other| (&one.title, one.date).cmp(&(&other.title, other.date)));
        black_box(copy);
    });
    let finding = middle(|| {
        black_box(detect_streams(black_box(&payments), as_of));
    });
    (payments.len(), reference, finding)
}

fn middle(work: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let started = Instant::now();
        work();
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times[RUNS / 2]
}
