//! Faults: the rules that received parameters broke.

use domain::Invalid;

/// Maximum number of characters of a received value that an error message repeats.
const EXCERPT_CHARACTERS_MAX: usize = 80;
/// Minimum length of a word that is treated as a possible token. A UUID is shorter.
const TOKEN_CHARACTERS_MIN: usize = 38;

/// A parameter that broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ParameterFault {
    /// The parameter.
    pub parameter: String,
    /// The rule, and what was received.
    pub message: String,
    /// Every allowed value, where the rule is a closed list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<&'static str>,
}

impl ParameterFault {
    /// Creates a fault without a list of allowed values.
    pub fn new(parameter: impl Into<String>, message: impl Into<String>) -> ParameterFault {
        ParameterFault { parameter: parameter.into(), message: message.into(), allowed: Vec::new() }
    }

    /// Creates a fault from a broken rule. The message does not repeat the received value.
    pub fn from_rule(parameter: &str, invalid: &Invalid) -> ParameterFault {
        ParameterFault {
            allowed: invalid.allowed().to_vec(),
            ..ParameterFault::new(parameter, invalid.rule())
        }
    }

    /// Creates a fault from a broken rule. The message repeats an [`excerpt`] of the received text, in quotation marks.
    pub fn with_received(parameter: &str, invalid: &Invalid, received: &str) -> ParameterFault {
        let message = format!("{}; received {:?}", invalid.rule(), excerpt(received));
        ParameterFault { message, ..ParameterFault::from_rule(parameter, invalid) }
    }
}

/// Returns the part of a received text that an error message may repeat: its first 80 characters.
///
/// A text with a word as long as a token is replaced by `(withheld)`. The word may be a secret that was sent in the
/// wrong place.
pub fn excerpt(text: &str) -> String {
    let may_be_in_token = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    if text.split(|letter| !may_be_in_token(letter)).any(|word| word.len() >= TOKEN_CHARACTERS_MIN) {
        return "(withheld)".to_owned();
    }
    if text.chars().count() <= EXCERPT_CHARACTERS_MAX {
        return text.to_owned();
    }
    text.chars().take(EXCERPT_CHARACTERS_MAX).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_after_eighty_characters() {
        let text = "é ".repeat(40);
        assert_eq!(excerpt(&text), text);
        assert_eq!(excerpt(&format!("{text}x")), format!("{text}…"));
    }

    #[test]
    fn text_with_a_word_as_long_as_a_token_is_withheld() {
        let uuid = "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d";
        assert_eq!(excerpt(uuid), uuid);
        assert_eq!(excerpt(&format!("x {uuid}x")), format!("x {uuid}x"));
        assert_eq!(excerpt(&format!("x {uuid}xy")), "(withheld)");
    }
}
