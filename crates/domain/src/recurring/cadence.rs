//! Cadences: how often a payment recurs, and which gaps between payments belong to each cadence.

use crate::string_enum::string_enum;

string_enum! {
    /// The length of the period between two payments of a stream.
    Cadence {
        /// Every 7 days.
        Weekly = "WEEKLY",
        /// Every 14 days.
        Biweekly = "BIWEEKLY",
        /// Twice a month, on two fixed days of the month.
        SemiMonthly = "SEMI_MONTHLY",
        /// Once a month, or every 28 or 30 days.
        Monthly = "MONTHLY",
        /// Every 3 months.
        Quarterly = "QUARTERLY",
        /// Every 6 months.
        SemiAnnually = "SEMI_ANNUALLY",
        /// Once a year.
        Annually = "ANNUALLY",
    }
}

/// Longest gap, in periods, that still belongs to a stream: up to 5 payments in a row may be missing. After a longer
/// gap nothing but chance connects the payments.
const PERIODS_IN_GAP_MAX: i32 = 6;

/// The gaps and thresholds by which payments are recognised as following one cadence.
#[derive(Clone, Copy, Debug)]
pub(super) struct CadenceSpecification {
    pub(super) cadence: Cadence,
    /// Shortest gap that counts as one period, in days. It allows for early payments and for the weekend before the due
    /// day.
    pub(super) gap_min: i32,
    /// Longest gap that counts as one period, in days. It allows for late payments and for the weekend after the due
    /// day.
    pub(super) gap_max: i32,
    /// Mean length of a period, in hundredths of a day (a month is 30.44 days).
    pub(super) period: i32,
    /// Months in a period; none for a cadence that is counted in days.
    pub(super) months: Option<i32>,
    /// Minimum number of payments of a stream with this cadence. A short period needs more payments, because purchases
    /// a week or two apart are common.
    pub(super) payments_min: usize,
    /// Mean distance from the due days, or mean deviation of the gaps, at which the tightness falls to 0, in days. A due
    /// schedule is reliable up to half of this distance.
    pub(super) distance_scale: f64,
}

/// The specification of every cadence, shortest period first. `docs/figures.md` lists the same gaps and minimums.
#[rustfmt::skip]
pub(super) const SPECIFICATIONS: [CadenceSpecification; 7] = [
    CadenceSpecification { cadence: Cadence::Weekly, gap_min: 4, gap_max: 10, period: 700, months: None, payments_min: 4, distance_scale: 2.0 },
    CadenceSpecification { cadence: Cadence::Biweekly, gap_min: 10, gap_max: 18, period: 1_400, months: None, payments_min: 4, distance_scale: 3.0 },
    CadenceSpecification { cadence: Cadence::SemiMonthly, gap_min: 11, gap_max: 20, period: 1_522, months: None, payments_min: 4, distance_scale: 3.0 },
    CadenceSpecification { cadence: Cadence::Monthly, gap_min: 24, gap_max: 37, period: 3_044, months: Some(1), payments_min: 3, distance_scale: 6.0 },
    CadenceSpecification { cadence: Cadence::Quarterly, gap_min: 82, gap_max: 101, period: 9_131, months: Some(3), payments_min: 3, distance_scale: 10.0 },
    CadenceSpecification { cadence: Cadence::SemiAnnually, gap_min: 170, gap_max: 196, period: 18_262, months: Some(6), payments_min: 2, distance_scale: 14.0 },
    CadenceSpecification { cadence: Cadence::Annually, gap_min: 350, gap_max: 381, period: 36_524, months: Some(12), payments_min: 2, distance_scale: 16.0 },
];

impl CadenceSpecification {
    /// Returns the specification of `cadence`.
    pub(super) fn for_cadence(cadence: Cadence) -> CadenceSpecification {
        let specification = SPECIFICATIONS.iter().find(|specification| specification.cadence == cadence);
        *specification.expect("every cadence has a specification")
    }

    /// Returns the number of periods in a gap of `gap` days: 1 for a regular gap, 2 to 6 where payments are missing,
    /// none for an irregular gap.
    pub(super) fn periods_in_gap(&self, gap: i32) -> Option<i32> {
        if (self.gap_min..=self.gap_max).contains(&gap) {
            return Some(1);
        }
        let periods = (gap * 100 + self.period / 2) / self.period;
        let deviation = (gap * 100 - periods * self.period).abs();
        // Half the width of a regular gap, in hundredths of a day.
        let deviation_max = (self.gap_max - self.gap_min) * 50;
        ((2..=PERIODS_IN_GAP_MAX).contains(&periods) && deviation <= deviation_max).then_some(periods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gap_is_one_period_several_periods_or_irregular() {
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
            let found = CadenceSpecification::for_cadence(cadence).periods_in_gap(gap);
            assert_eq!(found, periods, "{cadence} {gap}");
        }
    }
}
