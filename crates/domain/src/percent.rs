//! Percentages with two decimals.

use std::fmt;

use crate::rounding::{divide, hundredths_text};
use crate::string_enum::json_schema;

/// 100 percent, counted in hundredths of a percent.
const WHOLE: i64 = 10_000;

/// 2⁵³. A double cannot represent every integer above this number.
const EXACT_MAX: i64 = 1 << 53;

/// A percentage with two decimals, rounded half away from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent {
    hundredths: i64,
}

impl Percent {
    /// Returns `part` in percent of `whole`; 0 if `whole` is 0 or less.
    pub fn ratio(part: i64, whole: i64) -> Percent {
        if whole <= 0 {
            return Percent { hundredths: 0 };
        }
        let hundredths = divide(i128::from(part) * i128::from(WHOLE), i128::from(whole));
        Percent { hundredths: i64::try_from(hundredths).unwrap_or(i64::MAX) }
    }

    /// Returns the change from `before` to `now` in percent of `before`. Returns none if `before` is 0 or less, or if
    /// a double cannot represent the percentage exactly.
    pub fn change(before: i64, now: i64) -> Option<Percent> {
        let change = Percent::ratio(now.checked_sub(before)?, before);
        (before > 0 && change.hundredths.abs() < EXACT_MAX).then_some(change)
    }

    /// Returns the percentage in hundredths of a percent: 6504 for 65.04 %.
    pub const fn hundredths(self) -> i64 {
        self.hundredths
    }

    /// Returns the percentage as a number for charts and spreadsheets: 65.04 for 65.04 %. Compare and add
    /// [`Percent::hundredths`] instead, which is exact.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a share is at most 100, and a change is below 2⁵³ hundredths"
    )]
    pub fn as_f64(self) -> f64 {
        self.hundredths as f64 / 100.0
    }

    /// Returns the share of each part in the sum of all parts, by the largest-remainder method: the shares add up to
    /// exactly
    /// 100.00, or to 0 if the sum is 0. Of equal remainders the earlier part is rounded up. Parts must not be negative.
    pub fn shares(parts: &[i64]) -> Vec<Percent> {
        let total: i128 = parts.iter().map(|part| i128::from(*part)).sum();
        if total <= 0 {
            return vec![Percent { hundredths: 0 }; parts.len()];
        }
        let scaled = |part: &i64| i128::from(*part) * i128::from(WHOLE);
        let mut shares: Vec<i128> = parts.iter().map(|part| scaled(part) / total).collect();
        let missing = usize::try_from(i128::from(WHOLE) - shares.iter().sum::<i128>()).unwrap_or(0);
        let mut by_remainder: Vec<usize> = (0..parts.len()).collect();
        by_remainder.sort_by_key(|at| (std::cmp::Reverse(scaled(&parts[*at]) % total), *at));
        for at in by_remainder.into_iter().take(missing) {
            shares[at] += 1;
        }
        shares
            .into_iter()
            .map(|share| Percent { hundredths: i64::try_from(share).unwrap_or(WHOLE) })
            .collect()
    }
}

/// Writes the percentage with two decimals and without a sign of percent: `65.04`, `-5.54`.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hundredths_text(self.hundredths))
    }
}

impl serde::Serialize for Percent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

json_schema!(Percent, "Percent", inline: true, { "type": "number", "description": "Percent, two decimals." });

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(percent: Percent) -> String {
        serde_json::to_string(&percent).expect("a number")
    }

    #[test]
    fn percentages_are_rounded_half_away_from_zero() {
        assert_eq!(text(Percent::ratio(120_000, 184_512)), "65.04");
        assert_eq!(text(Percent::ratio(1, 0)), "0.0");
        assert_eq!(Percent::change(301_200, 284_512).map(text), Some("-5.54".to_owned()));
        let change = Percent::change(301_200, 284_512).expect("a change");
        assert_eq!(
            (change.to_string().as_str(), change.hundredths(), change.as_f64()),
            ("-5.54", -554, -5.54)
        );
        assert_eq!(format!("{:>8}|", Percent::ratio(1, 3)), "   33.33|");
        assert_eq!(Percent::change(0, 5), None);
        assert_eq!(Percent::change(1, 9_000_000_000_000_000), None);
    }

    #[test]
    fn missing_hundredths_go_to_the_largest_remainders() {
        let shares = |parts: &[i64]| -> Vec<i64> {
            Percent::shares(parts).into_iter().map(Percent::hundredths).collect()
        };
        assert_eq!(shares(&[1, 2]), [3_333, 6_667]);
        assert_eq!(shares(&[1, 1, 1]), [3_334, 3_333, 3_333]);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_exactly_100(parts in prop::collection::vec(0..9_000_000_000_000_000_i64, 1..40)) {
            let sum: i64 = Percent::shares(&parts).iter().map(|share| share.hundredths).sum();
            let expected = if parts.iter().any(|part| *part > 0) { WHOLE } else { 0 };
            prop_assert_eq!(sum, expected);
        }

        #[test]
        fn share_differs_from_percentage_by_at_most_0_01(parts in prop::collection::vec(0..1_000_000_i64, 1..40)) {
            let total: i64 = parts.iter().sum();
            for (part, share) in parts.iter().zip(Percent::shares(&parts)) {
                prop_assert!((share.hundredths - Percent::ratio(*part, total).hundredths).abs() <= 1);
            }
        }
    }
}
