//! The reason why a request parameter rejects a JSON value.

use passbook_domain::Invalid;

/// The reason why a JSON value is not valid for a request parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// The JSON value has another type than the schema states. Contains the rule as text.
    WrongType(String),
    /// The JSON value has the right type and breaks a rule.
    BrokenRule(Invalid),
}
