//! The tool endpoint, as far as OpenAPI can tell of it: JSON-RPC over one POST. What tools there are, `tools/list`
//! says.

use serde_json::{Map, Value, json};

use super::{Document, responses};

const DESCRIPTION: &str = "The tool server: JSON-RPC 2.0, Model Context Protocol revisions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 (begin with initialize) and 2026-07-28 (stateless, begin with server/discover). One message per request, one JSON answer, no sessions and no streams. Each tool takes the parameters of a route under /v1 and needs the same scope; tools/list names them with their schemas.\n\nAny valid token may initialize, discover and list; tools/call needs the scope of the tool. An Origin, if sent, must be an allowed one.";

/// Errors that JSON-RPC does not tell: the request never became a message.
const REFUSALS: &[(&str, &str)] = &[
    ("401", "Unauthorized"),
    ("414", "UriTooLong"),
    ("429", "RateLimited"),
    ("431", "HeadersTooLarge"),
    ("500", "Internal"),
    ("503", "Unavailable"),
    ("504", "Timeout"),
];

impl Document {
    /// The tool endpoint, and the document that its challenge names.
    pub(super) fn tool_server(&mut self) {
        self.paths.insert("/mcp".to_owned(), json!({ "post": post() }));
        let metadata = super::open(
            "protected_tools",
            "Protected-resource metadata of the tool server",
            "Where tokens for the tool server come from (RFC 9728); its 401 challenge names it.",
            responses::success(
                "Protected-resource metadata of the tool server",
                &json!({ "type": "object" }),
            ),
        );
        self.paths.insert(web::metadata::TOOLS_PATH.to_owned(), metadata);
    }
}

fn post() -> Value {
    let mut answers = Map::new();
    let answer = responses::with_rate_limits(responses::success("A JSON-RPC response.", &response()));
    answers.insert("200".to_owned(), answer);
    answers
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
        answers.insert(status.to_owned(), json!({ "description": description }));
    }
    responses::refer(&mut answers, REFUSALS);
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
        "responses": answers,
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
