//! The OpenAPI description of the tool endpoint: JSON-RPC over one POST route. The tools themselves are described by
//! `tools/list`.

use passbook_web::openapi::{PathItems, refer, success, with_rate_limits};
use serde_json::{Map, Value, json};

use crate::PATH;

const DESCRIPTION: &str = "The tool server: JSON-RPC 2.0 as in the Model Context Protocol. The revisions 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25 begin with initialize. The revision 2026-07-28 is stateless and begins with server/discover. Each request has one message and gets one JSON response. There are no sessions and no streams. Each tool has the parameters and the scope of a route under /v1; tools/list returns the tools with their schemas.\n\nEvery valid token can initialize, discover and list. tools/call requires the scope of the tool. The Origin header, if present, must name an allowed origin.";

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

/// Returns the path items of this adapter. The OAuth adapter describes the metadata document of
/// [`RESOURCE`](crate::RESOURCE).
pub fn paths() -> PathItems {
    PathItems::from_iter([(PATH.to_owned(), json!({ "post": post() }))])
}

fn post() -> Value {
    let mut responses = Map::new();
    let response = with_rate_limits(success("A JSON-RPC response.", &response()));
    responses.insert("200".to_owned(), response);
    responses.insert(
        "202".to_owned(),
        json!({ "description": "The notification was accepted. The response has no body." }),
    );
    for (status, description) in [
        (
            "400",
            "The body is not JSON (-32700) or not one JSON-RPC message (-32600), a header differs from the message (-32020), the protocol version is not supported (-32022), or metadata is missing (-32602). A token in the query string is also rejected, with the error body of the REST routes.",
        ),
        (
            "403",
            "The origin is not allowed, or the grant does not allow this person or surface, with the error body of the REST routes. Or the grant does not contain the tool's scope, with a tool result.",
        ),
        ("404", "The method is unknown (-32601), in revision 2026-07-28."),
        ("405", "The method is not POST."),
        ("406", "The Accept header does not accept JSON."),
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
            "id": { "type": ["string", "integer"], "description": "Returned unchanged in the response. A message without id is a notification." },
            "method": { "type": "string", "description": "initialize, ping, server/discover, tools/list, tools/call, or the name of a notification." },
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
            "id": { "type": ["string", "integer", "null"], "description": "The id of the request, or null if the id cannot be read." },
            "result": { "type": "object" },
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": { "code": { "type": "integer" }, "message": { "type": "string" }, "data": {} }
            }
        }
    })
}
