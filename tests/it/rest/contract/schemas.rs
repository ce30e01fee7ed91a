//! JSON Schemas in words: the type of a field or parameter, and a table for each object.

use serde_json::Value;

use super::text::{anchor, cell, wrapped};

/// Maximum number of values of an enumeration in a table. Longer enumerations are listed at the end of the page.
const VALUES_INLINE_MAX: usize = 12;

/// The last part of the page: every object by name, then every other named type.
pub(super) fn sections(document: &Value) -> String {
    let mut objects =
        String::from("## Objects\n\nA field without \"always\" is absent when it is unknown, never null.\n");
    let mut values = String::from(
        "## Values\n\nValues of an enumeration may be added at any time: tolerate unknown ones.\n",
    );
    for (name, schema) in members(&document["components"]["schemas"]) {
        let description = wrapped(schema["description"].as_str().unwrap_or_default());
        if schema["properties"].is_object() {
            objects.push_str(&format!("\n### {name}\n\n{description}\n\n{}", fields(document, schema)));
        } else {
            let kind = match (schema["enum"].as_array(), schema["pattern"].as_str()) {
                (Some(listed), _) => listed.iter().map(code).collect::<Vec<_>>().join(", "),
                (None, Some(pattern)) => format!("{}, matching `{pattern}`", words(document, schema)),
                (None, None) => words(document, schema),
            };
            let paragraphs = [description, wrapped(&format!("{kind}."))].join("\n\n");
            values.push_str(&format!("\n### {name}\n\n{}\n", paragraphs.trim_start()));
        }
    }
    format!("{objects}\n{values}")
}

fn fields(document: &Value, schema: &Value) -> String {
    let mut table = String::from("| field | type | | meaning |\n|---|---|---|---|\n");
    for (name, field) in members(&schema["properties"]) {
        let always = schema["required"].as_array().is_some_and(|names| names.contains(&name.as_str().into()));
        let always = if always { "always" } else { "" };
        let (kind, description) = (words(document, field), cell(&field["description"]));
        table.push_str(&format!("| `{name}` | {kind} | {always} | {description} |\n"));
    }
    table
}

/// The permitted values in words, for a table cell.
pub(super) fn words(document: &Value, schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|pointer| pointer.rsplit('/').next()) {
        return link(name);
    }
    if let Some(constant) = schema.get("const") {
        return code(constant);
    }
    if let Some(values) = schema["enum"].as_array() {
        return enumeration(document, values);
    }
    if let Some(list) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return list.iter().map(|one| words(document, one)).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", words(document, &schema["items"])),
        Value::String(kind) if kind == "object" && schema["additionalProperties"].is_object() => {
            format!("map of {}", words(document, &schema["additionalProperties"]))
        }
        Value::String(kind) if kind == "object" && schema["properties"].is_object() => {
            let named = members(&schema["properties"])
                .map(|(name, member)| format!("`{name}`: {}", words(document, member)));
            format!("object of {}", named.collect::<Vec<_>>().join(", "))
        }
        Value::String(kind) => scalar(kind, schema),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    }
}

/// Returns the values in code format if there are at most `VALUES_INLINE_MAX`. Longer lists become a link to the named
/// enumeration with the same values; if there is none, the values are listed too.
fn enumeration(document: &Value, values: &[Value]) -> String {
    if values.len() <= VALUES_INLINE_MAX {
        return values.iter().map(code).collect::<Vec<_>>().join(", ");
    }
    let mut schemas = members(&document["components"]["schemas"]);
    let named = schemas.find(|(_, schema)| schema["enum"].as_array().is_some_and(|known| known == values));
    named.map_or_else(|| values.iter().map(code).collect::<Vec<_>>().join(", "), |(name, _)| link(name))
}

fn scalar(kind: &str, schema: &Value) -> String {
    let mut words = match schema["format"].as_str() {
        Some(format) if !format.starts_with("int") => format!("{kind}, {format}"),
        _ => kind.to_owned(),
    };
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => words.push_str(&format!(", {least} to {most}")),
        (Some(least), None) => words.push_str(&format!(", {least} or more")),
        (None, Some(most)) => words.push_str(&format!(", {most} or less")),
        (None, None) => {}
    }
    if let (least, Some(most)) = (schema.get("minLength"), schema.get("maxLength")) {
        words.push_str(&format!(", {} to {most} characters", least.unwrap_or(&Value::from(0))));
    }
    words
}

fn link(name: &str) -> String {
    format!("[{name}](#{})", anchor(name))
}

fn code(value: &Value) -> String {
    format!("`{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}
