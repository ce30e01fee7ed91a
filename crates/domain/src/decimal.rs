//! Decimal numbers as text: quantities and unit prices, which are shown and not computed with.

use std::fmt;

use crate::error::Invalid;
use crate::string_enum::json_schema;

/// A decimal number as text, such as `0.04210000`, with exactly the stored digits.
///
/// A quantity of a cryptocurrency may have more digits than a double or a 128-bit decimal can hold. It therefore stays
/// text from the ledger to the response. The database computes its value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct DecimalText(String);

impl DecimalText {
    /// Parses a decimal number: an optional minus sign, digits, and optionally a point and more digits.
    ///
    /// # Errors
    ///
    /// The text has another form, such as an exponent.
    pub fn parse(text: &str) -> Result<DecimalText, Invalid> {
        let magnitude = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if digits(whole) && digits(fraction) {
            Ok(DecimalText(text.to_owned()))
        } else {
            Err(Invalid::new("must be a decimal number without exponent, such as 12.50"))
        }
    }

    /// Returns the number as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DecimalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

json_schema!(DecimalText, "DecimalText", inline: false, { "type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$" });

#[cfg(test)]
mod tests {
    use super::DecimalText;

    #[test]
    fn parse_keeps_digits_and_rejects_other_notations() {
        for text in ["0", "61", "-3", "0.04210000", "123456789012345678901234567890.000000000000000001"] {
            assert_eq!(DecimalText::parse(text).map(|decimal| decimal.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "-", ".5", "5.", "1e3", "NaN", "Infinity", "+1", "1,5", " 1", "1.2.3", "--1", "٣"] {
            assert!(DecimalText::parse(text).is_err(), "{text}");
        }
    }
}
