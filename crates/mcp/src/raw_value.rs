//! Access to JSON values that are kept as written.

use json::Object;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// Members of an object whose values are kept as written.
pub(crate) type RawObject<'a> = Object<&'a RawValue>;

/// Returns the members if the value is an object.
pub(crate) fn object(value: &RawValue) -> Option<RawObject<'_>> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the text if the value is a string of whole Unicode characters.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the text of a member that is a string.
pub(crate) fn string_member(object: &RawObject<'_>, name: &str) -> Option<String> {
    object.get(name).and_then(|value| string(value))
}

/// Returns true for `null`.
pub(crate) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// Serialises a value once, for insertion into a message.
pub(crate) fn serialized(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("a type of this crate serialises without errors")
}

/// Serialises a message.
pub(crate) fn to_string(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a type of this crate serialises without errors")
}
