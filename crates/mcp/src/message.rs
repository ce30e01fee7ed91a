//! One JSON-RPC 2.0 message in a body, whatever the revision.

use serde_json::value::RawValue;

use crate::members::{self, Members};
use crate::rpc_error::RpcError;

/// The identifier of a request, as it was written: echoed byte for byte, so that no number loses a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id<'a>(&'a str);

impl<'a> Id<'a> {
    /// Where none can be read.
    pub(crate) const NULL: Id<'static> = Id("null");

    /// A string or an integer: every revision forbids null, and JSON-RPC fractions.
    fn of(value: &'a RawValue) -> Option<Id<'a>> {
        let written = value.get();
        let digits = written.strip_prefix('-').unwrap_or(written);
        let integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A string with half a surrogate pair is no text: nobody could read its echo.
        (integer || members::text(value).is_some()).then_some(Id(written))
    }

    /// As it was written.
    pub(crate) fn as_str(self) -> &'a str {
        self.0
    }
}

/// A message.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Wants none.
    Notification,
    /// Answers something that was never asked.
    Response(Id<'a>),
}

/// A request.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: Id<'a>,
    pub(crate) method: String,
    /// Empty when there are none.
    pub(crate) params: Members<'a>,
}

/// Reads a body; the error comes with the identifier that it answers.
pub(crate) fn parse(body: &[u8]) -> Result<Message<'_>, (Id<'_>, RpcError)> {
    let unreadable = || (Id::NULL, RpcError::parse_error());
    let text = std::str::from_utf8(body).map_err(|_| unreadable())?;
    let value: &RawValue = serde_json::from_str(text).map_err(|_| unreadable())?;
    let invalid = |rule| (Id::NULL, RpcError::invalid_request(rule));
    if value.get().starts_with('[') {
        return Err(invalid("one message per body, not a batch"));
    }
    let envelope = Members::of(value).ok_or_else(|| invalid("the body must be one JSON-RPC object"))?;
    let id = match envelope.get("id") {
        None => None,
        Some(id) => Some(Id::of(id).ok_or_else(|| invalid("id must be a string or an integer"))?),
    };
    read(&envelope, id).map_err(|error| (id.unwrap_or(Id::NULL), error))
}

fn read<'a>(envelope: &Members<'a>, id: Option<Id<'a>>) -> Result<Message<'a>, RpcError> {
    let invalid = RpcError::invalid_request;
    if envelope.repeated().is_some() {
        return Err(invalid("each member may be given once"));
    }
    if envelope.text("jsonrpc").as_deref() != Some("2.0") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    if envelope.get("method").is_none()
        && (envelope.get("result").is_some() || envelope.get("error").is_some())
    {
        return Ok(Message::Response(id.unwrap_or(Id::NULL)));
    }
    let method = envelope.text("method").ok_or_else(|| invalid("method must be a string"))?;
    let Some(id) = id else { return Ok(Message::Notification) };
    let params = match envelope.get("params") {
        None => Members::default(),
        Some(params) => {
            Members::of(params).ok_or_else(|| RpcError::malformed_params("params must be an object"))?
        }
    };
    if let Some(name) = params.repeated() {
        let name = operations::form::shortened(name);
        return Err(RpcError::malformed_params(&format!("{name:?} is given twice")));
    }
    Ok(Message::Request(Request { id, method, params }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> (String, i64) {
        let (id, error) = parse(body.as_bytes()).expect_err("it is refused");
        (id.as_str().to_owned(), error.to_json()["code"].as_i64().expect("a code"))
    }

    #[test]
    fn identifiers_keep_every_digit() {
        for id in ["9007199254740993", "-1", "0", "99999999999999999999999", "\"\"", "\"\\u00e9\"", "\"a\""] {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
            let Ok(Message::Request(request)) = parse(body.as_bytes()) else { panic!("{id}") };
            assert_eq!(request.id.as_str(), id);
        }
        for id in ["null", "true", "1.0", "1e3", "{}", "[]", "\"\\ud800\""] {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
            assert_eq!(refused(&body), ("null".to_owned(), -32_600), "{id}");
        }
    }

    #[test]
    fn what_is_no_message_is_refused_with_the_identifier_if_it_has_one() {
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
        ] {
            assert_eq!(refused(body), (id.to_owned(), code), "{body}");
        }
        assert_eq!(parse(b"\xff").expect_err("not UTF-8").0, Id::NULL);
    }
}
