//! The reason why a JSON value is not a value of a parameter.

use domain::Invalid;

/// A JSON value that a parameter cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// The value has another JSON type than the schema states. Holds the rule.
    WrongType(String),
    /// The value has the right JSON type and breaks a rule.
    BrokenRule(Invalid),
}
