//! Rounded division, half away from zero. All rounding in Rust code uses this function; SQL rounds in the same way.

/// Returns `numerator / denominator`, rounded to an integer, half away from zero.
///
/// # Panics
/// `denominator` is 0 or negative. Callers divide by counts and totals that they have checked.
pub fn divide(numerator: i128, denominator: i128) -> i128 {
    assert!(denominator > 0, "the denominator must be positive");
    let magnitude = (2 * numerator.abs() + denominator) / (2 * denominator);
    magnitude * numerator.signum()
}

/// Writes a number of hundredths as a decimal number with two decimals: -5 is `-0.05`.
pub(crate) fn hundredths_text(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let magnitude = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", magnitude / 100, magnitude % 100)
}

#[cfg(test)]
mod tests {
    use super::divide;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (numerator, denominator, expected) in
            [(1, 2, 1), (-1, 2, -1), (3, 2, 2), (5, 4, 1), (-5, 4, -1), (0, 7, 0), (284_512, 31, 9178)]
        {
            assert_eq!(divide(numerator, denominator), expected, "{numerator}/{denominator}");
        }
    }
}
