//! The JSON Schemas (draft 2020-12) of a tool's arguments and result.
//!
//! They contain less than the schemas of OpenAPI, for two reasons. First, the validators of some clients misread
//! certain keywords: a bare `true`, formats of Rust's numbers, `null` beside a type. Second, a model reads every byte
//! in every conversation, so only the short descriptions for tools remain.

use std::collections::{BTreeMap, BTreeSet};

use passbook_operations::form::Declaration;
use passbook_operations::{CatalogueEntry, TOOL_DESCRIPTION, TOOL_PLAIN};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

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
        // Names are short; a fault names the limit.
        if let Value::Object(keywords) = &mut schema {
            keywords.remove("minLength");
            keywords.remove("maxLength");
        }
        schema = json!({ "type": "array", "items": schema });
    }
    if let Some(default) = &declared.default {
        schema["default"] = default.clone();
    }
    schema["description"] = json!(declared.description);
    schema
}

/// Returns the schema of a tool's result.
pub(crate) fn result(entry: &CatalogueEntry) -> Value {
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
    remove_checks(&mut schema);
    schema
}

/// Removes keywords that only a validator of results uses. A model reads the schema in every conversation.
fn remove_checks(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("required");
    keywords.remove("format");
    for_each_subschema(keywords, &mut remove_checks);
}

/// Replaces the descriptions of fields by their short descriptions for tools, and removes long lists of enumeration
/// values.
fn use_tool_descriptions(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("description");
    if let Some(description) = keywords.remove(TOOL_DESCRIPTION) {
        keywords.insert("description".to_owned(), description);
    }
    if keywords.remove(TOOL_PLAIN).is_some() {
        keywords.remove("properties");
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

/// The definitions (`$defs`) that were removed from a root schema. A definition with several references stays; every other
/// one is inserted where it is used.
struct Definitions {
    all: Map<String, Value>,
    /// Names of the definitions that several places refer to, such as money.
    shared: BTreeSet<String>,
}

impl Definitions {
    /// Removes `$defs` from a root schema and returns its definitions.
    fn take_from(schema: &mut Value) -> Definitions {
        let all = match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
            Some(Value::Object(definitions)) => definitions,
            _ => Map::new(),
        };
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut count = |schema: &mut Value| {
            if let Some(name) = referred_name(schema) {
                *counts.entry(name.to_owned()).or_default() += 1;
            }
        };
        for schema in all.values().chain([&*schema]) {
            for_each_schema(&mut schema.clone(), &mut count);
        }
        let is_object = |name: &String| all.get(name).is_some_and(|schema| schema["type"] == "object");
        let shared = counts.into_iter().filter(|(name, count)| *count > 1 && is_object(name));
        let shared = shared.map(|(name, _)| name).collect();
        Definitions { all, shared }
    }

    /// Replaces each reference to a definition that is not shared by the definition itself. Keywords beside a reference
    /// take precedence over those of the definition.
    fn inline(&self, schema: &mut Value) {
        while let Some(name) = referred_name(schema).filter(|name| !self.shared.contains(*name)) {
            let Some(Value::Object(mut definition)) = self.all.get(name).cloned() else { break };
            if let Value::Object(keywords) = schema {
                keywords.remove("$ref");
                definition.append(keywords);
                *keywords = definition;
            }
        }
        if let Value::Object(keywords) = schema {
            for_each_subschema(keywords, &mut |schema| self.inline(schema));
        }
    }

    /// Returns the shared definitions.
    fn into_shared(self) -> Map<String, Value> {
        let mut shared = self.all.clone();
        shared.retain(|name, _| self.shared.contains(name));
        shared.values_mut().for_each(|definition| self.inline(definition));
        shared
    }
}

/// Returns the name of the definition that a schema refers to; `None` if the schema is not a reference.
fn referred_name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// Calls a function for every direct subschema. A property whose name equals a keyword is not treated as a keyword.
fn for_each_subschema(keywords: &mut Map<String, Value>, change: &mut dyn FnMut(&mut Value)) {
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
fn for_each_schema(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    change(schema);
    if let Value::Object(keywords) = schema {
        for_each_subschema(keywords, &mut |schema| for_each_schema(schema, &mut *change));
    }
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
