//! Generates the OpenAPI path item of an operation: parameters, scope, result and errors.

use passbook_domain::scope::Surface;
use passbook_operations::CatalogueEntry;
use passbook_operations::form::{Declaration, LIST_ITEMS_MAX};
use schemars::generate::SchemaGenerator;
use serde_json::{Map, Value, json};

use passbook_web::openapi::{WITH_TOKEN, refer, success, with_rate_limits};

/// Returns the OpenAPI path item of an operation, with its tag. A request needs one of the security schemes.
pub(super) fn path_item(
    generator: &mut SchemaGenerator,
    entry: &CatalogueEntry,
    tag: &str,
    security_schemes: &[&str],
) -> Value {
    let spec = entry.spec;
    let parameters: Vec<Value> = entry.declarations(Surface::Rest).iter().map(parameter).collect();
    let result = entry.result_schema(generator);
    let mut responses = Map::new();
    responses.insert("200".to_owned(), with_rate_limits(success(spec.summary, &json!(result))));
    refer(&mut responses, WITH_TOKEN);
    let scopes: Vec<&str> = spec.scope.iter().map(|scope| scope.as_str()).collect();
    let scope = match spec.scope {
        Some(scope) => format!("\n\nRequires the scope `{scope}`."),
        None => "\n\nRequires a valid token, but no scope.".to_owned(),
    };
    let security: Vec<Value> = security_schemes
        .iter()
        .map(|scheme| Value::Object(Map::from_iter([((*scheme).to_owned(), json!(scopes))])))
        .collect();
    json!({ "get": {
        "operationId": spec.id,
        "summary": spec.summary,
        "description": format!("{}{scope}", spec.description),
        "tags": [tag],
        "security": security,
        "parameters": parameters,
        "responses": responses,
    } })
}

fn parameter(declared: &Declaration) -> Value {
    let mut schema = declared.schema.clone();
    if let Some(default) = &declared.default {
        schema["default"] = default.clone();
    }
    let mut parameter = json!({
        "name": declared.name, "in": "query", "required": false, "description": declared.description,
    });
    if declared.json_text {
        let description = format!("{} JSON text, percent-encoded in the query string.", declared.description);
        parameter["description"] = json!(description);
        // Generators of clients drop parameters with `content`, so the JSON text is described as a string.
        parameter["schema"] = json!({ "type": "string" });
        parameter["example"] = json!(declared.example.to_string());
    } else if declared.list {
        parameter["schema"] =
            json!({ "type": "array", "items": schema, "minItems": 1, "maxItems": LIST_ITEMS_MAX });
        parameter["style"] = json!("form");
        parameter["explode"] = json!(true);
        parameter["example"] = json!([declared.example]);
    } else {
        parameter["schema"] = schema;
        parameter["example"] = declared.example.clone();
    }
    parameter
}
