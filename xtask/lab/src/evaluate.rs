//! `cargo lab evaluate recurring`: measures the detection of recurring payments on generated households, whose true
//! streams are known.
//!
//! The households are generated from descriptions of how people pay and are paid (`stream_kinds.rs`, `irregular.rs`),
//! not from the rules of a detector. A household is a user with 25 months of transactions. Three further ledgers come
//! from `bean-example` (`ledgers.rs`), with the schedules of that program as true streams. `docs/figures.md` shows the
//! results.
//!
//! The labels are the expected result. Each row states the stream to which it belongs, or that it belongs to none. Each
//! stream has its cadence and its status on the last day. A due day is missed if the payment is late by more than the
//! payer's usual lateness and four days of processing. A stream is active without a missed due day, overdue with one, and
//! ended with two, or with one that is more than 92 days late. A stream is knowable if its 25 months contain the minimum
//! number of payments of its cadence: only knowable streams count for recall.
//!
//! A detected stream matches a true stream if enough of its rows belong to that stream, and if they are enough of the
//! rows of that stream (`score.rs`). Precision is the share of detected streams that match, and recall the share of
//! knowable streams that are matched. Cadence and status are compared for matches. The command fails if a gate is
//! missed, if a confidence is not calibrated, or if any stream of a ledger differs from its label. `recurring tuning`
//! shows every mistake on the tuning households.

mod balances;
mod baseline;
mod calendar;
mod detector;
mod fitting;
mod household;
mod imports;
mod irregular;
mod ledgers;
mod profile;
mod rows;
mod score;
mod speed;
mod spelling;
mod stream_history;
mod stream_kinds;

use std::ops::Range;
use std::path::Path;

use crate::command::print_line;
pub(crate) use balances::balances;
use household::Household;
pub(crate) use imports::matching;
use score::{Score, ratio};

/// Seeds of the tuning households, which an author of the detector may look at.
const TUNING_SEEDS: Range<u64> = 1_000..1_060;
/// Seeds of the households on which the weights of the evidence are fitted.
const FITTING_SEEDS: Range<u64> = 1_000..1_300;
/// Seeds of the gate households, on which the detection must reach the gates. Nobody looks at these households.
const GATE_SEEDS: Range<u64> = 900_000..900_240;

// The gates are never measured on households that were used for tuning.
const _: () = assert!(TUNING_SEEDS.end <= FITTING_SEEDS.end && FITTING_SEEDS.end <= GATE_SEEDS.start);

/// The gates: minimum values, from 0 to 1, that the detection must reach.
const PRECISION_MIN: f64 = 0.97;
const RECALL_MIN: f64 = 0.95;
const CADENCE_MIN: f64 = 0.99;
const STATUS_MIN: f64 = 0.98;
/// Maximum difference between the mean confidence of the streams in a bin and the share of them that are true.
const CALIBRATION_MAX: f64 = 0.05;
/// Minimum number of found streams in a bin that is checked; a smaller bin is skipped.
const CALIBRATED_FOUND_MIN: u32 = 50;

/// Default value of the service's parameter `minConfidence`.
const CONFIDENCE_MIN: f64 = 0.6;

/// Measures the detector on the gate's households and on the ledgers.
///
/// # Errors
/// The gates that are missed.
pub(crate) fn recurring(root: &Path) -> Result<(), String> {
    let gate: Vec<Household> = GATE_SEEDS.map(Household::generate).collect();
    let found = shown("households", &gate);
    let ledgers = shown("ledgers", &ledgers::households(root)?);
    failures(&found, &ledgers)
}

/// Prints every mistake of the detector on the tuning households.
pub(crate) fn tuning() -> Result<(), String> {
    let households: Vec<Household> = TUNING_SEEDS.map(Household::generate).collect();
    let mut found = shown("households", &households);
    found.mistakes.sort();
    found.mistakes.iter().for_each(|mistake| print_line(mistake));
    Ok(())
}

/// Fits the weights of the evidence, and prints them.
pub(crate) fn fit() -> Result<(), String> {
    let households: Vec<Household> = FITTING_SEEDS.map(Household::generate).collect();
    let (weights, shares) = fitting::fitted(&households);
    print_line(&format!("constant and weights, in the order of the evidence: {weights:.2?}"));
    for (strength, count, share) in shares {
        print_line(&format!("strength {strength:.3}: {count:>5} found, right {share:.3}"));
    }
    Ok(())
}

