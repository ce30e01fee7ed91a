//! Confidence of a detected stream, and the minimum confidence of a request.

use crate::error::Invalid;
use crate::string_enum::json_schema;

/// Probability that a detected stream really recurs, 0 to 0.99 in steps of 0.01. It is calibrated: of the streams that
/// are detected with confidence 0.9, about nine of ten really recur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Confidence(u8);

impl Confidence {
    /// Largest confidence, in hundredths. A detected stream is never certain.
    const HUNDREDTHS_MAX: f64 = 99.0;

    /// Rounds a probability to hundredths and limits it to the range from 0 to 0.99.
    pub(super) fn from_probability(probability: f64) -> Confidence {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 99")]
        Confidence((probability * 100.0).round().clamp(0.0, Confidence::HUNDREDTHS_MAX) as u8)
    }

    /// Returns the confidence as a number from 0 to 0.99.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl serde::Serialize for Confidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.share())
    }
}

json_schema!(Confidence, "Confidence", inline: true, { "type": "number", "minimum": 0, "maximum": 1 });

/// Minimum confidence of the streams that a request lists, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceMin(f64);

impl ConfidenceMin {
    /// Default value of the parameter `minConfidence`. Only a stream with at least this confidence can own the plain
    /// identifier of its payee (`stream.rs`).
    pub const DEFAULT: ConfidenceMin = ConfidenceMin(0.6);

    /// Parses a number from 0 to 1 in the form of JSON (RFC 8259 section 6), such as `0.6` or `1e-7`. Programs write small
    /// numbers with an exponent.
    ///
    /// # Errors
    ///
    /// The text does not have this form, or the number is greater than 1. A sign before the number and `NaN` are errors.
    pub fn parse(text: &str) -> Result<ConfidenceMin, Invalid> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
            && !text.contains(".e")
            && !text.contains(".E")
            && text.starts_with(|first: char| first.is_ascii_digit())
            && text.ends_with(|last: char| last.is_ascii_digit());
        let value = text.parse::<f64>().ok().filter(|value| plain && (0.0..=1.0).contains(value));
        value.map(ConfidenceMin).ok_or_else(|| Invalid::new("must be a number from 0 to 1, such as 0.6"))
    }

    /// Returns the minimum as a number from 0 to 1.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns true if `confidence` is equal to or greater than this minimum.
    pub fn admits(self, confidence: Confidence) -> bool {
        confidence.share() >= self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_parses_only_numbers_from_0_to_1() {
        for (text, value) in [
            ("0", 0.0),
            ("1", 1.0),
            ("0.6", 0.6),
            ("0.655", 0.655),
            ("1.00", 1.0),
            ("6e-1", 0.6),
            ("1.192092896E-07", 1.192_092_896e-7),
            ("0.1e+1", 1.0),
        ] {
            assert_eq!(ConfidenceMin::parse(text).map(ConfidenceMin::get), Ok(value), "{text}");
        }
        for text in [
            "", "1.01", "2", "-0.1", "+0.5", ".5", "1.", "1.e-1", "1e1", "1e-", "1-1", "NaN", "inf", "0,6",
            "0.5 ", "60%", "0.5.1",
        ] {
            assert!(ConfidenceMin::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn minimum_admits_equal_confidence() {
        for hundredths in 0..=99_u8 {
            let minimum = ConfidenceMin::parse(&format!("0.{hundredths:02}")).expect("a minimum");
            assert!(minimum.admits(Confidence(hundredths)), "{hundredths}");
            assert!(hundredths == 0 || !minimum.admits(Confidence(hundredths - 1)), "{hundredths}");
        }
    }
}
