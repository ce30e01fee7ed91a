//! Request parameters as an adapter received them, before any rule is checked.

use serde_json::value::RawValue;

/// The received value of one request parameter.
#[derive(Clone, Debug)]
pub enum ParameterValue {
    /// The decoded value of a query parameter. In a list, items are separated by commas.
    Text(String),
    /// A JSON value, as written. `null` has the same meaning as a missing parameter.
    Json(Box<RawValue>),
    /// A value that the adapter could not decode, such as a broken percent-encoding. Contains the text of the broken
    /// rule.
    Unreadable(String),
}

impl ParameterValue {
    /// Returns true for the JSON value `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, ParameterValue::Json(value) if value.get() == "null")
    }
}

/// JSON values are equal if their texts are equal.
impl PartialEq for ParameterValue {
    fn eq(&self, other: &ParameterValue) -> bool {
        match (self, other) {
            (ParameterValue::Text(one), ParameterValue::Text(other))
            | (ParameterValue::Unreadable(one), ParameterValue::Unreadable(other)) => one == other,
            (ParameterValue::Json(one), ParameterValue::Json(other)) => one.get() == other.get(),
            _ => false,
        }
    }
}

impl Eq for ParameterValue {}
