//! Numbers of a ledger, and their conversion to hundredths.
//!
//! [`Number`] is the number type of the parser, which evaluates arithmetic expressions. `rust_decimal` panics on division
//! by zero and on overflow; [`Number`] records such a failure instead, because a ledger must never make the import panic.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::str::FromStr;

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

/// The largest number that a ledger may contain. Products of two such numbers are still checked for overflow.
const NUMBER_MAX: Decimal = Decimal::from_parts(0xA4C6_8000, 0x0003_8D7E, 0, false, 0);

/// A decimal number, or the information that a calculation failed.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(super) struct Number(Option<Decimal>);

impl Number {
    /// Returns the value, or `None` if a calculation failed or the value is out of bounds.
    pub(super) fn value(&self) -> Option<Decimal> {
        self.0.filter(|value| within_bounds(*value))
    }

    pub(super) fn abs(&self) -> Number {
        Number(self.0.map(|value| value.abs()))
    }
}

/// Returns true if the magnitude is at most 10¹⁵, so that sums of many numbers cannot overflow.
pub(super) fn within_bounds(value: Decimal) -> bool {
    value.abs() <= NUMBER_MAX
}

impl Default for Number {
    fn default() -> Self {
        Number(Some(Decimal::ZERO))
    }
}

impl FromStr for Number {
    type Err = rust_decimal::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Decimal::from_str_exact(text).map(|value| Number(Some(value)))
    }
}

/// Implements operators by the checked operations of `Decimal`.
macro_rules! operators {
    ($($operator:ident $name:ident $checked:ident),+) => {$(
        impl $operator for Number {
            type Output = Number;

            fn $name(self, other: Number) -> Number {
                Number(self.0.zip(other.0).and_then(|(a, b)| a.$checked(b)))
            }
        }
    )+};
}

operators!(Add add checked_add, Sub sub checked_sub, Mul mul checked_mul, Div div checked_div);

impl Neg for Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number(self.0.map(|value| -value))
    }
}

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
    fn failed_calculation_has_no_value() {
        let zero: Number = "0".parse().expect("a number");
        let one: Number = "1".parse().expect("a number");
        assert_eq!((one.clone() / zero + one).value(), None);
    }

    #[test]
    fn largest_number_is_ten_to_the_fifteenth() {
        assert_eq!(NUMBER_MAX, Decimal::from(1_000_000_000_000_000_i64));
        let beyond: Number = "1000000000000000.01".parse().expect("a number");
        assert_eq!(beyond.value(), None);
    }

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
