//! Decimal numbers that are shown and never computed with: quantities and prices of one unit.

use std::fmt;

use crate::invalid::Invalid;

/// A decimal number as text, such as `0.04210000`: exact, with the digits it was stored with.
///
/// A quantity of a coin may have more digits than a double or a 128-bit decimal can hold, so it stays text from the
/// ledger to the wire. What it is worth is computed where it is stored.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct DecimalText(String);

impl DecimalText {
    /// Refused unless it is digits with at most one minus sign before and one point between them; no exponent.
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

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DecimalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl schemars::JsonSchema for DecimalText {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DecimalText".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$" })
    }
}

#[cfg(test)]
mod tests {
    use super::DecimalText;

    #[test]
    fn digits_are_kept_and_anything_else_is_refused() {
        for text in ["0", "61", "-3", "0.04210000", "123456789012345678901234567890.000000000000000001"] {
            assert_eq!(DecimalText::parse(text).map(|decimal| decimal.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "-", ".5", "5.", "1e3", "NaN", "Infinity", "+1", "1,5", " 1", "1.2.3", "--1", "٣"] {
            assert!(DecimalText::parse(text).is_err(), "{text}");
        }
    }
}
