//! A client of the tool server in both protocol eras.

use serde_json::{Value, json};

use crate::app::App;
use crate::http::Reply;

/// The protocol era of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// The era of revision 2025-11-25 and earlier, which begins with `initialize`.
    Legacy,
    /// The era of revision 2026-07-28, in which each request carries its own metadata.
    Modern,
}

impl Era {
    /// Both eras.
    pub const ALL: [Era; 2] = [Era::Legacy, Era::Modern];

    /// Returns the headers of a request with `method` and `params`.
    pub fn headers<'a>(self, method: &'a str, params: &'a Value) -> Vec<(&'a str, &'a str)> {
        let mut headers =
            vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        match self {
            Era::Legacy => headers.push(("mcp-protocol-version", "2025-11-25")),
            Era::Modern => {
                headers.extend([("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]);
                let name = params["name"].as_str().or(params["uri"].as_str());
                headers.extend(name.map(|name| ("mcp-name", name)));
            }
        }
        headers
    }

    /// Returns a JSON-RPC request. `params` must be an object.
    pub fn message(self, id: &Value, method: &str, mut params: Value) -> Value {
        if self == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }
}

impl App {
    /// Sends a JSON-RPC request to the tool server.
    pub async fn rpc(&self, era: Era, token: &str, method: &str, params: Value) -> Reply {
        let bearer = format!("Bearer {token}");
        let mut headers = era.headers(method, &params);
        headers.push(("authorization", &bearer));
        let message = era.message(&json!(1), method, params.clone());
        self.post("/mcp", &headers, message.to_string()).await
    }

    /// Calls a tool.
    pub async fn call(&self, era: Era, token: &str, tool: &str, arguments: Value) -> Reply {
        self.rpc(era, token, "tools/call", json!({ "name": tool, "arguments": arguments })).await
    }
}

/// Returns the result of a response, which must be a JSON-RPC success.
#[track_caller]
pub fn result(reply: &Reply) -> Value {
    let answer = reply.ok();
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].clone()
}

/// Returns the structured content of a tool call, which must have succeeded. The text content must be equal to it.
#[track_caller]
pub fn payload(reply: &Reply) -> Value {
    let result = result(reply);
    assert!(result.get("isError").is_none(), "{result}");
    let text = result["content"][0]["text"].as_str().expect("the result has a text content");
    let payload: Value = serde_json::from_str(text).expect("the text is JSON");
    assert_eq!(payload, result["structuredContent"]);
    payload
}

/// Returns the text of a tool call, which must have failed.
#[track_caller]
pub fn failure(reply: &Reply) -> String {
    let result = reply.json()["result"].clone();
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    result["content"][0]["text"].as_str().expect("the result has a text content").to_owned()
}
