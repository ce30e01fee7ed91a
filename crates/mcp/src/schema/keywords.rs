//! Traversal of JSON Schemas. A property whose name equals a keyword is not treated as a keyword.

use serde_json::{Map, Value};

/// Calls a function for every direct subschema.
pub(super) fn for_each_subschema(keywords: &mut Map<String, Value>, change: &mut dyn FnMut(&mut Value)) {
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(named)) => {
                named.values_mut().for_each(&mut *change)
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(&mut *change)
            }
            ("items" | "additionalProperties", schema) => change(schema),
            _ => {}
        }
    }
}

/// Calls a function for a schema and every schema inside it.
pub(super) fn for_each_schema(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    change(schema);
    if let Value::Object(keywords) = schema {
        for_each_subschema(keywords, &mut |schema| for_each_schema(schema, &mut *change));
    }
}
