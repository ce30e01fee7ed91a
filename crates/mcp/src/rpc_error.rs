//! JSON-RPC errors: a code, a sentence, and the status that carries them.

use hyper::StatusCode;
use serde_json::{Value, json};

use crate::revision::{self, Era};

/// JSON-RPC 2.0 section 5.1.
const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;
const INTERNAL_ERROR: i32 = -32_603;
/// Revision 2026-07-28, `HeaderMismatch`.
const HEADER_MISMATCH: i32 = -32_020;
/// Revision 2026-07-28, `UnsupportedProtocolVersionError`.
const UNSUPPORTED_VERSION: i32 = -32_022;

/// An error that the protocol tells, not a tool.
#[derive(Debug)]
pub(crate) struct RpcError {
    pub(crate) status: StatusCode,
    code: i32,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    fn new(status: StatusCode, code: i32, message: impl Into<String>) -> RpcError {
        RpcError { status, code, message: message.into(), data: None }
    }

    /// The body is not JSON.
    pub(crate) fn parse_error() -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, PARSE_ERROR, "Parse error: the body is not JSON in UTF-8.")
    }

    /// The body is not one JSON-RPC message.
    pub(crate) fn invalid_request(rule: &str) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, format!("Invalid request: {rule}."))
    }

    /// The message has another shape than every message has.
    pub(crate) fn malformed_params(rule: &str) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, INVALID_PARAMS, format!("Invalid params: {rule}."))
    }

    /// The parameters are not those of the method.
    pub(crate) fn invalid_params(rule: &str) -> RpcError {
        RpcError::new(StatusCode::OK, INVALID_PARAMS, format!("Invalid params: {rule}."))
    }

    /// There is no such method in the era: an HTTP error only where the client expects one.
    pub(crate) fn method_not_found(era: Era, method: &str) -> RpcError {
        let status = match era {
            Era::Legacy => StatusCode::OK,
            Era::Modern => StatusCode::NOT_FOUND,
        };
        let method = operations::form::shortened(method);
        RpcError::new(status, METHOD_NOT_FOUND, format!("Method not found: {method:?}."))
    }

    /// A header contradicts the message, or is missing.
    pub(crate) fn header_mismatch(rule: &str) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, HEADER_MISMATCH, format!("Header mismatch: {rule}."))
    }

    /// A revision that is not served.
    pub(crate) fn unsupported_version(requested: &str) -> RpcError {
        let message = "Unsupported protocol version.";
        let requested = operations::form::shortened(requested);
        let data = json!({ "supported": revision::names(), "requested": requested });
        RpcError { data: Some(data), ..RpcError::new(StatusCode::BAD_REQUEST, UNSUPPORTED_VERSION, message) }
    }

    /// A defect of ours. Not an HTTP error, which clients of the legacy era would not show.
    pub(crate) fn internal(request_id: &str) -> RpcError {
        let message =
            format!("Something went wrong here; the request id {request_id} identifies it in our log.");
        RpcError::new(StatusCode::OK, INTERNAL_ERROR, message)
    }

    /// As JSON.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}
