//! How well payments keep to a cadence, and to which one best.

use super::calendar::Day;
use super::lattice::Lattice;
use super::rhythm::{RHYTHMS, Rhythm};

/// What a gap over payments left out is worth, beside one of a single period.
const LEFT_OUT_WORTH: f64 = 0.4;
/// Below this share of regular gaps there is no cadence.
const REGULARITY_MIN: f64 = 0.6;
/// Regularity against nearness to due days, when cadences are compared.
const REGULARITY_SHARE: f64 = 0.6;

/// A cadence that payments keep to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) rhythm: Rhythm,
    pub(super) lattice: Lattice,
    /// Gaps of one period.
    pub(super) hits: usize,
    /// Payments left out between others.
    pub(super) left_out: i32,
    pub(super) gaps: usize,
    /// Share of regular gaps, 0 to 1.
    pub(super) regularity: f64,
    /// Nearness to due days, or to a steady gap, 0 to 1.
    pub(super) tightness: f64,
    /// Whether the due days are known, and not only the gap.
    pub(super) anchored: bool,
}

impl Fit {
    /// The cadence that days of payment, oldest first and none twice, keep to best; none when to no cadence.
    pub(super) fn best(paid: &[Day]) -> Option<Fit> {
        let fits = RHYTHMS.iter().filter_map(|rhythm| Fit::to(rhythm, paid));
        fits.reduce(|best, next| if next.worth() > best.worth() { next } else { best })
    }

    /// How well they keep to one cadence; none when they do not.
    fn to(rhythm: &Rhythm, paid: &[Day]) -> Option<Fit> {
        if paid.len() < rhythm.payments_min {
            return None;
        }
        let gaps = || paid.windows(2).map(|pair| pair[1] - pair[0]);
        let (mut hits, mut skips, mut left_out) = (0, 0, 0);
        for periods in gaps().filter_map(|gap| rhythm.periods(gap)) {
            if periods == 1 {
                hits += 1;
            } else {
                skips += 1;
                left_out += periods - 1;
            }
        }
        let count = paid.len() - 1;
        let regularity = (float(hits) + LEFT_OUT_WORTH * float(skips)) / float(count);
        if hits == 0 || regularity < REGULARITY_MIN {
            return None;
        }
        let (lattice, distance) = Lattice::fit(rhythm.cadence, paid);
        let single: Vec<i32> = gaps().filter(|gap| rhythm.periods(*gap) == Some(1)).collect();
        let wander = wander(&single);
        // One gap is no steady gap.
        let unsteady = if single.len() < 2 { f64::MAX } else { wander };
        let nearness = |days: f64| (1.0 - days / rhythm.loose).max(0.0);
        Some(Fit {
            rhythm: *rhythm,
            lattice,
            hits,
            left_out,
            gaps: count,
            regularity,
            tightness: nearness(distance).max(nearness(unsteady)),
            anchored: distance <= rhythm.loose / 2.0,
        })
    }

    fn worth(&self) -> f64 {
        REGULARITY_SHARE * self.regularity + (1.0 - REGULARITY_SHARE) * self.tightness
    }

    /// The day on which the payment after `last` is due.
    pub(super) fn next(&self, last: Day) -> Day {
        let due = self.lattice.next(last);
        let steady = last + (self.rhythm.period + 50) / 100;
        // A due day that is hardly a gap away belongs to the last payment.
        let near = (due - last) * 100 * 2 < self.rhythm.period;
        match (self.anchored, near) {
            (true, false) => due,
            (true, true) => self.lattice.next(due),
            (false, _) => steady,
        }
    }

    /// How late payments have been, in days; the earliest and the latest tenth aside where there are that many.
    pub(super) fn usual_lateness(&self, paid: &[Day]) -> i32 {
        if !self.anchored {
            return 0;
        }
        let mut late: Vec<i32> = paid.iter().map(|day| self.lattice.lateness(*day)).collect();
        late.sort_unstable();
        late[late.len() - 1 - late.len() / 10].max(0)
    }
}

/// The mean distance of gaps from their middle one.
fn wander(gaps: &[i32]) -> f64 {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let Some(middle) = sorted.get(sorted.len() / 2) else { return 0.0 };
    let sum: i32 = sorted.iter().map(|gap| (gap - middle).abs()).sum();
    f64::from(sum) / float(sorted.len())
}

pub(super) fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::Cadence;
    use super::*;

    fn cadence(gaps: &[i32]) -> Option<Cadence> {
        let mut day = 20_000;
        let mut paid = vec![day];
        for gap in gaps {
            day += gap;
            paid.push(day);
        }
        Fit::best(&paid).map(|fit| fit.rhythm.cadence)
    }

    #[test]
    fn gaps_tell_the_cadence() {
        for (gaps, expected) in [
            (&[7, 7, 7, 7][..], Some(Cadence::Weekly)),
            (&[7, 7, 7], Some(Cadence::Weekly)),
            (&[7, 7], None),
            (&[14, 14, 14, 14], Some(Cadence::Biweekly)),
            (&[28, 28, 28], Some(Cadence::Monthly)),
            (&[30, 31, 61, 30], Some(Cadence::Monthly)),
            (&[91, 92, 91], Some(Cadence::Quarterly)),
            (&[182], Some(Cadence::SemiAnnually)),
            (&[365], Some(Cadence::Annually)),
            (&[20, 44, 31, 22, 40, 26], None),
            (&[3, 3, 2, 12, 1, 9], None),
        ] {
            assert_eq!(cadence(gaps), expected, "{gaps:?}");
        }
    }

    #[test]
    fn two_paydays_a_month_are_not_every_two_weeks() {
        let dates = ["2026-01-15", "2026-01-31", "2026-02-15", "2026-02-28", "2026-03-15", "2026-03-31"];
        let paid: Vec<Day> =
            dates.iter().map(|date| super::super::calendar::number(date.parse().expect("a date"))).collect();
        assert_eq!(Fit::best(&paid).map(|fit| fit.rhythm.cadence), Some(Cadence::SemiMonthly));
    }
}
