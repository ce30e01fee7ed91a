//! Resolves `$ref` and `allOf`, so that two schemas can be compared member by member.

use serde_json::{Map, Value};

/// Maximum number of references that lead to each other. A longer sequence refers to itself.
const REFERENCES_MAX: usize = 32;

/// Returns the target of `$ref`, overridden by the members beside `$ref`. A value without `$ref` is returned as it is.
pub(super) fn resolve<'a>(document: &'a Value, value: &'a Value) -> Value {
    let mut resolved = value.clone();
    for _ in 0..REFERENCES_MAX {
        let Some(pointer) = resolved.get("$ref").and_then(Value::as_str).map(str::to_owned) else { break };
        let target = pointer.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
        let mut members = target.and_then(Value::as_object).cloned().unwrap_or_default();
        let beside = resolved.as_object().cloned().unwrap_or_default();
        members.extend(beside.into_iter().filter(|(name, _)| name != "$ref"));
        resolved = Value::Object(members);
    }
    resolved
}

/// Returns a schema as one object, with references resolved and the parts of `allOf` merged.
pub(super) fn schema(document: &Value, value: &Value) -> Map<String, Value> {
    match resolve(document, value) {
        Value::Bool(true) => Map::new(),
        Value::Object(mut members) => {
            let parts =
                members.remove("allOf").and_then(|parts| parts.as_array().cloned()).unwrap_or_default();
            for part in parts {
                join(&mut members, schema(document, &part));
            }
            members
        }
        // For `false` and anything that is not a schema, no value is valid.
        other => Map::from_iter([("not".to_owned(), other)]),
    }
}

/// Merges a part of `allOf` into `whole`: unites `properties` and `required`, and adds members that `whole` lacks.
fn join(whole: &mut Map<String, Value>, part: Map<String, Value>) {
    for (name, value) in part {
        match (whole.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(more)) if name == "properties" => known.extend(more),
            (Some(Value::Array(known)), Value::Array(more)) if name == "required" => known.extend(more),
            (Some(_), _) => {}
            (None, value) => drop(whole.insert(name, value)),
        }
    }
}
