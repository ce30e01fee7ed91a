//! Fits the weights of the evidence: a logistic regression of "this stream is true" on the parts of its evidence.

use super::detector;
use super::household::Household;
use super::score::Score;

/// Number of weights: the constant and the five parts of the evidence.
const WEIGHTS: usize = 6;
const STEPS: usize = 4_000;
const RATE: f64 = 1.5;
/// Strength of the regularisation, which keeps a weight finite if a part of the evidence is never wrong.
const SHRINKAGE: f64 = 0.000_3;

/// A stream for the fit: a 1 for the constant followed by the evidence, and 1.0 for a true or 0.0 for a false stream.
type Sample = ([f64; WEIGHTS], f64);

/// Limits of the bins of logistic score in which the share of true streams is measured.
const EDGES: [f64; 10] = [0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01];

/// Returns the weights, and for each bin the mean logistic score, the number of samples and the share of true streams.
pub(super) fn fitted(households: &[Household]) -> ([f64; WEIGHTS], Vec<(f64, usize, f64)>) {
    let samples: Vec<Sample> = households.iter().flat_map(samples).collect();
    let weights = weights(&samples);
    let mut shares = Vec::new();
    for edge in EDGES.windows(2) {
        let strengths = samples.iter().map(|(parts, right)| (likelihood(&weights, parts), right));
        let inside: Vec<(f64, &f64)> =
            strengths.filter(|(strength, _)| (edge[0]..edge[1]).contains(strength)).collect();
        let count = f64::from(u32::try_from(inside.len()).expect("a few thousand samples"));
        let strength = inside.iter().map(|(strength, _)| strength).sum::<f64>() / count;
        shares.push((strength, inside.len(), inside.iter().map(|(_, right)| **right).sum::<f64>() / count));
    }
    (weights, shares)
}

fn weights(samples: &[Sample]) -> [f64; WEIGHTS] {
    let mut weights = [0.0; WEIGHTS];
    #[expect(clippy::cast_precision_loss, reason = "a few thousand samples")]
    let count = samples.len() as f64;
    for _ in 0..STEPS {
        let mut gradient = [0.0; WEIGHTS];
        for (parts, right) in samples {
            let error = right - likelihood(&weights, parts);
            for (sum, part) in gradient.iter_mut().zip(parts) {
                *sum += error * part;
            }
        }
        for (weight, sum) in weights.iter_mut().zip(gradient) {
            *weight += RATE * (sum / count - SHRINKAGE * *weight);
        }
        // A negative weight would make a stream with more evidence less likely.
        weights[1..].iter_mut().for_each(|weight| *weight = weight.max(0.0));
    }
    weights
}

fn likelihood(weights: &[f64; WEIGHTS], parts: &[f64; WEIGHTS]) -> f64 {
    let sum: f64 = weights.iter().zip(parts).map(|(weight, part)| weight * part).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn samples(household: &Household) -> Vec<Sample> {
    let streams = detector::streams(household);
    streams
        .iter()
        .map(|stream| {
            let mut score = Score::default();
            score.add(household, &[detector::found(stream)], 0.0);
            let [a, b, c, d, e] = stream.evidence.features();
            ([1.0, a, b, c, d, e], f64::from(score.right))
        })
        .collect()
}
