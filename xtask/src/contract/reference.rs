//! References and compositions of a description, resolved so that two schemas can be compared member by member.

use serde_json::{Map, Value};

/// How deep a chain of references may be before it is a circle.
const REFERENCES_MAX: usize = 32;

/// What `$ref` leads to, with the members beside it laid over; the value itself where there is none.
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

/// A schema as one object: references resolved, and the parts of `allOf` put together.
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
        // `false`, and what is not a schema: nothing fits.
        other => Map::from_iter([("not".to_owned(), other)]),
    }
}

/// Adds a part of `allOf`: properties and required members of both, and whatever the whole does not say itself.
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
