//! The JSON Schemas (draft 2020-12) of a tool's arguments and result.
//!
//! They contain less than the schemas of OpenAPI, for two reasons. First, the validators of some clients misread
//! certain keywords: a bare `true`, formats of Rust's numbers, `null` beside a type. Second, a model reads every byte
//! in every conversation, so only the short descriptions for tools remain.

mod definitions;
mod keywords;

use passbook_operations::form::Declaration;
use passbook_operations::{Entry, TOOL_DESCRIPTION};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use definitions::Definitions;
use keywords::for_each_subschema;

/// Values of the keyword `format` that the validators of all clients support.
const FORMATS: [&str; 3] = ["date", "date-time", "uuid"];
/// Maximum number of values of an enumeration that a result's schema lists. A longer list is in the schema of the
/// argument that accepts the values.
const RESULT_WORDS_MAX: usize = 7;

/// Returns the schema of a tool's arguments: an object without additional properties. It has `properties` also without
/// arguments, because some clients require the keyword.
pub(crate) fn arguments(declared: &[Declaration]) -> Value {
    let properties: Map<String, Value> =
        declared.iter().map(|declared| (declared.name.to_owned(), argument(declared))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn argument(declared: &Declaration) -> Value {
    let mut schema = declared.schema.clone();
    simplify(&mut schema);
    if declared.list {
        schema = json!({ "type": "array", "items": schema });
    }
    if let Some(default) = &declared.default {
        schema["default"] = default.clone();
    }
    schema["description"] = json!(declared.description);
    schema
}

/// Returns the schema of a tool's result.
pub(crate) fn result(entry: &Entry) -> Value {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.meta_schema = None);
    let mut schema = json!(entry.tool_result_schema(settings));
    let definitions = Definitions::take_from(&mut schema);
    definitions.inline(&mut schema);
    let shared = definitions.into_shared();
    if !shared.is_empty() {
        schema["$defs"] = Value::Object(shared);
    }
    use_tool_descriptions(&mut schema);
    simplify(&mut schema);
    schema
}

/// Replaces the descriptions of fields by their short descriptions for tools, and removes long lists of enumeration
/// values.
fn use_tool_descriptions(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("description");
    if let Some(description) = keywords.remove(TOOL_DESCRIPTION) {
        keywords.insert("description".to_owned(), description);
    }
    if keywords.get("enum").and_then(Value::as_array).is_some_and(|words| words.len() > RESULT_WORDS_MAX) {
        keywords.remove("enum");
    }
    for_each_subschema(keywords, &mut use_tool_descriptions);
}

/// Removes keywords that the validators of some clients misread.
fn simplify(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    for keyword in ["$schema", "title", "pattern"] {
        keywords.remove(keyword);
    }
    if keywords.get("format").is_some_and(|format| !FORMATS.iter().any(|known| format == known)) {
        keywords.remove("format");
    }
    if keywords.get("default").is_some_and(Value::is_null) {
        keywords.remove("default");
    }
    for_each_subschema(keywords, &mut simplify);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_declared_descriptions_remain_and_properties_keep_their_names() {
        let mut schema = json!({
            "type": "object", "description": "Doc comment.",
            "properties": {
                "description": { "type": "string", "description": "Doc comment.", TOOL_DESCRIPTION: "Short." },
                "title": { "type": "string", "title": "T", "description": "Doc comment." },
            }
        });
        use_tool_descriptions(&mut schema);
        simplify(&mut schema);
        assert_eq!(
            schema,
            json!({
                "type": "object",
                "properties": {
                    "description": { "type": "string", "description": "Short." },
                    "title": { "type": "string" },
                }
            })
        );
    }
}