/// Prints the time that a detection takes. Use a release build to compare with the server.
pub(crate) fn speed() -> Result<(), String> {
    let (rows, reference, finding) = speed::measure(TUNING_SEEDS.start..TUNING_SEEDS.start + 3);
    let ratio = finding.as_secs_f64() / reference.as_secs_f64();
    print_line(&format!(
        "{rows} rows: found in {finding:.2?}, {ratio:.1} times copying and sorting them ({reference:.2?})"
    ));
    Ok(())
}

/// Prints the scores of the detector and of the baseline detector. Returns the score of the detector.
fn shown(what: &str, households: &[Household]) -> Score {
    let found = scored(households, detector::find);
    print_line(&format!(
        "{} {what}, {} rows, {} knowable streams",
        households.len(),
        found.rows,
        found.knowable
    ));
    marks("detector", &found);
    marks("gap variance only", &scored(households, baseline::detect));
    for (at, bin) in found.bins.iter().enumerate().filter(|(_, bin)| bin.found > 0) {
        let (mean, right) = (bin.confidence_sum / f64::from(bin.found), ratio(bin.right, bin.found));
        print_line(&format!("  confidence 0.{at}: {:>5} found, mean {mean:.3}, right {right:.3}", bin.found));
    }
    found
}

/// Returns an error with every missed gate.
fn failures(found: &Score, ledgers: &Score) -> Result<(), String> {
    let mut failures = Vec::new();
    let gates = [
        ("precision", found.precision(), PRECISION_MIN),
        ("recall", found.recall(), RECALL_MIN),
        ("cadence", found.cadence(), CADENCE_MIN),
        ("status", found.status(), STATUS_MIN),
    ];
    for (name, value, least) in gates.into_iter().filter(|(_, value, least)| value < least) {
        failures.push(format!("{name} is {value:.4}; at least {least}"));
    }
    for bin in found.bins.iter().filter(|bin| bin.found >= CALIBRATED_FOUND_MIN) {
        let (mean, right) = (bin.confidence_sum / f64::from(bin.found), ratio(bin.right, bin.found));
        if (mean - right).abs() > CALIBRATION_MAX {
            failures
                .push(format!("confidence {mean:.3} is right in {right:.3}; the difference must be at most {CALIBRATION_MAX}"));
        }
    }
    failures.extend(ledgers.mistakes.iter().map(|mistake| format!("in a ledger: {mistake}")));
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn scored(households: &[Household], detect: fn(&Household) -> Vec<score::Found>) -> Score {
    let mut score = Score::default();
    for household in households {
        score.add(household, &detect(household), CONFIDENCE_MIN);
    }
    score
}

fn marks(name: &str, score: &Score) {
    print_line(&format!(
        "{name:<20} precision {:.4}  recall {:.4}  cadence {:.4}  status {:.4}",
        score.precision(),
        score.recall(),
        score.cadence(),
        score.status()
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use score::Bin;

    type Spoil = fn(&mut Score);

    /// Creates a score with 100 found streams, all true, and a mean confidence of 0.99.
    fn perfect() -> Score {
        let mut score = Score { found: 100, right: 100, knowable: 100, matched: 100, ..Score::default() };
        (score.cadence_right, score.status_right) = (100, 100);
        score.bins[9] = Bin { found: 100, right: 100, confidence_sum: 99.0 };
        score
    }

    #[test]
    fn score_below_a_gate_fails() {
        assert_eq!(failures(&perfect(), &perfect()), Ok(()));
        let refused: [(&str, Spoil); 5] = [
            ("precision is 0.9600; at least 0.97", |score| score.right = 96),
            ("recall is 0.9400; at least 0.95", |score| score.missed = 6),
            ("cadence is 0.9800; at least 0.99", |score| score.cadence_right = 98),
            ("status is 0.9700; at least 0.98", |score| score.status_right = 97),
            ("confidence 0.990 is right in 0.930; the difference must be at most 0.05", |score| {
                score.bins[9].right = 93
            }),
        ];
        for (failure, spoil) in refused {
            let mut spoilt = perfect();
            spoil(&mut spoilt);
            assert_eq!(failures(&spoilt, &perfect()), Err(failure.to_owned()));
        }
        let mut few = perfect();
        few.bins[6] = Bin { found: 49, right: 0, confidence_sum: 30.0 };
        assert_eq!(failures(&few, &perfect()), Ok(()), "a bin of 49 is not checked");
        let mut ledgers = perfect();
        ledgers.mistakes.push("missed rent".to_owned());
        assert_eq!(failures(&perfect(), &ledgers), Err("in a ledger: missed rent".to_owned()));
    }
}
