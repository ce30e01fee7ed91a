//! Cadence fit: how regularly a sequence of payments follows a cadence, and which cadence it follows best.

use super::cadence::{CadenceSpecification, SPECIFICATIONS};
use super::calendar::DayNumber;
use super::due_schedule::DueSchedule;

/// Weight of a gap with missing payments when the regularity is computed; a gap of one period has weight 1. Missing
/// payments are weaker evidence for a cadence: many gaps are a multiple of a period by chance.
const SKIPPED_GAP_WEIGHT: f64 = 0.4;
/// Minimum regularity, 0 to 1. With a smaller share of regular gaps the payments follow no cadence.
const REGULARITY_MIN: f64 = 0.6;
/// Weight of the regularity in the score by which cadences are compared, 0 to 1. The tightness has the remaining
/// weight. Regularity weighs more because a payer may be late. Tightness decides between cadences with overlapping
/// gaps, such as 14 days and half a month.
const REGULARITY_WEIGHT: f64 = 0.6;

/// One cadence fitted to a sequence of payments.
#[derive(Clone, Copy, Debug)]
pub(super) struct CadenceFit {
    pub(super) specification: CadenceSpecification,
    pub(super) schedule: DueSchedule,
    /// Number of gaps that are one period long.
    pub(super) regular_gaps: usize,
    /// Number of payments that are missing between the first and the last payment.
    pub(super) missing_payments: i32,
    /// Number of gaps between the payments: the number of payments minus one.
    pub(super) gaps: usize,
    /// Share of regular gaps, 0 to 1. A gap with missing payments counts [`SKIPPED_GAP_WEIGHT`].
    pub(super) regularity: f64,
    /// Nearness of the payments to their due days, or of the gaps to a constant length, whichever is greater; 0 to 1.
    pub(super) tightness: f64,
    /// True if the payments are near enough to due days to predict the next due day from the schedule. Otherwise only
    /// the length of the period is known.
    pub(super) schedule_is_reliable: bool,
}

impl CadenceFit {
    /// Fits every cadence and returns the one with the highest score; none if the payments follow no cadence. Of equal
    /// scores the shorter period wins.
    ///
    /// `paid` are the days of payment, sorted and distinct. Takes O(n log n) time.
    pub(super) fn best(paid: &[DayNumber]) -> Option<CadenceFit> {
        let fits = SPECIFICATIONS.iter().filter_map(|specification| CadenceFit::new(specification, paid));
        fits.reduce(|best, next| if next.score() > best.score() { next } else { best })
    }

    /// Fits one cadence. Returns none if there are too few payments or too few regular gaps.
    fn new(specification: &CadenceSpecification, paid: &[DayNumber]) -> Option<CadenceFit> {
        if paid.len() < specification.payments_min {
            return None;
        }
        let gaps = || paid.windows(2).map(|pair| pair[1] - pair[0]);
        let (mut regular_gaps, mut skipped_gaps, mut missing_payments) = (0, 0, 0);
        for periods in gaps().filter_map(|gap| specification.periods_in_gap(gap)) {
            if periods == 1 {
                regular_gaps += 1;
            } else {
                skipped_gaps += 1;
                missing_payments += periods - 1;
            }
        }
        let count = paid.len() - 1;
        let regularity = (count_as_f64(regular_gaps) + SKIPPED_GAP_WEIGHT * count_as_f64(skipped_gaps))
            / count_as_f64(count);
        if regular_gaps == 0 || regularity < REGULARITY_MIN {
            return None;
        }
        let (schedule, schedule_distance) = DueSchedule::nearest(specification.cadence, paid);
        let regular: Vec<i32> = gaps().filter(|gap| specification.periods_in_gap(*gap) == Some(1)).collect();
        // A single gap does not show that the gaps are of constant length.
        let gap_deviation = if regular.len() < 2 { f64::MAX } else { mean_deviation_from_median(&regular) };
        let nearness = |days: f64| (1.0 - days / specification.distance_scale).max(0.0);
        Some(CadenceFit {
            specification: *specification,
            schedule,
            regular_gaps,
            missing_payments,
            gaps: count,
            regularity,
            tightness: nearness(schedule_distance).max(nearness(gap_deviation)),
            schedule_is_reliable: schedule_distance <= specification.distance_scale / 2.0,
        })
    }

    /// Weighted mean of regularity and tightness, 0 to 1, by which cadences are compared.
    fn score(&self) -> f64 {
        REGULARITY_WEIGHT * self.regularity + (1.0 - REGULARITY_WEIGHT) * self.tightness
    }

    /// Returns the day on which the payment after the payment of day `last` is due.
    pub(super) fn next_due_day(&self, last: DayNumber) -> DayNumber {
        let due = self.schedule.due_day_after(last);
        // If the due day is less than half a period after `last`, the payment of day `last` was the payment for this
        // due day.
        let already_paid = (due - last) * 100 * 2 < self.specification.period;
        match (self.schedule_is_reliable, already_paid) {
            (true, false) => due,
            (true, true) => self.schedule.due_day_after(due),
            (false, _) => self.due_day_after(last),
        }
    }

    /// Returns the due day after the due day `due`.
    pub(super) fn due_day_after(&self, due: DayNumber) -> DayNumber {
        if self.schedule_is_reliable {
            return self.schedule.due_day_after(due);
        }
        due + (self.specification.period + 50) / 100
    }

    /// Returns the 90th percentile of the number of days by which the payments were late, at least 0; 0 if the due days
    /// are not known. With fewer than 10 payments it is the largest number of days.
    pub(super) fn usual_lateness(&self, paid: &[DayNumber]) -> i32 {
        if !self.schedule_is_reliable {
            return 0;
        }
        let mut lateness: Vec<i32> = paid.iter().map(|day| self.schedule.lateness(*day)).collect();
        lateness.sort_unstable();
        lateness[lateness.len() - 1 - lateness.len() / 10].max(0)
    }
}

/// Returns the mean absolute deviation of gaps from their median, in days; 0 for no gaps.
fn mean_deviation_from_median(gaps: &[i32]) -> f64 {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let Some(median) = sorted.get(sorted.len() / 2) else { return 0.0 };
    let sum: i32 = sorted.iter().map(|gap| (gap - median).abs()).sum();
    f64::from(sum) / count_as_f64(sorted.len())
}

/// Converts a count of rows to a floating-point number. Counts above `u32::MAX` become `u32::MAX`.
pub(super) fn count_as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::cadence::Cadence;
    use super::super::calendar::day_number;
    use super::*;

    fn best_cadence(gaps: &[i32]) -> Option<Cadence> {
        let mut day = 20_000;
        let mut paid = vec![day];
        for gap in gaps {
            day += gap;
            paid.push(day);
        }
        CadenceFit::best(&paid).map(|fit| fit.specification.cadence)
    }

    #[test]
    fn gaps_determine_cadence() {
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
            assert_eq!(best_cadence(gaps), expected, "{gaps:?}");
        }
    }

    #[test]
    fn two_paydays_a_month_are_semi_monthly_not_biweekly() {
        let dates = ["2026-01-15", "2026-01-31", "2026-02-15", "2026-02-28", "2026-03-15", "2026-03-31"];
        let paid: Vec<DayNumber> =
            dates.iter().map(|date| day_number(date.parse().expect("a date"))).collect();
        let fit = CadenceFit::best(&paid);
        assert_eq!(fit.map(|fit| fit.specification.cadence), Some(Cadence::SemiMonthly));
    }
}
