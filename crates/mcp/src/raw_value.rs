//! Functions for JSON values that stay unparsed text.

use passbook_input::Object;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// An object whose members' values stay unparsed JSON text.
pub(crate) type RawObject<'a> = Object<&'a RawValue>;

/// Returns the members of a JSON value that is an object; otherwise `None`.
pub(crate) fn object(value: &RawValue) -> Option<RawObject<'_>> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the text of a JSON value that is a string of whole Unicode characters; otherwise `None`.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the text of an object's member that is a string; otherwise `None`.
pub(crate) fn string_member(object: &RawObject<'_>, name: &str) -> Option<String> {
    object.get(name).and_then(|value| string(value))
}

/// Returns true if a JSON value is `null`.
pub(crate) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// Serialises a value to JSON text that can be inserted into several messages.
pub(crate) fn serialized(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("a type of this crate serialises without errors")
}

/// Serialises a value to JSON text.
pub(crate) fn to_string(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a type of this crate serialises without errors")
}
