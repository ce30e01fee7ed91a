//! Creates HTTP responses that contain one JSON-RPC message or no body.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use serde_json::value::RawValue;

use crate::message::{self, Id};
use crate::rpc_error::RpcError;

/// Creates a JSON-RPC response with a result.
pub(crate) fn result(id: Id<'_>, result: &RawValue) -> Response<Full<Bytes>> {
    passbook_web::response::private(message::response(id, result))
}

/// Creates a JSON-RPC response with a result, status 403 and a challenge, upon which a client requests the missing
/// scope.
pub(crate) fn forbidden(id: Id<'_>, body: &RawValue, challenge: &str) -> Response<Full<Bytes>> {
    let mut response = result(id, body);
    *response.status_mut() = StatusCode::FORBIDDEN;
    let challenge = HeaderValue::try_from(challenge).expect("a challenge is ASCII");
    response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    response
}

/// Creates a JSON-RPC response with an error.
pub(crate) fn error(id: Id<'_>, error: &RpcError) -> Response<Full<Bytes>> {
    passbook_web::response::json(error.status, "no-store", message::error_response(id, error).into())
}

/// Creates the response to a notification: 202 without a body.
pub(crate) fn accepted() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
