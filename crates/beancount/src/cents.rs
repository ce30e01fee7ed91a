//! Conversion of amounts to hundredths.

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

/// Rounds an amount to hundredths, half away from zero. Returns the hundredths, and true if the amount had at most two
/// decimals. Returns `None` if the amount is too large.
pub(super) fn cents(amount: Decimal) -> Option<(i64, bool)> {
    let hundredths = amount.checked_mul(Decimal::ONE_HUNDRED)?;
    let whole = hundredths.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    Some((whole.to_i64()?, whole == hundredths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_away_from_zero_and_reported_as_inexact() {
        for (number, scale, expected) in [
            (12_345, 3, (1235, false)),
            (-12_345, 3, (-1235, false)),
            (12_344, 3, (1234, false)),
            (1230, 3, (123, true)),
        ] {
            assert_eq!(cents(Decimal::new(number, scale)), Some(expected));
        }
    }
}
