//! HTTP responses with one JSON-RPC message, or without a body.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::message::Id;
use crate::rpc_error::RpcError;

/// A JSON-RPC response with the request's id as received.
#[derive(Serialize)]
struct Message<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RawValue>,
}

/// A response with a result.
pub(crate) fn result(id: Id<'_>, result: &str) -> Response<Full<Bytes>> {
    let message = Message { jsonrpc: "2.0", id: raw(id.as_str()), result: Some(raw(result)), error: None };
    web::response::private(to_json(&message))
}

/// A result with status 403 and a challenge, upon which a client requests the missing scope.
pub(crate) fn forbidden(id: Id<'_>, body: &str, challenge: &str) -> Response<Full<Bytes>> {
    let mut response = result(id, body);
    *response.status_mut() = StatusCode::FORBIDDEN;
    let challenge = HeaderValue::try_from(challenge).expect("a challenge is ASCII");
    response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    response
}

/// A response with an error.
pub(crate) fn error(id: Id<'_>, error: &RpcError) -> Response<Full<Bytes>> {
    let written = to_raw_value(&error.to_json()).expect("an error has only string keys");
    let message = Message { jsonrpc: "2.0", id: raw(id.as_str()), result: None, error: Some(&written) };
    web::response::json(error.status, "no-store", to_json(&message).into())
}

/// The response to a notification: 202 without a body.
pub(crate) fn accepted() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// JSON that this crate has written, or has read as one JSON value.
fn raw(json: &str) -> &RawValue {
    serde_json::from_str(json).expect("ids and results are JSON")
}

fn to_json(message: &Message<'_>) -> Vec<u8> {
    serde_json::to_vec(message).expect("a message has only string keys")
}
