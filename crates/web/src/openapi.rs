//! Building blocks of OpenAPI path items, which each adapter writes for its own routes.
//!
//! The document itself, with the shared responses that [`refer`] names, belongs to the REST adapter.

use serde_json::{Map, Value, json};

/// OpenAPI path items, each by its path below the base address; an item with `servers` of its own has a path at the
/// origin.
pub type PathItems = Map<String, Value>;

/// Path of the OpenAPI document below the base address.
pub const OPENAPI_PATH: &str = "/openapi.json";

/// Shared error responses of a route that needs no token: pairs of HTTP status and name of the response.
pub const WITHOUT_TOKEN: &[(&str, &str)] = &[
    ("405", "MethodNotAllowed"),
    ("414", "UriTooLong"),
    ("431", "HeadersTooLarge"),
    ("500", "Internal"),
    ("504", "Timeout"),
];

/// Shared error responses of a route that needs a token: pairs of HTTP status and name of the response.
pub const WITH_TOKEN: &[(&str, &str)] = &[
    ("400", "InvalidRequest"),
    ("401", "Unauthorized"),
    ("403", "Forbidden"),
    ("405", "MethodNotAllowed"),
    ("414", "UriTooLong"),
    ("429", "RateLimited"),
    ("431", "HeadersTooLarge"),
    ("500", "Internal"),
    ("503", "Unavailable"),
    ("504", "Timeout"),
];

/// Adds a reference to each of the shared responses to the responses of a route.
pub fn refer(responses: &mut Map<String, Value>, shared: &[(&str, &str)]) {
    for (status, name) in shared {
        responses.insert((*status).to_owned(), json!({ "$ref": format!("#/components/responses/{name}") }));
    }
}

/// Returns the OpenAPI path item of a GET route that needs no token. `success` describes its response with status 200.
pub fn public_route(id: &str, summary: &str, description: &str, success: Value) -> Value {
    let mut responses = Map::new();
    responses.insert("200".to_owned(), success);
    refer(&mut responses, WITHOUT_TOKEN);
    json!({ "get": {
        "operationId": id, "summary": summary, "description": description, "tags": ["service"],
        "security": [], "responses": responses
    } })
}

/// Returns the OpenAPI description of a response with a JSON body.
pub fn success(description: &str, schema: &Value) -> Value {
    json!({
        "description": description,
        "headers": { "x-request-id": request_id() },
        "content": { "application/json": { "schema": schema } }
    })
}

/// Returns the OpenAPI description of a response with a JSON body and the header `Retry-After`.
pub fn with_retry_after(description: &str, schema: &Value) -> Value {
    let mut response = success(description, schema);
    response["headers"]["Retry-After"] = json!({ "description": "Seconds to wait before the next attempt.", "schema": { "type": "integer", "minimum": 0 } });
    response
}

/// Adds the rate-limit headers to the OpenAPI description of a response.
pub fn with_rate_limits(mut response: Value) -> Value {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "integer", "minimum": 0 });
    for (name, description, schema) in [
        (
            "RateLimit-Policy",
            "Each rate limit: requests (q) in seconds (w). Absent without rate limits.",
            &text,
        ),
        (
            "RateLimit",
            "Further requests that each limit accepts now (r), and seconds until one more is accepted (t).",
            &text,
        ),
        ("X-RateLimit-Limit", "Requests per minute of the limit that is reached first.", &number),
        ("X-RateLimit-Remaining", "Further requests that this limit accepts now.", &number),
        ("X-RateLimit-Reset", "Seconds until one more is accepted.", &number),
    ] {
        response["headers"][name] = json!({ "description": description, "schema": schema });
    }
    response
}

fn request_id() -> Value {
    json!({ "description": "The identifier of the request. The log contains the same identifier.", "schema": { "type": "string" } })
}
