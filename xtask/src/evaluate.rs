//! `cargo xtask evaluate recurring`: how well recurring payments are found in households whose truth is known.
//!
//! The households are made from descriptions of how people are paid and pay (`kinds.rs`, `habits.rs`), not from the
//! rules of any detector. `docs/recurring.md` describes them.

mod baseline;
mod calendar;
mod dice;
mod habits;
mod household;
mod kinds;
mod ledgers;
mod score;
mod spelling;
mod streams;

use std::ops::Range;
use std::path::Path;

use household::Household;
use score::Score;

/// Whoever changes the detector looks at these households, as often as they like.
const TUNING_SEEDS: Range<u64> = 1_000..1_060;
/// Nobody looks at these; they only judge.
const GATE_SEEDS: Range<u64> = 900_000..900_060;

// Nobody tunes on the households that judge.
const _: () = assert!(TUNING_SEEDS.end <= GATE_SEEDS.start);

/// What a payment is believed with unless the caller says otherwise.
const CONFIDENCE_MIN: f64 = 0.6;

/// Judges on the gate's households and on the ledgers.
pub fn recurring(root: &Path) -> Result<(), String> {
    let gate: Vec<Household> = GATE_SEEDS.map(Household::generate).collect();
    let baseline = scored(&gate);
    say(&format!(
        "{} households, {} rows, {} knowable streams",
        gate.len(),
        baseline.rows,
        baseline.knowable
    ));
    marks("gap variance only", &baseline);
    let ledgers = ledgers::households(root)?;
    let baseline = scored(&ledgers);
    say(&format!(
        "{} ledgers, {} rows, {} knowable streams",
        ledgers.len(),
        baseline.rows,
        baseline.knowable
    ));
    marks("gap variance only", &baseline);
    Ok(())
}

/// Shows every mistake on the tuning households.
pub fn tuning() -> Result<(), String> {
    let households: Vec<Household> = TUNING_SEEDS.map(Household::generate).collect();
    marks("gap variance only", &scored(&households));
    Ok(())
}

fn scored(households: &[Household]) -> Score {
    let mut score = Score::default();
    for household in households {
        score.add(household, &baseline::detect(household), CONFIDENCE_MIN);
    }
    score
}

fn marks(name: &str, score: &Score) {
    say(&format!(
        "{name:<20} precision {:.4}  recall {:.4}  cadence {:.4}  status {:.4}",
        score.precision(),
        score.recall(),
        score.cadence(),
        score.status()
    ));
}

#[expect(clippy::print_stdout, reason = "the report of this task is its output")]
fn say(line: &str) {
    println!("{line}");
}
