//! An integer type whose minimum and maximum are part of the type.

use crate::error::Invalid;

/// An integer from `MIN` to `MAX`, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounded<const MIN: i64, const MAX: i64>(i64);

impl<const MIN: i64, const MAX: i64> Bounded<MIN, MAX> {
    /// Creates a bounded integer from `value`.
    ///
    /// # Errors
    ///
    /// `value` is outside the range. It is never clamped.
    pub fn new(value: i64) -> Result<Self, Invalid> {
        if (MIN..=MAX).contains(&value) { Ok(Bounded(value)) } else { Err(Self::rule()) }
    }

    /// Returns the constant `VALUE`. A value outside the range does not compile.
    pub const fn constant<const VALUE: i64>() -> Self {
        const { assert!(MIN <= VALUE && VALUE <= MAX) };
        Bounded(VALUE)
    }

    /// Parses decimal digits with an optional minus sign.
    ///
    /// # Errors
    ///
    /// The text is not an integer or is outside the range.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Self::rule());
        }
        text.parse().map_err(|_| Self::rule()).and_then(Self::new)
    }

    /// Returns the integer.
    pub const fn get(self) -> i64 {
        self.0
    }

    fn rule() -> Invalid {
        Invalid::new(format!("must be a whole number from {MIN} to {MAX}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_accepts_both_ends_and_rejects_other_text() {
        type Size = Bounded<1, 200>;
        for (text, value) in [("1", 1), ("200", 200), ("0042", 42)] {
            assert_eq!(Size::parse(text).map(Size::get), Ok(value));
        }
        for text in ["0", "201", "", "-", "-1", "+5", "5.0", "1e2", " 5", "٥", "99999999999999999999"] {
            assert!(Size::parse(text).is_err(), "{text}");
        }
    }
}
