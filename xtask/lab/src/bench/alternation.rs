//! Runs contenders in turns, so that all of them meet the same conditions of the machine.

use super::figures::{Outcome, median};
use super::setting::Sample;

/// A measured program: a name and one run of it.
pub(super) type Contender<'a> = &'a dyn Fn() -> Result<Sample, String>;

/// The samples of contenders: for each round, one of every contender.
#[derive(Debug)]
pub(super) struct Rounds(Vec<Vec<Sample>>);

/// Runs the contenders in turns, `rounds` times.
pub(super) fn alternate(rounds: usize, contenders: &[Contender<'_>]) -> Result<Rounds, String> {
    let round = |_| contenders.iter().map(|run| run()).collect::<Result<Vec<Sample>, String>>();
    (0..rounds).map(round).collect::<Result<Vec<_>, _>>().map(Rounds)
}

impl Rounds {
    /// Returns the median of a value of one contender.
    pub(super) fn median(&self, contender: usize, value: fn(&Sample) -> f64) -> f64 {
        median(self.0.iter().map(|round| value(&round[contender])))
    }

    /// Adds the rate and the processor time of each contender.
    pub(super) fn describe(&self, outcome: &mut Outcome, names: &[&str]) {
        for (contender, name) in names.iter().enumerate() {
            outcome.figure(*name, self.median(contender, |sample| sample.rate), "/s");
            let postgres = self.median(contender, |sample| sample.postgres_microseconds);
            let server = self.median(contender, |sample| sample.server_microseconds);
            for (what, microseconds) in [("CPU of PostgreSQL", postgres), ("CPU of the HTTP server", server)]
            {
                if microseconds > 0.0 {
                    outcome.figure(format!("{name}: {what}"), microseconds, "µs");
                }
            }
        }
    }

    /// Returns the median of the ratios of two contenders' values in the same round.
    pub(super) fn ratio(
        &self,
        (first, value): (usize, fn(&Sample) -> f64),
        (second, reference): (usize, fn(&Sample) -> f64),
    ) -> f64 {
        median(self.0.iter().map(|round| value(&round[first]) / reference(&round[second])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_compares_samples_of_one_round() {
        let sample = |rate| Sample { rate, ..Sample::default() };
        let rounds = Rounds(vec![
            vec![sample(10.0), sample(20.0)],
            vec![sample(5.0), sample(5.0)],
            vec![sample(1.0), sample(4.0)],
        ]);
        assert!((rounds.median(0, |sample| sample.rate) - 5.0).abs() < 1e-9);
        assert!((rounds.ratio((0, |s| s.rate), (1, |s| s.rate)) - 0.5).abs() < 1e-9);
    }
}
