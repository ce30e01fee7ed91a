//! Responses: content type, caching, and the headers that every response carries.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use crate::request_id::{HEADER, RequestId};

/// Value of `Retry-After`, in seconds, in the response to a request that failed because of a temporary outage.
pub const RETRY_AFTER_SECONDS: u64 = 1;

/// Headers that every response has. They keep browsers from guessing its type, showing it in a frame, or sending its
/// address to other sites. No response has an `Access-Control` header: pages of other origins cannot read responses.
const STANDARD_HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Creates a JSON response with a user's data, which no cache may store.
pub fn private(body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    json(StatusCode::OK, "no-store", body.into())
}

/// Creates a JSON response that is the same for every caller. Caches may store it for five minutes.
pub fn public(body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    json(StatusCode::OK, "public, max-age=300", body.into())
}

/// Creates a JSON response with a status and a `Cache-Control` header.
pub fn json(status: StatusCode, cache_control: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    response
}

/// Creates a plain-text response that no cache may store, such as one with a user's data.
pub fn private_text(text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = private(text);
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, text);
    response
}

/// Adds the standard headers, which every response has, and the header with the request identifier to `response`.
pub(crate) fn add_standard_headers(response: &mut Response<Full<Bytes>>, id: &RequestId) {
    let headers = response.headers_mut();
    for (name, value) in STANDARD_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.insert(HeaderName::from_static(HEADER), id.to_header());
}
