//! Why a value from outside was refused.

/// A rule that a value broke, as a sentence for whoever sent it. It never repeats the value: the caller knows
/// where it stood and says what was received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}")]
pub struct Invalid {
    rule: String,
    allowed: Vec<&'static str>,
}

impl Invalid {
    /// Refused by a rule, for example "must be between 1 and 200".
    pub fn new(rule: impl Into<String>) -> Invalid {
        Invalid { rule: rule.into(), allowed: Vec::new() }
    }

    /// Refused because it is none of the allowed values.
    pub fn not_one_of(allowed: impl IntoIterator<Item = &'static str>) -> Invalid {
        Invalid {
            rule: "must be one of the allowed values".to_owned(),
            allowed: allowed.into_iter().collect(),
        }
    }

    /// The rule, as a clause that follows the field's name.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Every allowed value, where the rule is a closed list; otherwise empty.
    pub fn allowed(&self) -> &[&'static str] {
        &self.allowed
    }
}
