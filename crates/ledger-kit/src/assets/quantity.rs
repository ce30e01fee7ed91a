//! Quantities and prices as exact numbers.

use passbook_domain::Invalid;
use passbook_domain::decimal::DecimalText;
use passbook_domain::rounding::divide;

/// Largest numerator and denominator of a rounded division in 128 bits.
const MAGNITUDE_MAX: i128 = i128::MAX / 4;
/// Hundredths in one major unit.
const HUNDREDTHS: i128 = 100;

/// Returns the value of a quantity at a price in hundredths, rounded half away from zero.
///
/// # Errors
/// Quantity and price have more than about 36 digits together.
pub(super) fn value_cents(quantity: &DecimalText, price: &DecimalText) -> Result<i64, Invalid> {
    exact(quantity, price).ok_or_else(|| {
        Invalid::new(format!("the value of {quantity} units at {price} each has too many digits"))
    })
}

fn exact(quantity: &DecimalText, price: &DecimalText) -> Option<i64> {
    let ((units, units_scale), (price, price_scale)) = (fraction(quantity)?, fraction(price)?);
    let numerator = units.checked_mul(price)?.checked_mul(HUNDREDTHS)?;
    let denominator = units_scale.checked_mul(price_scale)?;
    let is_small = numerator.abs() <= MAGNITUDE_MAX && denominator <= MAGNITUDE_MAX;
    i64::try_from(is_small.then(|| divide(numerator, denominator))?).ok()
}

/// Returns numerator and denominator of a decimal number.
fn fraction(text: &DecimalText) -> Option<(i128, i128)> {
    let (whole, decimals) = text.as_str().split_once('.').unwrap_or((text.as_str(), ""));
    let decimals = decimals.trim_end_matches('0');
    let digits = format!("{whole}{decimals}").parse().ok()?;
    Some((digits, 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?))
}

/// Returns true if the number is 0.
pub(super) fn is_zero(text: &DecimalText) -> bool {
    text.as_str().bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> DecimalText {
        DecimalText::parse(text).expect("a decimal")
    }

    #[test]
    fn value_is_rounded_once_half_away_from_zero() {
        for (quantity, price, cents) in [
            ("0.04210000", "81234.50", 341_997),
            ("61", "127.52", 777_872),
            ("0.5", "0.01", 1),
            ("-0.5", "0.01", -1),
            ("0.4999", "0.01", 0),
            ("1.234567890123456789", "2000", 246_914),
            ("0", "5", 0),
        ] {
            assert_eq!(value_cents(&number(quantity), &number(price)), Ok(cents), "{quantity} {price}");
        }
    }

    #[test]
    fn value_with_too_many_digits_is_an_error() {
        let long = number("123456789012345678901234567890");
        let message = value_cents(&long, &long).expect_err("60 digits").to_string();
        assert!(message.contains("has too many digits"), "{message}");
        assert!(value_cents(&long, &number("1")).is_err(), "the value exceeds 64 bits");
    }

    #[test]
    fn every_notation_of_zero_is_zero() {
        assert!(["0", "-0", "0.00"].map(number).iter().all(is_zero));
        assert!(!["0.01", "-1", "10"].map(number).iter().any(is_zero));
    }
}
