//! JSON-RPC errors: a code, a message, and the HTTP status of the response.

use hyper::StatusCode;
use passbook_input::excerpt;

use crate::revision::{self, Era};

/// Error codes of JSON-RPC 2.0 section 5.1.
const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;
const INTERNAL_ERROR: i32 = -32_603;
/// Error code for an unknown resource in the legacy era.
const RESOURCE_NOT_FOUND: i32 = -32_002;
/// Error code `HeaderMismatch` of revision 2026-07-28.
const HEADER_MISMATCH: i32 = -32_020;
/// Error code `UnsupportedProtocolVersionError` of revision 2026-07-28.
const UNSUPPORTED_VERSION: i32 = -32_022;

/// An error of the protocol, as opposed to the failure of a tool. It is serialised as the member `error` of a message.
#[derive(Debug, serde::Serialize)]
pub(crate) struct RpcError {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    code: i32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data>,
}

/// The member `data` of an error.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
enum Data {
    /// For an unsupported revision: the revisions that the client may use instead.
    UnsupportedVersion { supported: Vec<&'static str>, requested: String },
    /// For an unknown resource: its address (SEP-2164). Absent if the address is long or may contain a secret.
    UnknownResource { uri: String },
}

impl RpcError {
    fn new(status: StatusCode, code: i32, message: impl Into<String>) -> RpcError {
        RpcError { status, code, message: message.into(), data: None }
    }

    /// Creates the error for a body that is not JSON.
    pub(crate) fn parse_error() -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, PARSE_ERROR, "Parse error: the body is not JSON in UTF-8.")
    }

    /// Creates the error for a body that is JSON but not one JSON-RPC message.
    pub(crate) fn invalid_request(rule: &str) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, format!("Invalid request: {rule}."))
    }

    /// Creates the error for `params` or `_meta` that break a rule of every method. The response is an HTTP error.
    pub(crate) fn malformed_params(rule: &str) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, INVALID_PARAMS, format!("Invalid params: {rule}."))
    }

    /// Creates the error for `params` that break a rule of the called method. The response is not an HTTP error.
    pub(crate) fn invalid_params(rule: &str) -> RpcError {
        RpcError::new(StatusCode::OK, INVALID_PARAMS, format!("Invalid params: {rule}."))
    }

    /// Creates the error for a resource that does not exist. Its code differs between the eras.
    pub(crate) fn resource_not_found(era: Era, uri: &str) -> RpcError {
        let code = match era {
            Era::Legacy => RESOURCE_NOT_FOUND,
            Era::Modern => INVALID_PARAMS,
        };
        let shown = excerpt(uri);
        let message = format!("Resource not found: {shown:?}; resources/list has every resource.");
        let data = (shown == uri).then_some(Data::UnknownResource { uri: shown });
        RpcError { data, ..RpcError::new(StatusCode::OK, code, message) }
    }

    /// Creates the error for a method that the era does not have. The response is an HTTP error only in the modern era,
    /// whose clients expect one.
    pub(crate) fn method_not_found(era: Era, method: &str) -> RpcError {
        let status = match era {
            Era::Legacy => StatusCode::OK,
            Era::Modern => StatusCode::NOT_FOUND,
        };
        let method = excerpt(method);
        RpcError::new(status, METHOD_NOT_FOUND, format!("Method not found: {method:?}."))
    }

    /// Creates the error for a header that is missing or differs from the message.
    pub(crate) fn header_mismatch(rule: &str) -> RpcError {
        RpcError::new(StatusCode::BAD_REQUEST, HEADER_MISMATCH, format!("Header mismatch: {rule}."))
    }

    /// Creates the error for a revision that is not supported.
    pub(crate) fn unsupported_version(requested: &str) -> RpcError {
        let message = "Unsupported protocol version.";
        let data = Data::UnsupportedVersion { supported: revision::names(), requested: excerpt(requested) };
        RpcError { data: Some(data), ..RpcError::new(StatusCode::BAD_REQUEST, UNSUPPORTED_VERSION, message) }
    }

    /// Creates the error for a defect of the service. The response is not an HTTP error, because clients of the legacy
    /// era do not show the body of an HTTP error.
    pub(crate) fn internal(request_id: &str) -> RpcError {
        let message =
            format!("Something went wrong here; the request id {request_id} identifies it in our log.");
        RpcError::new(StatusCode::OK, INTERNAL_ERROR, message)
    }
}
