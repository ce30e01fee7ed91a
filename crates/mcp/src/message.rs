//! JSON-RPC 2.0 messages: parses a received message and writes responses. The values of a message stay unparsed text.

use passbook_input::{Object, excerpt};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::rpc_error::RpcError;

/// An object whose members' values stay unparsed JSON text.
pub(crate) type RawObject<'a> = Object<&'a RawValue>;

/// Returns the members of a JSON value that is an object; otherwise `None`.
pub(crate) fn object(value: &RawValue) -> Option<RawObject<'_>> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the text of a JSON value that is a string of whole Unicode characters; otherwise `None`.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the text of an object's member that is a string; otherwise `None`.
pub(crate) fn string_member(object: &RawObject<'_>, name: &str) -> Option<String> {
    object.get(name).and_then(|value| string(value))
}

/// Returns true if a JSON value is `null`.
pub(crate) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// Serialises a value to JSON text that can be inserted into several messages.
pub(crate) fn serialized(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("a type of this crate serialises without errors")
}

/// Serialises a value to JSON text.
pub(crate) fn to_string(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a type of this crate serialises without errors")
}

/// The identifier of a JSON-RPC request, as JSON text. Responses repeat the text byte for byte, so that no number loses
/// a digit.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(transparent)]
pub(crate) struct Id<'a>(&'a RawValue);

impl<'a> Id<'a> {
    /// The identifier `null`, for an error response to a message whose identifier cannot be read.
    pub(crate) const NULL: Id<'static> = Id(RawValue::NULL);

    /// Parses a request identifier: a string or an integer. Every revision forbids `null`, and JSON-RPC discourages
    /// fractions.
    fn parse(value: &'a RawValue) -> Option<Id<'a>> {
        let written = value.get();
        let digits = written.strip_prefix('-').unwrap_or(written);
        let integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A string with half of a surrogate pair is not Unicode text, so no client could match the response with its
        // request.
        (integer || string(value).is_some()).then_some(Id(value))
    }

    /// Returns the identifier as JSON text.
    #[cfg(test)]
    fn as_str(self) -> &'a str {
        self.0.get()
    }
}

/// A received JSON-RPC message.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// A request, which expects a response.
    Request(Request<'a>),
    /// A notification, which expects no response.
    Notification,
    /// A response. This server sends no requests, so it expects none.
    Response(Id<'a>),
}

/// A received JSON-RPC request.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: Id<'a>,
    pub(crate) method: String,
    /// The parameters of the request; empty if the message has no `params`.
    pub(crate) params: RawObject<'a>,
}

/// Parses a message from the body of an HTTP request.
///
/// # Errors
/// The error response, with the identifier of the request if it could be read.
pub(crate) fn parse(body: &[u8]) -> Result<Message<'_>, (Id<'_>, RpcError)> {
    let unreadable = || (Id::NULL, RpcError::parse_error());
    let text = std::str::from_utf8(body).map_err(|_| unreadable())?;
    let value: &RawValue = serde_json::from_str(text).map_err(|_| unreadable())?;
    let invalid = |rule| (Id::NULL, RpcError::invalid_request(rule));
    if value.get().starts_with('[') {
        return Err(invalid("one message per body, not a batch"));
    }
    let envelope = object(value)
        .ok_or_else(|| invalid("the body must be one JSON-RPC object with at most 64 members"))?;
    let id = match envelope.get("id") {
        None => None,
        Some(id) => Some(Id::parse(id).ok_or_else(|| invalid("id must be a string or an integer"))?),
    };
    read(&envelope, id).map_err(|error| (id.unwrap_or(Id::NULL), error))
}

fn read<'a>(envelope: &RawObject<'a>, id: Option<Id<'a>>) -> Result<Message<'a>, RpcError> {
    let invalid = RpcError::invalid_request;
    if envelope.repeated_name().is_some() {
        return Err(invalid("each member may be given once"));
    }
    if string_member(envelope, "jsonrpc").as_deref() != Some("2.0") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    if !envelope.contains("method") && (envelope.contains("result") || envelope.contains("error")) {
        return Ok(Message::Response(id.unwrap_or(Id::NULL)));
    }
    let method = string_member(envelope, "method").ok_or_else(|| invalid("method must be a string"))?;
    let Some(id) = id else { return Ok(Message::Notification) };
    let params = match envelope.get("params") {
        None => RawObject::default(),
        Some(params) => object(params)
            .ok_or_else(|| RpcError::malformed_params("params must be an object with at most 64 members"))?,
    };
    if let Some(name) = params.repeated_name() {
        let name = excerpt(name);
        return Err(RpcError::malformed_params(&format!("{name:?} is given twice")));
    }
    Ok(Message::Request(Request { id, method, params }))
}

/// A JSON-RPC response. Exactly one of `result` and `error` is present.
#[derive(serde::Serialize)]
struct Response<'a> {
    jsonrpc: &'static str,
    id: Id<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RpcError>,
}

/// Writes the response to a request that succeeded. `result` is inserted as it is.
pub(crate) fn response(id: Id<'_>, result: &RawValue) -> String {
    to_string(&Response { jsonrpc: "2.0", id, result: Some(result), error: None })
}

/// Writes the response to a message that failed.
pub(crate) fn error_response(id: Id<'_>, error: &RpcError) -> String {
    to_string(&Response { jsonrpc: "2.0", id, result: None, error: Some(error) })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn rejected(body: &str) -> (String, i64) {
        let (id, error) = parse(body.as_bytes()).expect_err("an invalid message");
        let written: Value = serde_json::from_str(&error_response(id, &error)).expect("JSON");
        (id.as_str().to_owned(), written["error"]["code"].as_i64().expect("a code"))
    }

    #[test]
    fn identifiers_are_repeated_byte_for_byte() {
        for id in ["9007199254740993", "-1", "0", "99999999999999999999999", "\"\"", "\"\\u00e9\"", "\"a\""] {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
            let Ok(Message::Request(request)) = parse(body.as_bytes()) else { panic!("{id}") };
            let written = response(request.id, RawValue::NULL);
            assert_eq!(written, format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":null}}"));
        }
        for id in ["null", "true", "1.0", "1e3", "{}", "[]", "\"\\ud800\""] {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
            assert_eq!(rejected(&body), ("null".to_owned(), -32_600), "{id}");
        }
    }

    #[test]
    fn invalid_messages_are_rejected_with_their_identifier() {
        for (body, id, code) in [
            ("", "null", -32_700),
            ("{", "null", -32_700),
            ("{} {}", "null", -32_700),
            ("[]", "null", -32_600),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", "null", -32_600),
            ("1", "null", -32_600),
            ("{}", "null", -32_600),
            ("{\"id\":7,\"method\":\"ping\"}", "7", -32_600),
            ("{\"jsonrpc\":2.0,\"id\":7,\"method\":\"ping\"}", "7", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":7}", "7", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}", "7", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"method\":\"ping\"}", "7", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":[]}", "7", -32_602),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":null}", "7", -32_602),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"a\":1,\"a\":1}}", "7", -32_602),
        ] {
            assert_eq!(rejected(body), (id.to_owned(), code), "{body}");
        }
        assert_eq!(parse(b"\xff").expect_err("not UTF-8").0.as_str(), "null");
    }
}
