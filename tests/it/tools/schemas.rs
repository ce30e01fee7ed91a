//! Tool descriptors: their content, and the limits that clients and hosts set for them.

use serde_json::{Value, json};
use tests::catalogue::tools;
use tests::mcp::{Era, result};

use super::app;

/// Maximum length of a description, in characters.
const DESCRIPTION_CHARACTERS_MAX: usize = 400;

async fn listed_tools() -> Vec<Value> {
    let (app, _, token) = app().await;
    let list = result(&app.rpc(Era::Legacy, &token, "tools/list", json!({})).await);
    list["tools"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn list_of_tools_equals_the_catalogue() {
    let listed = listed_tools().await;
    let expected = tools();
    assert_eq!(listed.len(), expected.len());
    for (found, (name, tool)) in listed.iter().zip(expected) {
        let facts = tool.spec.tool.expect("it is a tool");
        assert_eq!((found["name"].as_str(), found["title"].as_str()), (Some(name), Some(facts.title)));
        assert_eq!(found["description"], facts.description);
        assert_eq!(
            found["annotations"],
            json!({
                "title": facts.title, "readOnlyHint": true, "destructiveHint": false,
                "idempotentHint": true, "openWorldHint": false
            })
        );
        let schemes = json!([{ "type": "oauth2", "scopes": [tool.spec.scope.expect("data").as_str()] }]);
        assert_eq!((&found["securitySchemes"], &found["_meta"]["securitySchemes"]), (&schemes, &schemes));
        assert!(
            name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{name}"
        );
        assert!(facts.title.len() <= 64, "{name}");
        let characters = facts.description.chars().count();
        assert!(characters <= DESCRIPTION_CHARACTERS_MAX, "{name}: {characters} characters");
        let declared: Vec<&str> = tool.tool_parameters.iter().map(|parameter| parameter.name).collect();
        let properties = found["inputSchema"]["properties"].as_object();
        let mut named: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let mut declared = declared;
        declared.sort_unstable();
        named.sort_unstable();
        assert_eq!(named, declared, "{name}");
    }
}

#[tokio::test]
async fn tool_description_names_another_tool() {
    let tools = tools();
    for (name, tool) in &tools {
        let description = tool.spec.tool.expect("it is a tool").description;
        // get_preferences explains the other tools and names none.
        if *name != "get_preferences" {
            let named = tools.iter().any(|(other, _)| other != name && description.contains(other));
            assert!(named, "{name}: {description}");
        }
    }
}

/// Calls `see` with every schema inside a schema and its location.
fn walk(schema: &Value, place: &str, see: &mut dyn FnMut(&Value, &str)) {
    see(schema, place);
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                for (name, schema) in named {
                    walk(schema, &format!("{place}.{name}"), see);
                }
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                for schema in schemas {
                    walk(schema, place, see);
                }
            }
            ("items" | "additionalProperties", schema) if !schema.is_boolean() => {
                walk(schema, &format!("{place}[]"), see)
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn schemas_use_only_keywords_that_all_clients_support() {
    const KEYWORDS: [&str; 16] = [
        "$defs",
        "$ref",
        "type",
        "properties",
        "required",
        "items",
        "description",
        "enum",
        "const",
        "format",
        "default",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "additionalProperties",
    ];
    for tool in listed_tools().await {
        for which in ["inputSchema", "outputSchema"] {
            let name = format!("{} {which}", tool["name"]);
            let schema = &tool[which];
            assert_eq!(schema["type"], "object", "{name}");
            jsonschema::draft202012::meta::validate(schema).expect("a schema of draft 2020-12");
            walk(schema, &name, &mut |schema, place| {
                let keywords = schema.as_object().unwrap_or_else(|| panic!("{place} is {schema}"));
                for (keyword, value) in keywords {
                    let free = place.contains("additionalProperties");
                    assert!(KEYWORDS.contains(&keyword.as_str()) || free, "{place}: {keyword}");
                    assert!(!value.is_null(), "{place}: {keyword}");
                }
                assert!(keywords.get("type").is_none_or(Value::is_string), "{place}: {}", schema["type"]);
                let format = keywords.get("format").and_then(Value::as_str);
                assert!(
                    format.is_none_or(|format| matches!(format, "date" | "date-time" | "uuid")),
                    "{place}"
                );
                // A reference names a definition of the same schema. Some hosts reject references in arguments.
                if let Some(name) = keywords.get("$ref").and_then(Value::as_str) {
                    let named = name.strip_prefix('#').and_then(|pointer| tool[which].pointer(pointer));
                    assert!(named.is_some_and(Value::is_object), "{place}: {name} has no definition");
                    assert_eq!(which, "outputSchema", "{place}");
                }
                // Clients must accept new members of results, so only argument schemas are closed.
                let closed = schema.get("additionalProperties") == Some(&json!(false));
                assert!(!(closed && which == "outputSchema"), "{place}");
            });
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{}", tool["name"]);
        // Some clients require `properties`, also of a tool without arguments.
        let named = tool["inputSchema"]["properties"].as_object().cloned().expect("properties");
        for (name, property) in named {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
        }
    }
}
