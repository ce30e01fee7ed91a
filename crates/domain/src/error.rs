//! The error for a received value that breaks a rule, and the text of an error with its causes.

use std::error::Error;

/// The rule that a value breaks, as a text for the sender. It does not contain the value, because the value may be
/// secret; the caller adds the name of the field and, where allowed, the received value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}")]
pub struct Invalid {
    rule: String,
    allowed: Vec<&'static str>,
}

impl Invalid {
    /// Creates an error from the text of a rule, such as "must be between 1 and 200".
    pub fn new(rule: impl Into<String>) -> Invalid {
        Invalid { rule: rule.into(), allowed: Vec::new() }
    }

    /// Creates an error for a value outside a fixed list.
    pub fn not_one_of(allowed: impl IntoIterator<Item = &'static str>) -> Invalid {
        Invalid {
            rule: "must be one of the allowed values".to_owned(),
            allowed: allowed.into_iter().collect(),
        }
    }

    /// Adds the values that the rule allows.
    #[must_use]
    pub fn with_allowed(self, allowed: impl IntoIterator<Item = &'static str>) -> Invalid {
        Invalid { allowed: allowed.into_iter().collect(), ..self }
    }

    /// Returns the text of the rule, as a phrase that follows the name of the field.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the allowed values if the rule is a fixed list, otherwise nothing.
    pub fn allowed(&self) -> &[&'static str] {
        &self.allowed
    }
}

/// Returns the message of `error` and of every error in its [`source`](Error::source) chain, outermost first, separated
/// by `": "`.
///
/// The text is for the operator's log. It may contain internal details and must not be sent to a client.
pub fn error_chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error: &&'_ (dyn Error + 'static)| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<String>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::fmt::Error);

    #[test]
    fn error_chain_joins_messages_outermost_first() {
        let expected = format!("outer: {}", std::fmt::Error);
        assert_eq!(error_chain(&Outer(std::fmt::Error)), expected);
        assert_eq!(error_chain(&std::fmt::Error), std::fmt::Error.to_string());
    }
}
