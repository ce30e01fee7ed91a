//! Confidence: how far an inferred thing is believed.

use crate::invalid::Invalid;

/// How far something is believed, from 0 to 0.99 in hundredths: the share of such findings that are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Confidence(u8);

impl Confidence {
    /// Nothing that is inferred is certain.
    const HUNDREDTHS_MAX: f64 = 99.0;

    pub(super) fn rounded(share: f64) -> Confidence {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 99")]
        Confidence((share * 100.0).round().clamp(0.0, Confidence::HUNDREDTHS_MAX) as u8)
    }

    /// From 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl serde::Serialize for Confidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.share())
    }
}

impl schemars::JsonSchema for Confidence {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Confidence".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

/// The least confidence that is asked for, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceMin(f64);

impl ConfidenceMin {
    /// What is believed unless the caller says otherwise.
    pub const USUAL: ConfidenceMin = ConfidenceMin(0.6);

    /// Reads a decimal number. Refused unless it is digits with at most one point, from 0 to 1.
    pub fn parse(text: &str) -> Result<ConfidenceMin, Invalid> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && text.starts_with(|first: char| first.is_ascii_digit())
            && text.ends_with(|last: char| last.is_ascii_digit());
        let value = text.parse::<f64>().ok().filter(|value| plain && (0.0..=1.0).contains(value));
        value.map(ConfidenceMin).ok_or_else(|| Invalid::new("must be a number from 0 to 1, such as 0.6"))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Whether something is believed as far as that.
    pub fn admits(self, confidence: Confidence) -> bool {
        confidence.share() >= self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_a_plain_number_from_0_to_1() {
        for (text, value) in [("0", 0.0), ("1", 1.0), ("0.6", 0.6), ("0.655", 0.655), ("1.00", 1.0)] {
            assert_eq!(ConfidenceMin::parse(text).map(ConfidenceMin::get), Ok(value), "{text}");
        }
        for text in
            ["", "1.01", "2", "-0.1", "+0.5", ".5", "1.", "1e-1", "NaN", "inf", "0,6", "0.5 ", "60%", "0.5.1"]
        {
            assert!(ConfidenceMin::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_bound_admits_what_is_equal() {
        for hundredths in 0..=99_u8 {
            let bound = ConfidenceMin::parse(&format!("0.{hundredths:02}")).expect("a bound");
            assert!(bound.admits(Confidence(hundredths)), "{hundredths}");
            assert!(hundredths == 0 || !bound.admits(Confidence(hundredths - 1)), "{hundredths}");
        }
    }
}
