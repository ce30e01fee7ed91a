//! JSON numbers: whole numbers are read exactly, in every notation. And the reason why a JSON value is rejected.

use passbook_domain::Invalid;
use serde_json::value::RawValue;

/// The reason why a JSON value is not valid for a request parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// The JSON value has another type than the schema states. Contains the rule as text.
    WrongType(String),
    /// The JSON value has the right type and breaks a rule.
    BrokenRule(Invalid),
}

/// Reads a whole number from JSON. JSON Schema counts `10.0` and `1e1` among the integers. `min` and `max` appear in
/// the message for a value that is no whole number. The caller checks the range, unless the number exceeds 64 bits.
pub(crate) fn whole_number_from(value: &RawValue, min: i64, max: i64) -> Result<i64, JsonFault> {
    let rule = format!("must be a whole number from {min} to {max}");
    let Some(number) = exact(value.get()) else {
        return Err(JsonFault::WrongType(format!("{rule}, without quotation marks")));
    };
    i64::try_from(number).map_err(|_| JsonFault::BrokenRule(Invalid::new(rule)))
}

/// Returns the exact value of a JSON number if it is whole. A double would round numbers of 16 digits and more. Returns
/// `None` for fractions, and for numbers beyond 128 bits, which no parameter accepts.
fn exact(written: &str) -> Option<i128> {
    if !is_number(written) {
        return None;
    }
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let factor = 10_i128.checked_pow(scale.unsigned_abs())?;
    if scale >= 0 {
        return digits.checked_mul(factor);
    }
    (digits % factor == 0).then(|| digits / factor)
}

/// Returns true if the JSON text `written` is a number.
pub(crate) fn is_number(written: &str) -> bool {
    written.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_exactly_in_every_notation() {
        for (written, expected) in [
            ("10", Some(10)),
            ("-3", Some(-3)),
            ("10.0", Some(10)),
            ("1e1", Some(10)),
            ("1E+1", Some(10)),
            ("1.20e2", Some(120)),
            ("2500e-2", Some(25)),
            ("0.0", Some(0)),
            ("-0.0", Some(0)),
            ("9007199254740993.0", Some(9_007_199_254_740_993)),
            ("9000000000000000.5", None),
            ("99999999999999999999", Some(99_999_999_999_999_999_999)),
            ("10.5", None),
            ("1e-1", None),
            ("1e400", None),
            ("\"10\"", None),
            ("true", None),
            ("[10]", None),
        ] {
            assert_eq!(exact(written), expected, "{written}");
        }
    }

    #[test]
    fn numbers_beyond_64_bits_break_the_range() {
        let value: Box<RawValue> = serde_json::from_str("99999999999999999999").expect("JSON");
        let rule = Invalid::new("must be a whole number from 1 to 100");
        assert_eq!(whole_number_from(&value, 1, 100), Err(JsonFault::BrokenRule(rule)));
    }
}
