//! The JSON Schemas (draft 2020-12) of a tool's arguments and result, as the clients in use can read them.
//!
//! What the same types say in OpenAPI is too much here. Clients validate with engines that misread or refuse some of
//! it (a bare `true`, formats of Rust's numbers, null beside a type), and every byte is read by a model in every
//! conversation.

use std::collections::{BTreeMap, BTreeSet};

use operations::Operation;
use operations::form::{Declaration, LIST_ITEMS_MAX};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The formats that every client's validator agrees about.
const FORMATS: [&str; 3] = ["date", "date-time", "uuid"];
/// Words of a closed list that a result's schema repeats. More of them are named where they are asked for, and
/// may grow.
const RESULT_WORDS_MAX: usize = 12;
/// Bytes up to which the schema of a result explains its members. The list of all tools is read in every
/// conversation, and OpenAPI has the whole of every explanation.
const EXPLAINED_BYTES_MAX: usize = 1_950;
/// Bytes before a colon from which they explain something by themselves.
const BEFORE_COLON_BYTES_MIN: usize = 20;
/// How deep explanations go, the first that fits: everywhere, to the members of rows, to those of the result,
/// nowhere.
const DEPTHS: [usize; 4] = [usize::MAX, 2, 1, 0];

/// The schema of a tool's arguments: an object that takes nothing else.
pub(crate) fn arguments(declared: &[Declaration]) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false });
    if !declared.is_empty() {
        let properties: Map<String, Value> =
            declared.iter().map(|declared| (declared.name.to_owned(), argument(declared))).collect();
        schema["properties"] = Value::Object(properties);
    }
    schema
}

fn argument(declared: &Declaration) -> Value {
    let mut schema = declared.schema.clone();
    clean(&mut schema);
    if declared.list {
        schema = json!({ "type": "array", "items": schema, "minItems": 1, "maxItems": LIST_ITEMS_MAX });
    }
    if let Some(default) = &declared.default {
        schema["default"] = default.clone();
    }
    schema["description"] = json!(declared.description);
    schema
}

/// The schema of a tool's result: always an object, so an array is wrapped under a name.
pub(crate) fn result<O: Operation>(wrapper: Option<&str>) -> Value {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.meta_schema = None);
    let mut schema = json!(settings.into_generator().into_root_schema_for::<O::Output>());
    let mut definitions = take_definitions(&mut schema);
    let shared = shared(&schema, &definitions);
    inline(&mut schema, &definitions, &shared);
    if let Value::Object(root) = &mut schema {
        root.remove("description");
    }
    if let Some(name) = wrapper {
        schema = json!({ "type": "object", "properties": { name: schema }, "required": [name] });
    }
    if !shared.is_empty() {
        let all = definitions.clone();
        definitions.retain(|name, _| shared.contains(name));
        definitions.values_mut().for_each(|definition| inline(definition, &all, &shared));
        schema["$defs"] = Value::Object(definitions);
    }
    clean(&mut schema);
    shorten(&mut schema);
    let mut candidates = DEPTHS.map(|depth| explained(&schema, depth)).into_iter();
    let fitting = candidates.find(|candidate| candidate.to_string().len() <= EXPLAINED_BYTES_MAX);
    fitting.unwrap_or_else(|| explained(&schema, 0))
}

fn take_definitions(schema: &mut Value) -> Map<String, Value> {
    match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    }
}

/// The objects that several places hold, money above all: these are told once and referred to.
fn shared(schema: &Value, definitions: &Map<String, Value>) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = |schema: &mut Value| {
        if let Some(name) = referred(schema) {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    };
    for schema in definitions.values().chain([schema]) {
        for_all(&mut schema.clone(), &mut count);
    }
    let object = |name: &String| definitions.get(name).is_some_and(|schema| schema["type"] == "object");
    counts.into_iter().filter(|(name, count)| *count > 1 && object(name)).map(|(name, _)| name).collect()
}

/// The definition that a schema refers to.
fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// Puts every definition that is not shared in the places that refer to it. What is said there goes first.
fn inline(schema: &mut Value, definitions: &Map<String, Value>, shared: &BTreeSet<String>) {
    while let Some(name) = referred(schema).filter(|name| !shared.contains(*name)) {
        let Some(Value::Object(mut definition)) = definitions.get(name).cloned() else { break };
        if let Value::Object(keywords) = schema {
            keywords.remove("$ref");
            definition.append(keywords);
            *keywords = definition;
        }
    }
    if let Value::Object(keywords) = schema {
        for_each_subschema(keywords, &mut |schema| inline(schema, definitions, shared));
    }
}

/// Takes away what clients misread, in place. Names of properties are no keywords and stay as they are.
fn clean(schema: &mut Value) {
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
    if let Some(Value::String(description)) = keywords.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    for_each_subschema(keywords, &mut clean);
}

/// Takes away what a reader of a result can do without, in place: all but the first sentence of an explanation, long
/// lists of words, and what an item is where the list says it. What a colon adds is cut off too.
fn shorten(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    if let Some(Value::String(description)) = keywords.get_mut("description") {
        let ends = [". ", "; "].iter().filter_map(|end| description.find(end));
        // A word or two before a colon say nothing without what follows.
        let colon = description.find(": ").filter(|end| *end >= BEFORE_COLON_BYTES_MIN);
        if let Some(end) = ends.chain(colon).min() {
            description.truncate(end);
            description.push('.');
        }
    }
    if keywords.get("enum").and_then(Value::as_array).is_some_and(|words| words.len() > RESULT_WORDS_MAX) {
        keywords.remove("enum");
    }
    if keywords.contains_key("description")
        && let Some(Value::Object(item)) = keywords.get_mut("items")
    {
        item.remove("description");
    }
    if let Some(Value::Object(definitions)) = keywords.get_mut("$defs") {
        // Each place says what the thing is there.
        definitions.values_mut().filter_map(Value::as_object_mut).for_each(|definition| {
            definition.remove("description");
        });
    }
    for_each_subschema(keywords, &mut shorten);
}

/// A schema without the explanations that lie deeper than some levels. A list and its items are one level, and what is
/// shared lies deepest.
fn explained(schema: &Value, depth: usize) -> Value {
    let mut schema = schema.clone();
    if let (true, Some(Value::Object(definitions))) = (depth < usize::MAX, schema.get_mut("$defs")) {
        definitions.values_mut().for_each(|definition| explain(definition, Some(0)));
    }
    explain(&mut schema, Some(depth));
    schema
}

fn explain(schema: &mut Value, depth: Option<usize>) {
    let Value::Object(keywords) = schema else { return };
    let below = match depth {
        Some(depth) if keywords.contains_key("items") => Some(depth),
        depth => depth.and_then(|depth| depth.checked_sub(1)),
    };
    for_each_subschema(keywords, &mut |schema| {
        if let (Value::Object(keywords), None) = (&mut *schema, below) {
            keywords.remove("description");
        }
        explain(schema, below);
    });
}

fn for_all(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    change(schema);
    if let Value::Object(keywords) = schema {
        for_each_subschema(keywords, &mut |schema| for_all(schema, &mut *change));
    }
}

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
