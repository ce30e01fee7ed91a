//! Responses: content type, caching, and the headers that keep a browser from misusing them.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use crate::request_id::{HEADER, RequestId};

/// On every response. There is no `Access-Control` header anywhere: browsers are shut out.
const GUARDS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// One person's data: never stored on the way.
pub fn private(body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    json(StatusCode::OK, "no-store", body.into())
}

/// The same for everyone, and for a while.
pub fn public(body: Bytes) -> Response<Full<Bytes>> {
    json(StatusCode::OK, "public, max-age=300", body)
}

/// JSON with a status.
pub fn json(status: StatusCode, caching: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

/// The response as it leaves: guarded, and named by its request's identifier.
pub fn finished(mut response: Response<Full<Bytes>>, id: &RequestId) -> Response<Full<Bytes>> {
    let headers = response.headers_mut();
    for (name, value) in GUARDS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.insert(HeaderName::from_static(HEADER), id.to_header());
    response
}
