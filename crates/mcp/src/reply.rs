//! JSON-RPC responses over HTTP: always one whole object, or nothing at all.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};

use crate::message::Id;
use crate::rpc_error::RpcError;

/// An answer to a request, with its identifier spliced in as it was written.
pub(crate) fn result(id: Id<'_>, result: &str) -> Response<Full<Bytes>> {
    web::reply::private(format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{result}}}", id.as_str()))
}

/// The same as an HTTP refusal, for clients that ask for a scope when they are challenged.
pub(crate) fn forbidden(id: Id<'_>, body: &str, challenge: &str) -> Response<Full<Bytes>> {
    let mut response = result(id, body);
    *response.status_mut() = StatusCode::FORBIDDEN;
    let challenge = HeaderValue::try_from(challenge).expect("a challenge is ASCII");
    response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    response
}

/// An error.
pub(crate) fn error(id: Id<'_>, error: &RpcError) -> Response<Full<Bytes>> {
    let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{}}}", id.as_str(), error.to_json());
    web::reply::json(error.status, "no-store", body.into())
}

/// Nothing: a notification was received.
pub(crate) fn accepted() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
