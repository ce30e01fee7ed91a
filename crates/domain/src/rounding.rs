//! The one rounding: half away from zero.

/// `numerator / denominator` as a whole number, half away from zero.
///
/// # Panics
/// When the denominator is not positive: callers divide by counts and totals they have checked.
pub fn divide(numerator: i128, denominator: i128) -> i128 {
    assert!(denominator > 0, "divided by a positive number");
    let magnitude = (2 * numerator.abs() + denominator) / (2 * denominator);
    magnitude * numerator.signum()
}

#[cfg(test)]
mod tests {
    use super::divide;

    #[test]
    fn halves_go_away_from_zero() {
        for (numerator, denominator, expected) in
            [(1, 2, 1), (-1, 2, -1), (3, 2, 2), (5, 4, 1), (-5, 4, -1), (0, 7, 0), (284_512, 31, 9178)]
        {
            assert_eq!(divide(numerator, denominator), expected, "{numerator}/{denominator}");
        }
    }
}
