//! Generates the OpenAPI path item of an operation: parameters, scope, result and errors.

use operations::Operation;
use operations::form::{Declaration, Form, LIST_ITEMS_MAX};
use schemars::generate::SchemaGenerator;
use serde_json::{Map, Value, json};

use web::openapi::{WITH_TOKEN, refer, success, with_rate_limits};

/// Returns the OpenAPI path item of the operation `O`, with its tag.
pub(super) fn path_item<O: Operation>(generator: &mut SchemaGenerator, tag: &str) -> Value {
    let spec = O::SPEC;
    let mut form = Form::new(&[]);
    O::read(&mut form);
    let parameters: Vec<Value> = form.declarations().iter().map(parameter).collect();
    let result = generator.subschema_for::<O::Output>();
    let mut responses = Map::new();
    responses.insert("200".to_owned(), with_rate_limits(success(spec.summary, &json!(result))));
    refer(&mut responses, WITH_TOKEN);
    let scopes: Vec<&str> = spec.scope.iter().map(|scope| scope.as_str()).collect();
    let scope = match spec.scope {
        Some(scope) => format!("\n\nRequires the scope `{scope}`."),
        None => "\n\nRequires a valid token, but no scope.".to_owned(),
    };
    json!({ "get": {
        "operationId": spec.id,
        "summary": spec.summary,
        "description": format!("{}{scope}", spec.description),
        "tags": [tag],
        "security": [{ "bearer": scopes }],
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
