//! The seven cadences as gaps between payments.

use super::Cadence;

/// A gap of up to so many periods is payments left out; a longer one is a miss.
const PERIODS_MAX: i32 = 6;

/// What a cadence looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rhythm {
    pub(super) cadence: Cadence,
    /// Gaps of one period, in days.
    pub(super) least: i32,
    pub(super) most: i32,
    /// A usual period, in hundredths of a day.
    pub(super) period: i32,
    /// Months of a period; none for those counted in days.
    pub(super) months: Option<i32>,
    /// Payments that make a pattern.
    pub(super) payments_min: usize,
    /// So many days beside the due day a payment says little about it.
    pub(super) loose: f64,
}

/// Every cadence, shortest first.
#[rustfmt::skip]
pub(super) const RHYTHMS: [Rhythm; 7] = [
    Rhythm { cadence: Cadence::Weekly, least: 4, most: 10, period: 700, months: None, payments_min: 4, loose: 2.0 },
    Rhythm { cadence: Cadence::Biweekly, least: 10, most: 18, period: 1_400, months: None, payments_min: 4, loose: 3.0 },
    Rhythm { cadence: Cadence::SemiMonthly, least: 11, most: 20, period: 1_522, months: None, payments_min: 4, loose: 3.0 },
    Rhythm { cadence: Cadence::Monthly, least: 24, most: 37, period: 3_044, months: Some(1), payments_min: 3, loose: 6.0 },
    Rhythm { cadence: Cadence::Quarterly, least: 82, most: 101, period: 9_131, months: Some(3), payments_min: 3, loose: 10.0 },
    Rhythm { cadence: Cadence::SemiAnnually, least: 170, most: 196, period: 18_262, months: Some(6), payments_min: 2, loose: 14.0 },
    Rhythm { cadence: Cadence::Annually, least: 350, most: 381, period: 36_524, months: Some(12), payments_min: 2, loose: 16.0 },
];

impl Rhythm {
    pub(super) fn of(cadence: Cadence) -> Rhythm {
        *RHYTHMS.iter().find(|rhythm| rhythm.cadence == cadence).expect("every cadence has a rhythm")
    }

    /// How many periods a gap is: 1 for a hit, more where payments were left out, none for a miss.
    pub(super) fn periods(&self, gap: i32) -> Option<i32> {
        if (self.least..=self.most).contains(&gap) {
            return Some(1);
        }
        let periods = (gap * 100 + self.period / 2) / self.period;
        let off = (gap * 100 - periods * self.period).abs();
        let allowed = (self.most - self.least) * 50;
        ((2..=PERIODS_MAX).contains(&periods) && off <= allowed).then_some(periods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_one_period_several_or_none() {
        for (cadence, gap, periods) in [
            (Cadence::Weekly, 7, Some(1)),
            (Cadence::Weekly, 9, Some(1)),
            (Cadence::Weekly, 11, Some(2)),
            (Cadence::Weekly, 3, None),
            (Cadence::Weekly, 14, Some(2)),
            (Cadence::Biweekly, 28, Some(2)),
            (Cadence::Monthly, 28, Some(1)),
            (Cadence::Monthly, 33, Some(1)),
            (Cadence::Monthly, 45, None),
            (Cadence::Monthly, 61, Some(2)),
            (Cadence::Monthly, 92, Some(3)),
            (Cadence::Quarterly, 92, Some(1)),
            (Cadence::SemiAnnually, 181, Some(1)),
            (Cadence::Annually, 366, Some(1)),
            (Cadence::Annually, 300, None),
        ] {
            assert_eq!(Rhythm::of(cadence).periods(gap), periods, "{cadence} {gap}");
        }
    }
}
