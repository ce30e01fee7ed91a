//! The OpenAPI description of the tool endpoint: JSON-RPC over one POST route. The tools themselves are described by
//! `tools/list`.

use serde_json::{Map, Value, json};
use web::openapi::{PathItems, refer, success, with_rate_limits};

use crate::PATH;

const DESCRIPTION: &str = "The tool server: JSON-RPC 2.0, Model Context Protocol revisions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 (begin with initialize) and 2026-07-28 (stateless, begin with server/discover). One message per request, one JSON answer, no sessions and no streams. Each tool takes the parameters of a route under /v1 and needs the same scope; tools/list names them with their schemas.\n\nAny valid token may initialize, discover and list; tools/call needs the scope of the tool. An Origin, if sent, must be an allowed one.";

/// Shared error responses to requests that are rejected before their message is read.
const HTTP_ERRORS: &[(&str, &str)] = &[
    ("401", "Unauthorized"),
    ("414", "UriTooLong"),
    ("429", "RateLimited"),
    ("431", "HeadersTooLarge"),
    ("500", "Internal"),
    ("503", "Unavailable"),
    ("504", "Timeout"),
];

/// The path items of this adapter. The OAuth adapter describes the metadata of [`RESOURCE`](crate::RESOURCE).
pub fn paths() -> PathItems {
    PathItems::from_iter([(PATH.to_owned(), json!({ "post": post() }))])
}

fn post() -> Value {
    let mut responses = Map::new();
    let response = with_rate_limits(success("A JSON-RPC response.", &response()));
    responses.insert("200".to_owned(), response);
    responses
        .insert("202".to_owned(), json!({ "description": "A notification was received. There is no body." }));
    for (status, description) in [
        (
            "400",
            "Not JSON (-32700), not one JSON-RPC message (-32600), a header that contradicts the message (-32020), a protocol version that is not served (-32022), or metadata that is missing (-32602); or a token in the query string, as an error of the service.",
        ),
        (
            "403",
            "The Origin is not allowed, or the grant does not serve this person or surface, as an error of the service; or a tool's result that asks for a scope.",
        ),
        ("404", "A method that revision 2026-07-28 does not have here (-32601)."),
        ("405", "Only POST is accepted."),
        ("406", "The Accept header admits no JSON."),
        ("413", "The body is larger than 256 KiB."),
        ("415", "The body is not application/json."),
    ] {
        responses.insert(status.to_owned(), json!({ "description": description }));
    }
    refer(&mut responses, HTTP_ERRORS);
    json!({
        "operationId": "tool_server",
        "summary": "Tool server",
        "description": DESCRIPTION,
        "tags": ["service"],
        "security": [{ "bearer": [] }],
        "requestBody": { "required": true, "content": { "application/json": {
            "schema": request(),
            "example": { "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": "get_cashflow_summary", "arguments": { "timeRange": "1m" } } }
        } } },
        "responses": responses,
    })
}

fn request() -> Value {
    json!({
        "type": "object",
        "required": ["jsonrpc", "method"],
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": { "type": ["string", "integer"], "description": "Echoed as received; without it the message is a notification." },
            "method": { "type": "string", "description": "initialize, ping, server/discover, tools/list, tools/call or a notification." },
            "params": { "type": "object" }
        }
    })
}

fn response() -> Value {
    json!({
        "type": "object",
        "required": ["jsonrpc", "id"],
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": { "type": ["string", "integer", "null"], "description": "As received; null when there was none to read." },
            "result": { "type": "object" },
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": { "code": { "type": "integer" }, "message": { "type": "string" }, "data": {} }
            }
        }
    })
}
