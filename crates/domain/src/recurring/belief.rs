//! How far a chain is believed to be a stream: what speaks for it, and the confidence that follows.

use super::chain::Item;
use super::fit::{Fit, float};
use super::{Cadence, Confidence};

/// An amount that followed itself this often is a price.
const REPEATS_ENOUGH: f64 = 6.0;
/// A stream that comes every week or two leaves out few payments; a habit many.
const FREQUENT_REGULARITY_MIN: f64 = 0.88;
/// And unless it is a bill, its price follows itself this often.
const FREQUENT_REPEATED_MIN: f64 = 0.75;
/// Unless it is a bill, the amount changes by no more than this from payment to payment.
const CHANGE_MAX: f64 = 0.25;

/// So few payments, once or twice a year, among many others to the same payee are chance.
const RARE_PAYMENTS: usize = 4;
const RARE_SHARE_MIN: f64 = 0.3;

/// What is known of the payee apart from the rows of the chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payee {
    /// Whether most of its rows are of a category that is billed.
    pub(super) bill: bool,
    /// Whether most are of one whose money moves each time anew.
    pub(super) occasional: bool,
    /// Whether most are of one that people spend on by habit, a fixed price every Friday included.
    pub(super) habitual: bool,
    /// How many rows it has.
    pub(super) rows: usize,
}

/// What speaks for a stream, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Share of gaps that are one period long; a gap over payments left out counts less.
    pub regularity: f64,
    /// Nearness to due days, or to a steady gap.
    pub tightness: f64,
    /// Whether the category is one that is billed.
    pub bill: f64,
    /// The share of the payee's rows that it explains.
    pub share: f64,
    /// How often exactly the same amount followed itself.
    pub fixed: f64,
}

/// What each part of the evidence adds to the log-odds, fitted on the tuning households by
/// `cargo xtask evaluate recurring fit`.
const WEIGHTS: Evidence =
    Evidence { regularity: 3.87, tightness: 6.02, bill: 4.05, share: 1.34, fixed: 1.55 };
/// The log-odds without evidence.
const BASE: f64 = -9.51;

/// The share of true streams among chains of a strength, measured on the same households; straight lines between.
const CALIBRATION: [(f64, f64); 8] = [
    (0.0, 0.0),
    (0.3, 0.015),
    (0.47, 0.03),
    (0.62, 0.28),
    (0.75, 0.68),
    (0.865, 0.965),
    (0.93, 0.99),
    (1.0, 0.995),
];

impl Evidence {
    /// The evidence of a chain; none when a rule speaks against it.
    pub(super) fn of(items: &[Item], fit: &Fit, payee: &Payee) -> Option<Evidence> {
        let changes = change(items);
        let repeated = float(items.windows(2).filter(|pair| pair[0].cents == pair[1].cents).count());
        let share = float(items.len()) / float(payee.rows);
        let cadence = fit.rhythm.cadence;
        let habit = match cadence {
            Cadence::Weekly | Cadence::Biweekly | Cadence::SemiMonthly => {
                payee.habitual
                    || fit.regularity < FREQUENT_REGULARITY_MIN
                    || !payee.bill && repeated < FREQUENT_REPEATED_MIN * float(fit.gaps)
            }
            Cadence::Monthly | Cadence::Quarterly => false,
            Cadence::SemiAnnually | Cadence::Annually => {
                let among_others = items.len() < RARE_PAYMENTS && share < RARE_SHARE_MIN;
                among_others || payee.occasional
            }
        };
        if habit || !payee.bill && changes > CHANGE_MAX {
            return None;
        }
        Some(Evidence {
            regularity: fit.regularity,
            tightness: fit.tightness,
            bill: f64::from(u8::from(payee.bill)),
            share,
            fixed: (repeated / REPEATS_ENOUGH).min(1.0),
        })
    }

    /// Each part, in the order of the fields.
    pub fn parts(&self) -> [f64; 5] {
        [self.regularity, self.tightness, self.bill, self.share, self.fixed]
    }

    /// The share of such chains that are streams.
    pub(super) fn confidence(&self) -> f64 {
        let strength = self.strength();
        let above = CALIBRATION.partition_point(|(knot, _)| *knot < strength).clamp(1, CALIBRATION.len() - 1);
        let ((from, low), (to, high)) = (CALIBRATION[above - 1], CALIBRATION[above]);
        low + (high - low) * (strength - from) / (to - from)
    }

    /// The evidence weighed, from 0 to 1.
    fn strength(&self) -> f64 {
        let added: f64 = self.parts().iter().zip(WEIGHTS.parts()).map(|(part, weight)| part * weight).sum();
        1.0 / (1.0 + (-(BASE + added)).exp())
    }

    /// The same in hundredths, never certain.
    pub(super) fn rounded(&self) -> Confidence {
        Confidence::rounded(self.confidence())
    }
}

/// The mean change of the amount from payment to payment, as a share of it.
#[expect(clippy::cast_precision_loss, reason = "a share of an amount need not be exact")]
fn change(items: &[Item]) -> f64 {
    let changes = items.windows(2).map(|pair| {
        let larger = pair[0].cents.max(pair[1].cents).max(1);
        (pair[1].cents - pair[0].cents).abs() as f64 / larger as f64
    });
    changes.sum::<f64>() / float(items.len() - 1)
}
